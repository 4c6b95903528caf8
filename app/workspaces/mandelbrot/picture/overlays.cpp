#include "app/workspaces/mandelbrot/picture/overlays.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/text/format.h"
#include "compute/core/input_text.h"

namespace loom::app {
namespace {

constexpr int kTint = 70;  ///< translucent, so that the set remains visible

ImU32 colour_with(std::size_t device, std::uint8_t alpha) {
  return theme::packed(explain::data_colour({explain::ColourKey::Kind::kNumber, device, 0}), alpha);
}

}  // namespace

ImU32 colour_of_device(std::size_t device) {
  return colour_with(device, 255);
}

void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPartition> parts) {
  // Full colour at the left edge, because the tint mixes with the picture's colours.
  const float edge = ImGui::GetFontSize() * 0.4f;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const RowRange& rows : parts[i].rows) {
      const glm::vec2 low{area.corner.x, area.corner.y + static_cast<float>(rows.first) / scale};
      const glm::vec2 high{area.end().x, area.corner.y + static_cast<float>(rows.end) / scale};
      list.AddRectFilled(low, high, colour_with(i, kTint));
      list.AddRectFilled(low, {low.x + edge, high.y}, colour_of_device(i));
    }
  }
}

namespace {

constexpr ImU32 kRingColour = IM_COL32(255, 60, 60, 255);
constexpr ImU32 kSquareColour = IM_COL32(255, 60, 60, 150);

glm::vec2 middle_of(const DwellDifference& place, const Area& area, float scale) {
  return area.corner + (glm::vec2(place.pixel.x, place.pixel.y) + 0.5f) / scale;
}

void draw_squares(ImDrawList& list, const Area& area, float scale, float least,
                  const DwellDifferences& differences) {
  const float side = std::ceil(std::max({least, area.size.x / kSquares, area.size.y / kSquares}));
  const auto square = [&](float along) {
    return static_cast<std::size_t>(std::clamp(static_cast<int>(along / side), 0, kSquares - 1));
  };
  std::bitset<static_cast<std::size_t>(kSquares) * kSquares> marked;
  for (const DwellDifference& place : differences.places) {
    const glm::vec2 at = middle_of(place, area, scale);
    marked.set(square(at.y - area.corner.y) * kSquares + square(at.x - area.corner.x));
  }
  for (int row = 0; row < kSquares; ++row) {
    for (int column = 0; column < kSquares;) {
      const auto has = [&](int at) {
        return at < kSquares && marked[static_cast<std::size_t>(row * kSquares + at)];
      };
      const int begin = column++;
      if (!has(begin)) continue;
      while (has(column)) ++column;
      const glm::vec2 low = area.corner + glm::vec2(begin, row) * side;
      list.AddRectFilled(low, low + glm::vec2(column - begin, 1) * side, kSquareColour);
    }
  }
}

}  // namespace

void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences) {
  const float radius = std::max(4.0f, ImGui::GetFontSize() * 0.35f);
  if (differences.places.size() > kMaxRings) {
    draw_squares(list, area, scale, 2 * radius, differences);
    return;
  }
  for (const DwellDifference& place : differences.places) {
    list.AddCircle(middle_of(place, area, scale), radius, kRingColour, 12, 2);
  }
}

namespace {

constexpr int kAlpha = 205;  ///< translucent, so that the set remains visible

}  // namespace

void upload_divergence(const DivergenceCounts& counts, render::ColourTexture& texture) {
  std::array<std::uint32_t, 256> table{};
  for (std::size_t i = 0; i < 255; ++i) {
    table[i] = theme::packed(explain::ordered_colour(static_cast<float>(i) / 254), kAlpha);
  }
  std::vector<std::uint32_t> pixels(counts.share.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) pixels[i] = table[counts.share[i]];
  texture.upload(counts.size, pixels);
}

void draw_divergence(ImDrawList& list, const Area& area, float scale, const DivergenceCounts& counts,
                     const render::ColourTexture& texture) {
  draw_texture(list, texture, {area.corner, glm::vec2(counts.size) / scale});
}

