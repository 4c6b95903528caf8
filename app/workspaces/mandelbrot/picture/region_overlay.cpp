#include "app/workspaces/mandelbrot/picture/region_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>
#include <string>

#include "app/gui/theme.h"
#include "app/text/text.h"
#include "app/workspaces/mandelbrot/scene/orbit.h"

namespace loom::app {
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
