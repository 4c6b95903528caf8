#include "app/widgets/figure_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace loom::app {
namespace {

constexpr float kPi = std::numbers::pi_v<float>;

ImVec2 around(ImVec2 at, float radius, float angle) {
  return {at.x + radius * std::cos(angle), at.y + radius * std::sin(angle)};
}

void polygon(ImDrawList& list, ImVec2 at, float radius, int corners, float start, ImU32 colour) {
  std::array<ImVec2, 4> places;
  for (int i = 0; i < corners; ++i) {
    places[static_cast<std::size_t>(i)] =
        around(at, radius, start + 2 * kPi * static_cast<float>(i) / static_cast<float>(corners));
  }
  list.AddConvexPolyFilled(places.data(), corners, colour);
}

void strokes(ImDrawList& list, ImVec2 at, float radius, int count, float start, ImU32 colour) {
  for (int i = 0; i < count; ++i) {
    const float angle = start + kPi * static_cast<float>(i) / static_cast<float>(count);
    list.AddLine(around(at, radius, angle), around(at, radius, angle + kPi), colour, radius * 0.45f);
  }
}

}  // namespace

ImU32 line_colour(std::size_t style_index) {
  const plot::Colour colour = plot::series_colour(style_index, plot::Background::kScreen);
  return ImGui::ColorConvertFloat4ToU32(
      {static_cast<float>(colour.red), static_cast<float>(colour.green), static_cast<float>(colour.blue), 1});
}

void dashed_line(ImDrawList& list, std::span<const ImVec2> places, ImU32 colour, std::span<const double> dash,
                 float font) {
  const float thickness = std::max(1.5f, font * 0.12f);
  if (dash.empty()) {
    list.AddPolyline(places.data(), static_cast<int>(places.size()), colour, ImDrawFlags_None, thickness);
    return;
  }
  const float scale = font * 0.09f;
  std::size_t part = 0;
  float left = static_cast<float>(dash[0]) * scale;  // remaining length of the part
  for (std::size_t i = 1; i < places.size(); ++i) {
    const ImVec2 from = places[i - 1];
    const ImVec2 to = places[i];
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    const auto at = [&](float distance) {
      const float share = length > 0 ? distance / length : 0;
      return ImVec2{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    };
    for (float done = 0; done < length;) {
      const float run = std::min(left, length - done);
      if (part % 2 == 0) list.AddLine(at(done), at(done + run), colour, thickness);
      done += run;
      left -= run;
      if (left > 0) continue;
      part = (part + 1) % dash.size();
      left = static_cast<float>(dash[part]) * scale;
    }
  }
}

void point_marker(ImDrawList& list, ImVec2 at, plot::Marker marker, ImU32 colour, float radius) {
  constexpr float kUp = -kPi / 2;
  switch (marker) {
    case plot::Marker::kCircle:
      list.AddCircleFilled(at, radius, colour);
      break;
    case plot::Marker::kSquare:
      polygon(list, at, radius * 1.2f, 4, kPi / 4, colour);
      break;
    case plot::Marker::kTriangle:
      polygon(list, at, radius * 1.3f, 3, kUp, colour);
      break;
    case plot::Marker::kDiamond:
      polygon(list, at, radius * 1.3f, 4, kUp, colour);
      break;
    case plot::Marker::kDownTriangle:
      polygon(list, at, radius * 1.3f, 3, -kUp, colour);
      break;
    case plot::Marker::kRing:
      list.AddCircle(at, radius, colour, 0, radius * 0.45f);
      break;
    case plot::Marker::kCross:
      strokes(list, at, radius * 1.2f, 2, kPi / 4, colour);
      break;
    case plot::Marker::kStar:
      strokes(list, at, radius * 1.2f, 3, kPi / 2, colour);
      break;
  }
}

}  // namespace loom::app