namespace {

constexpr ImU32 kOrbitLine = IM_COL32(255, 255, 255, 110);
constexpr ImU32 kOrbitPoint = IM_COL32(255, 255, 255, 230);
constexpr ImU32 kOrbitStart = IM_COL32(255, 170, 70, 255);
constexpr std::size_t kMaxOrbitPoints = 400;

}  // namespace

void draw_marks(ImDrawList& list, const Area& area, float scale, std::span<const PictureMark> marks) {
  const glm::vec2 clip_low = list.GetClipRectMin();
  const glm::vec2 clip_high = list.GetClipRectMax();
  for (const PictureMark& mark : marks) {
    const glm::vec2 low = area.corner + glm::vec2(mark.rect.corner) / scale;
    const glm::vec2 high = low + glm::vec2(mark.rect.size) / scale;
    if (glm::any(glm::lessThanEqual(high, clip_low)) || glm::any(glm::greaterThanEqual(low, clip_high)))
      continue;
    list.AddRectFilled(low, high, mark.colour);
  }
}

void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view, glm::ivec2 picture,
                const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit) {
  const auto orbit = orbit_of(set, point, limit, kMaxOrbitPoints);
  std::vector<ImVec2> places;
  for (const glm::dvec2& z : orbit) {
    // Far outside a deeply zoomed view, float cannot represent the coordinates; the clamped lines still leave
    // the picture.
    const glm::dvec2 pixel = glm::clamp(pixel_of(view, picture, z), -1e6, 1e6);
    places.push_back(area.corner + glm::vec2(pixel) / scale);
  }
  list.AddPolyline(places.data(), static_cast<int>(places.size()), kOrbitLine, 0, 1.2f);
  for (const ImVec2& at : places) list.AddCircleFilled(at, 2, kOrbitPoint, 6);
  if (!places.empty()) list.AddCircle(places.front(), 5, kOrbitStart, 12, 2);
}

void draw_text_line(ImDrawList& list, const Area& area, std::string_view words) {
  if (words.empty()) return;
  const char* const end = words.data() + words.size();
  const float line = ImGui::GetTextLineHeight();
  const float wrap = std::max(area.size.x - line, 1.0f);
  const glm::vec2 size = ImGui::CalcTextSize(words.data(), end, false, wrap);
  list.AddRectFilled(area.corner, area.corner + size + glm::vec2{line, line * 0.4f},
                     theme::colours().text_background);
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), area.corner + glm::vec2{line * 0.5f, line * 0.2f},
               ImGui::GetColorU32(ImGuiCol_Text), words.data(), end, wrap);
}

void draw_point_ring(ImDrawList& list, glm::vec2 at) {
  const float radius = ImGui::GetTextLineHeight() * 0.35f;
  list.AddCircle(at, radius, IM_COL32(0, 0, 0, 200), 16, 4);
  list.AddCircle(at, radius, IM_COL32(255, 255, 255, 255), 16, 1.5f);
}

