#include "app/mandelbrot/picture/region_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "app/gui/theme.h"
#include "app/mandelbrot/scene/orbit.h"
#include "app/teach/data_colour.h"
#include "app/text/text.h"

namespace loom::app {
namespace {

constexpr ImU32 kBorderAlpha = 235;
constexpr ImU32 kUndecided = IM_COL32(12, 14, 18, 205);
constexpr ImU32 kOrbitLine = IM_COL32(255, 255, 255, 110);
constexpr ImU32 kOrbitPoint = IM_COL32(255, 255, 255, 230);
constexpr ImU32 kOrbitStart = IM_COL32(255, 170, 70, 255);
constexpr std::size_t kMostOrbit = 400;

ImU32 with_alpha(ImU32 colour, ImU32 alpha) {
  return (colour & ~IM_COL32_A_MASK) | alpha << IM_COL32_A_SHIFT;
}

/// Four bars along the inside of the edges: there are tens of thousands of them in a frame, and ImGui's own
/// outlines, smoothed at their corners, take it ten times as long.
void outline(ImDrawList& list, ImVec2 low, ImVec2 high, ImU32 colour, float thick) {
  const float x = std::min(thick, (high.x - low.x) / 2);
  const float y = std::min(thick, (high.y - low.y) / 2);
  list.PrimReserve(4 * 6, 4 * 4);
  list.PrimRect(low, {high.x, low.y + y}, colour);
  list.PrimRect({low.x, high.y - y}, high, colour);
  list.PrimRect({low.x, low.y + y}, {low.x + x, high.y - y}, colour);
  list.PrimRect({high.x - x, low.y + y}, {high.x, high.y - y}, colour);
}

}  // namespace

ImU32 colour_of_level(int level) {
  const teach::DataColour colour = teach::level_colour(level);
  return IM_COL32(colour.red, colour.green, colour.blue, kBorderAlpha);
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
  if (regions.size() <= kMostRegions) return regions.size();
  // They come by level, so that the first are the largest.
  const auto first =
      std::ranges::lower_bound(regions, regions[kMostRegions].level, {}, &MandelbrotRegion::level);
  return static_cast<std::size_t>(first - regions.begin());
}

std::optional<int> last_level_drawn(std::span<const MandelbrotRegion> regions,
                                    std::optional<int> shown_level) {
  const std::size_t drawn = drawn_regions(regions);
  if (drawn == regions.size()) return std::nullopt;
  const int last = static_cast<int>(regions[drawn].level) - 1;
  return shown_level && *shown_level <= last ? std::nullopt : std::optional(last);
}

void draw_regions(ImDrawList& list, const Area& area, float scale, std::span<const MandelbrotRegion> regions,
                  RegionOverlay overlay, std::optional<int> shown_level) {
  const ImVec2 clip_low = list.GetClipRectMin();
  const ImVec2 clip_high = list.GetClipRectMax();
  for (const MandelbrotRegion& region : regions.first(drawn_regions(regions))) {
    if (shown_level && region.level > *shown_level) break;
    const ImVec2 low{area.x + static_cast<float>(region.x) / scale,
                     area.y + static_cast<float>(region.y) / scale};
    const ImVec2 high{low.x + static_cast<float>(region.width) / scale,
                      low.y + static_cast<float>(region.height) / scale};
    if (high.x <= clip_low.x || high.y <= clip_low.y || low.x >= clip_high.x || low.y >= clip_high.y)
      continue;
    const bool undecided = shown_level && region.level == *shown_level && region.kind == RegionKind::kSplit;
    if (undecided) list.AddRectFilled(low, high, kUndecided);
    const bool kinds = overlay == RegionOverlay::kKinds;
    if (kinds && region.kind != RegionKind::kSplit) {
      list.AddRectFilled(low, high, with_alpha(colour_of(region.kind), 52));
    }
    const ImU32 line = kinds
                           ? with_alpha(colour_of(region.kind), region.kind == RegionKind::kSplit ? 60 : 150)
                           : colour_of_level(region.level);
    outline(list, low, high, line, kinds ? 1.0f : std::max(1.0f, 2.5f - 0.5f * region.level));
  }
}

void draw_level(ImDrawList& list, const Area& area, float scale, std::span<const MandelbrotRegion> regions,
                int level) {
  const auto of_level = std::ranges::equal_range(regions, level, {}, &MandelbrotRegion::level);
  draw_regions(list, area, scale, {of_level.begin(), of_level.end()}, RegionOverlay::kLevels, std::nullopt);
}

void draw_differences(ImDrawList& list, const Area& area, float scale, const DwellDifferences& differences) {
  const float radius = std::max(4.0f, ImGui::GetFontSize() * 0.35f);
  for (const DwellDifference& place : differences.places) {
    const ImVec2 at{area.x + (static_cast<float>(place.pixel.x) + 0.5f) / scale,
                    area.y + (static_cast<float>(place.pixel.y) + 0.5f) / scale};
    list.AddCircle(at, radius, IM_COL32(255, 60, 60, 255), 12, 2);
  }
}

void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view,
                render::Extent picture, const ComplexPoint& point, std::uint32_t limit) {
  const auto orbit = orbit_of(point, limit, kMostOrbit);
  std::vector<ImVec2> places;
  for (const ComplexPoint& z : orbit) {
    const ComplexPoint pixel = pixel_of(view, picture, z);
    // Far outside a deeply zoomed view, floats would not hold the difference; the lines leave the picture.
    const auto place = [&](double value) { return static_cast<float>(std::clamp(value, -1e6, 1e6)) / scale; };
    places.push_back({area.x + place(pixel.re), area.y + place(pixel.im)});
  }
  list.AddPolyline(places.data(), static_cast<int>(places.size()), kOrbitLine, 0, 1.2f);
  for (const ImVec2& at : places) list.AddCircleFilled(at, 2, kOrbitPoint, 6);
  if (!places.empty()) list.AddCircle(places.front(), 5, kOrbitStart, 12, 2);
}

void draw_julia_frame(ImDrawList& list, const Area& area, const ComplexPoint& point) {
  const ImVec2 high{area.x + area.width, area.y + area.height};
  list.AddRect({area.x, area.y}, high, theme::kRubberBand, 0, 0, 1.5f);
  Text text =
      format_text("Julia set of {:.3f} {} {:.3f} i", point.re, point.im < 0 ? "−" : "+", std::abs(point.im));
  if (ImGui::CalcTextSize(text.c_str()).x > area.width - ImGui::GetFontSize() * 0.5f) text = "Julia set";
  const float line = ImGui::GetTextLineHeight();
  list.PushClipRect({area.x, area.y}, high, true);
  list.AddRectFilled({area.x, high.y - line * 1.2f}, high, theme::kPlate);
  list.AddText({area.x + line * 0.3f, high.y - line * 1.1f}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
  list.PopClipRect();
}

}  // namespace loom::app
