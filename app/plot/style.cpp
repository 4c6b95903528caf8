#include "app/plot/style.h"

#include <array>
#include <cmath>
#include <numbers>

namespace loom::app::plot {
namespace {

using diagram::ColourPair;

// On a dark background the same hues are lighter, and white replaces black.
constexpr std::array<ColourPair, kColours> kPalette = {{{{0, 0, 0}, {242, 242, 242}},
                                                        {{230, 159, 0}, {240, 173, 28}},
                                                        {{0, 114, 178}, {61, 143, 245}},
                                                        {{86, 180, 233}, {143, 214, 250}},
                                                        {{213, 94, 0}, {245, 120, 46}},
                                                        {{0, 158, 115}, {28, 189, 143}},
                                                        {{204, 121, 167}, {230, 150, 196}}}};
constexpr ColourPair kGrey = {{115, 115, 115}, {168, 176, 189}};

constexpr std::array<Marker, kColours> kMarkers = {Marker::kCircle,  Marker::kSquare,       Marker::kTriangle,
                                                   Marker::kDiamond, Marker::kDownTriangle, Marker::kCross,
                                                   Marker::kStar};

constexpr float kShort[] = {0.48f, 0.29f};
constexpr float kDots[] = {0.14f, 0.24f};
constexpr float kDashDot[] = {0.67f, 0.24f, 0.14f, 0.24f};
constexpr float kLong[] = {1.05f, 0.38f};
constexpr float kDashDotDot[] = {0.67f, 0.24f, 0.14f, 0.24f, 0.14f, 0.24f};
constexpr float kTwoDash[] = {0.76f, 0.19f, 0.29f, 0.19f};
constexpr float kSparse[] = {0.19f, 0.57f};

/// `count` points on a circle, clockwise; the first at `start` radians, clockwise from the right.
std::vector<glm::vec2> on_circle(glm::vec2 centre, float radius, int count, float start) {
  std::vector<glm::vec2> points;
  for (int i = 0; i < count; ++i) {
    const float angle =
        start + 2 * std::numbers::pi_v<float> * static_cast<float>(i) / static_cast<float>(count);
    points.push_back(centre + radius * glm::vec2{std::cos(angle), std::sin(angle)});
  }
  return points;
}

}  // namespace

ColourPair series_colour(std::size_t style_index) {
  return style_index == kUniformStyle ? kGrey : kPalette[style_index % kColours];
}

Marker series_marker(std::size_t style_index) {
  constexpr std::size_t kShift = 3;
  return style_index == kUniformStyle ? Marker::kRing
                                      : kMarkers[(style_index + style_index / kColours * kShift) % kColours];
}

void draw_marker(diagram::Diagram& diagram, glm::vec2 centre, float radius, Marker marker,
                 const diagram::Paint& paint) {
  constexpr int kCircleCorners = 20;
  constexpr float kQuarter = std::numbers::pi_v<float> / 2;
  const float stroke = radius * 0.47f;
  const auto polygon = [&](float scale, int corners, float start) {
    diagram.polygon({on_circle(centre, radius * scale, corners, start), paint});
  };
  // Lines through the centre, at equal angles.
  const auto strokes = [&](int count, float start) {
    const auto ends = on_circle(centre, radius * 1.2f, 2 * count, start);
    for (std::size_t i = 0; i < ends.size() / 2; ++i)
      diagram.line({{ends[i], ends[i + ends.size() / 2]}, paint, stroke});
  };
  switch (marker) {
    case Marker::kCircle:
      return polygon(1, kCircleCorners, 0);
    case Marker::kSquare:
      return polygon(1.2f, 4, kQuarter / 2);
    case Marker::kTriangle:
      return polygon(1.3f, 3, -kQuarter);
    case Marker::kDiamond:
      return polygon(1.3f, 4, kQuarter);
    case Marker::kDownTriangle:
      return polygon(1.3f, 3, kQuarter);
    case Marker::kCross:
      return strokes(2, kQuarter / 2);
    case Marker::kStar:
      return strokes(3, kQuarter);
    case Marker::kRing:
      auto points = on_circle(centre, radius, kCircleCorners, 0);
      points.push_back(points.front());
      return diagram.line({std::move(points), paint, stroke});
  }
}

std::span<const float> series_dash(std::size_t index) {
  switch (index % kDashes) {
    case 1:
      return kShort;
    case 2:
      return kDots;
    case 3:
      return kDashDot;
    case 4:
      return kLong;
    case 5:
      return kDashDotDot;
    case 6:
      return kTwoDash;
    case 7:
      return kSparse;
    default:
      return {};
  }
}

}  // namespace loom::app::plot
