#include "app/workspaces/mandelbrot/picture/region_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/text/format.h"

namespace loom::app {
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

ImU32 colour_of(RegionKind kind) {
  switch (kind) {
    case RegionKind::kFill:
      return IM_COL32(80, 220, 130, 235);
    case RegionKind::kLeaf:
      return IM_COL32(255, 150, 60, 235);
    case RegionKind::kSplit:
      return IM_COL32(210, 215, 225, 235);
  }
  return 0;
}

const char* name_of(RegionKind kind) {
  static constexpr std::array kNames = {"filled", "leaf", "split"};
  return kNames[static_cast<std::size_t>(kind)];
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
