#pragma once

#include <cmath>
#include <cstddef>
#include <glm/vec2.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/explain/diagram/diagram.h"
#include "app/plot/figure.h"
#include "render/camera.h"

namespace loom::app::plot {

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a line without a label
};

/// A logarithmic axis from `low` to `high`, both above 0.
struct LogAxis {
  double low = 1;
  double high = 10;
  std::vector<Tick> ticks;  ///< ascending, within [low, high]

  /// 0 at `low`, 1 at `high`.
  double position(double value) const;
};

/// An axis that contains every value of a plot with a small margin, with ticks and labels in its unit:
/// decimal for times, ratios and fractions, powers of two with KiB, MiB, ... for bytes. The axis of a ratio
/// always contains 1.
LogAxis make_axis(const Figure& figure);

/// The lowest and the highest level of the points; there must be at least one.
std::pair<int, int> level_range(const Figure& figure);

/// The rectangle of a panel's lines, which maps levels and values to positions. Units are those of the
/// caller.
struct PlotArea {
  render::Rect<double> box = {};
  int first_level = 0;
  int last_level = 0;
  LogAxis axis = {};
  XAxis x_axis = XAxis::kLevel;

  double x(double level) const {
    const double first = place(first_level);
    const double span = place(last_level) - first + 1;  // margin of half a level at each end
    return box.corner.x + box.size.x * (place(level) - first + 0.5) / span;
  }
  double y(double value) const { return box.corner.y + box.size.y * (1 - axis.position(value)); }
  double place(double level) const {
    if (!is_logarithmic(x_axis)) return level;
    return std::log2(x_axis == XAxis::kDepth ? level + 1 : level);
  }
  /// Distance of labelled levels, if each label needs `room`.
  int level_step(double room) const;
};

/// Style of lines that are equal for all tile sizes: grey with ring markers.
inline constexpr std::size_t kUniformStyle = std::numeric_limits<std::size_t>::max();
/// The style of a map where lines are maps: its colour in the window.
constexpr std::size_t style_of(MapKind map) {
  return kUniformStyle - kMapKinds.size() + static_cast<std::size_t>(map);
}

/// Colours that colour-blind readers can distinguish (Okabe and Ito, without yellow, which is invisible on
/// white), ordered so that neighbours also differ in lightness. They repeat after kColours.
inline constexpr std::size_t kColours = 7;
diagram::ColourPair series_colour(std::size_t style_index);

/// Marker shapes, so that lines can be distinguished without colour; when colours repeat, shapes differ.
enum class Marker { kCircle, kSquare, kTriangle, kDiamond, kDownTriangle, kCross, kStar, kRing };
Marker series_marker(std::size_t style_index);
/// Draws a marker of about `radius` font sizes.
void draw_marker(diagram::Diagram& diagram, glm::vec2 centre, float radius, Marker marker,
                 const diagram::Paint& paint);

/// Lengths of dashes and gaps in font sizes; the first is a solid line.
inline constexpr std::size_t kDashes = 8;
std::span<const float> series_dash(std::size_t index);

}  // namespace loom::app::plot
