#include "app/workspaces/mandelbrot/picture/overlays.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <string>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/text/text.h"
#include "app/widgets/picture.h"
#include "app/workspaces/mandelbrot/scene/point_under_cursor.h"

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
                glm::dvec2 point, std::uint32_t limit) {
  const auto orbit = orbit_of(point, limit, kMaxOrbitPoints);
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

void draw_julia_frame(ImDrawList& list, const Area& area, glm::dvec2 point) {
  const glm::vec2 high = area.end();
  list.AddRect(area.corner, high, theme::kRubberBand, 0, 0, 1.5f);
  Text text =
      format_text("Julia set of {:.3f} {} {:.3f} i", point.x, point.y < 0 ? "−" : "+", std::abs(point.y));
  if (ImGui::CalcTextSize(text.c_str()).x > area.size.x - ImGui::GetFontSize() * 0.5f) text = "Julia set";
  const float line = ImGui::GetTextLineHeight();
  list.PushClipRect(area.corner, high, true);
  list.AddRectFilled({area.corner.x, high.y - line * 1.2f}, high, theme::colours().text_background);
  list.AddText({area.corner.x + line * 0.3f, high.y - line * 1.1f}, ImGui::GetColorU32(ImGuiCol_Text),
               text.c_str());
  list.PopClipRect();
}

}  // namespace loom::app
