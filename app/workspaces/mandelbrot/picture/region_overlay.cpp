#include "app/workspaces/mandelbrot/picture/region_overlay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
  const ImVec2 clip_low = list.GetClipRectMin();
  const ImVec2 clip_high = list.GetClipRectMax();
  for (const PictureMark& mark : marks) {
    const ImVec2 low{area.x + static_cast<float>(mark.x) / scale,
                     area.y + static_cast<float>(mark.y) / scale};
    const ImVec2 high{low.x + static_cast<float>(mark.width) / scale,
                      low.y + static_cast<float>(mark.height) / scale};
    if (high.x <= clip_low.x || high.y <= clip_low.y || low.x >= clip_high.x || low.y >= clip_high.y)
      continue;
    list.AddRectFilled(low, high, mark.colour);
  }
}

void draw_orbit(ImDrawList& list, const Area& area, float scale, const ComplexView& view,
                render::Extent picture, const ComplexPoint& point, std::uint32_t limit) {
  const auto orbit = orbit_of(point, limit, kMaxOrbitPoints);
  std::vector<ImVec2> places;
  for (const ComplexPoint& z : orbit) {
    const ComplexPoint pixel = pixel_of(view, picture, z);
    // Far outside a deeply zoomed view, float cannot represent the coordinates; the clamped lines still leave
    // the picture.
    const auto place = [&](double value) { return static_cast<float>(std::clamp(value, -1e6, 1e6)) / scale; };
    places.push_back({area.x + place(pixel.re), area.y + place(pixel.im)});
  }
  list.AddPolyline(places.data(), static_cast<int>(places.size()), kOrbitLine, 0, 1.2f);
  for (const ImVec2& at : places) list.AddCircleFilled(at, 2, kOrbitPoint, 6);
  if (!places.empty()) list.AddCircle(places.front(), 5, kOrbitStart, 12, 2);
}

void draw_text_line(ImDrawList& list, const Area& area, std::string_view words) {
  if (words.empty()) return;
  const char* const end = words.data() + words.size();
  const float line = ImGui::GetTextLineHeight();
  const float wrap = std::max(area.width - line, 1.0f);
  const ImVec2 size = ImGui::CalcTextSize(words.data(), end, false, wrap);
  list.AddRectFilled({area.x, area.y}, {area.x + size.x + line, area.y + size.y + line * 0.4f},
                     theme::kTextBackground);
  list.AddText(ImGui::GetFont(), ImGui::GetFontSize(), {area.x + line * 0.5f, area.y + line * 0.2f},
               ImGui::GetColorU32(ImGuiCol_Text), words.data(), end, wrap);
}

void draw_julia_frame(ImDrawList& list, const Area& area, const ComplexPoint& point) {
  const ImVec2 high{area.x + area.width, area.y + area.height};
  list.AddRect({area.x, area.y}, high, theme::kRubberBand, 0, 0, 1.5f);
  Text text =
      format_text("Julia set of {:.3f} {} {:.3f} i", point.re, point.im < 0 ? "−" : "+", std::abs(point.im));
  if (ImGui::CalcTextSize(text.c_str()).x > area.width - ImGui::GetFontSize() * 0.5f) text = "Julia set";
  const float line = ImGui::GetTextLineHeight();
  list.PushClipRect({area.x, area.y}, high, true);
  list.AddRectFilled({area.x, high.y - line * 1.2f}, high, theme::kTextBackground);
  list.AddText({area.x + line * 0.3f, high.y - line * 1.1f}, ImGui::GetColorU32(ImGuiCol_Text), text.c_str());
  list.PopClipRect();
}

}  // namespace loom::app