void draw_julia_frame(ImDrawList& list, const Area& area, const JuliaPoint& point,
                      std::optional<glm::vec2> ring, bool pinned) {
  const glm::vec2 high = area.end();
  list.AddRect(area.corner, high, theme::kRubberBand, 0, 0, 1.5f);
  Text text = format_text("{} {:.3f} {} {:.3f} i",
                          ring     ? "c ="
                          : pinned ? "Pinned:"
                                   : "Julia set of",
                          point.re, point.im < 0 ? "−" : "+", std::abs(point.im));
  const auto fits = [&](const char* words) {
    return ImGui::CalcTextSize(words).x <= area.size.x - ImGui::GetFontSize() * 0.5f;
  };
  if (!fits(text.c_str())) text = ring ? "c" : pinned ? "Pinned" : "Julia set";
  const char* const how = ring     ? "Click: back, drag: move c"
                          : pinned ? "Click opens, Esc unpins"
                                   : "Click pins, right opens";
  const float line = ImGui::GetTextLineHeight();
  list.PushClipRect(area.corner, high, true);
  if (ring) draw_point_ring(list, *ring);
  if (fits(how)) text.add("\n{}", how);
  const float height = ImGui::CalcTextSize(text.c_str()).y;
  list.AddRectFilled({area.corner.x, high.y - height - line * 0.2f}, high, theme::colours().text_background);
  list.AddText({area.corner.x + line * 0.3f, high.y - height - line * 0.1f},
               ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
  list.PopClipRect();
}

namespace {

constexpr ImU32 kBorderAlpha = 235;
constexpr ImU32 kUndecided = IM_COL32(12, 14, 18, 205);

ImU32 with_alpha(ImU32 colour, ImU32 alpha) {
  return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

/// A rectangle packed into one number: colour index, then begin and length on the first and on the second
/// axis. Sorting makes rectangles with equal colour and first axis adjacent, ordered along the second axis.
using Packed = std::uint64_t;
constexpr int kBits = 15;  ///< bits per coordinate: pictures have at most 2^14 pixels per axis
constexpr Packed kMask = (Packed{1} << kBits) - 1;

struct Side {
  std::uint32_t begin = 0;
  std::uint32_t length = 0;

  std::uint32_t end() const { return begin + length; }
};

Packed pack(std::size_t colour, Side first, Side second) {
  Packed packed = colour;
  for (const std::uint32_t part : {first.begin, first.length, second.begin, second.length})
    packed = packed << kBits | part;
  return packed;
}

std::uint32_t part_of(Packed packed, int from_last) {
  return static_cast<std::uint32_t>(packed >> (from_last * kBits) & kMask);
}
std::size_t colour_number(Packed packed) {
  return static_cast<std::size_t>(packed >> (4 * kBits));
}
Side first_side(Packed packed) {
  return {part_of(packed, 3), part_of(packed, 2)};
}
Side second_side(Packed packed) {
  return {part_of(packed, 1), part_of(packed, 0)};
}

/// Merges rectangles that have the same colour and first axis and touch on the second axis.
void join(std::vector<Packed>& packed) {
  if (packed.empty()) return;
  std::ranges::sort(packed);
  std::size_t last = 0;
  for (std::size_t i = 1; i < packed.size(); ++i) {
    const bool alike = packed[last] >> (2 * kBits) == packed[i] >> (2 * kBits);
    if (alike && second_side(packed[last]).end() == second_side(packed[i]).begin) {
      packed[last] += second_side(packed[i]).length;  // the length occupies the lowest bits
    } else {
      packed[++last] = packed[i];
    }
  }
  packed.resize(last + 1);
}

/// Non-overlapping rectangles of a few colours.
class Layer {
 public:
  explicit Layer(const std::array<ImU32, 3>& colours) : colours_(colours) {}

  void add(std::size_t colour, Side across, Side down) {
    if (across.length > 0 && down.length > 0) packed_.push_back(pack(colour, down, across));
  }

  /// Adds lines along the inner side of the edges; no pixel is covered twice.
  void add_outline(std::size_t colour, Side across, Side down, std::uint32_t thickness) {
    if (across.length <= 2 * thickness || down.length <= 2 * thickness) return add(colour, across, down);
    const Side between{down.begin + thickness, down.length - 2 * thickness};
    add(colour, across, {down.begin, thickness});
    add(colour, across, {down.end() - thickness, thickness});
    add(colour, {across.begin, thickness}, between);
    add(colour, {across.end() - thickness, thickness}, between);
  }

  /// Appends the merged rectangles to `marks` and clears the layer.
  void put(std::vector<PictureMark>& marks) {
    join(packed_);
    for (Packed& one : packed_) one = pack(colour_number(one), second_side(one), first_side(one));
    join(packed_);
    for (const Packed one : packed_) {
      const Side across = first_side(one);
      const Side down = second_side(one);
      marks.push_back(
          {{{across.begin, down.begin}, {across.length, down.length}}, colours_[colour_number(one)]});
    }
    packed_.clear();
  }

 private:
  std::array<ImU32, 3> colours_;
  std::vector<Packed> packed_;
};

std::array<ImU32, 3> kind_colours(const std::array<ImU32, 3>& alphas) {
  std::array<ImU32, 3> colours{};
  for (std::size_t kind = 0; kind < colours.size(); ++kind)
    colours[kind] = with_alpha(colour_of(static_cast<RegionKind>(kind)), alphas[kind]);
  return colours;
}

}  // namespace

ImU32 colour_of_level(int level) {
  return theme::packed(explain::level_colour(level), kBorderAlpha);
}

// They differ in brightness too.
ImU32 colour_of(RegionKind kind) {
  return value_for<RegionKind::kSplit>(
      {IM_COL32(96, 230, 150, 235), IM_COL32(214, 94, 16, 235), IM_COL32(235, 240, 248, 235)}, kind);
}

const char* name_of(RegionKind kind) {
  return value_for<RegionKind::kSplit>({"filled", "leaf", "split"}, kind);
}

std::size_t drawn_regions(std::span<const MandelbrotRegion> regions) {
  if (regions.size() <= kMaxRegions) return regions.size();
  // Regions are ordered by level, so the first are the largest.
  const auto first =
      std::ranges::lower_bound(regions, regions[kMaxRegions].level, {}, &MandelbrotRegion::level);
  return static_cast<std::size_t>(first - regions.begin());
}

std::optional<int> last_level_drawn(std::span<const MandelbrotRegion> regions,
                                    std::optional<int> shown_level) {
  const std::size_t drawn = drawn_regions(regions);
  if (drawn == regions.size()) return std::nullopt;
  const int last = static_cast<int>(regions[drawn].level) - 1;
  return shown_level && *shown_level <= last ? std::nullopt : std::optional(last);
}

Text unmarked_reason(std::span<const MandelbrotRegion> regions, int level) {
  const auto of_level = std::ranges::equal_range(regions, level, {}, &MandelbrotRegion::level);
  if (of_level.size() <= kMaxRegions) return {};
  return format_text("level {}: {} regions are too many to mark (at most {})", level,
                     format_count(of_level.size()), format_count(kMaxRegions));
}

void make_region_marks(std::vector<PictureMark>& marks, std::span<const MandelbrotRegion> regions,
                       const RegionStyle& style) {
  marks.clear();
  if (style.only) {
    const auto of_level = std::ranges::equal_range(regions, *style.only, {}, &MandelbrotRegion::level);
    regions = {of_level.begin(), of_level.end()};
  }
  regions = regions.first(drawn_regions(regions));
  const bool kinds = style.overlay == RegionOverlay::kQuantities;
  const std::array<ImU32, 3> line_colours = kind_colours({150, 150, 60});
  for (auto at = regions.begin(); at != regions.end();) {
    const int level = at->level;
    if (style.up_to && level > *style.up_to) break;
    const float units = !kinds && level == 0 ? 2 : 1;
    const auto thickness = static_cast<std::uint32_t>(std::max(1l, std::lround(units * style.scale)));
    Layer undecided({kUndecided});
    Layer grounds(kind_colours({52, 52, 52}));
    Layer lines(kinds ? line_colours : std::array<ImU32, 3>{colour_of_level(level)});
    for (; at != regions.end() && at->level == level; ++at) {
      const bool splits = at->kind == RegionKind::kSplit;
      const auto kind = static_cast<std::size_t>(at->kind);
      const Side across{at->x, at->width};
      const Side down{at->y, at->height};
      if (style.up_to == level && splits) undecided.add(0, across, down);
      if (kinds && !splits) grounds.add(kind, across, down);
      lines.add_outline(kinds ? kind : 0, across, down, thickness);
    }
    undecided.put(marks);
    grounds.put(marks);
    lines.put(marks);
  }
}

void RegionMarkCache::request(std::span<const MandelbrotRegion> regions, std::uint64_t number,
                              const RegionStyle& style) {
  if (number_ == number && style_ == style) return;
  make_region_marks(marks_, regions, style);
  number_ = number;
  style_ = style;
}

void RegionMarkCache::forget() {
  if (!number_) return;
  std::vector<PictureMark>().swap(marks_);
  number_.reset();
}

}  // namespace loom::app
