#pragma once

#include <cmath>
#include <utility>

#include "app/plot/figure.h"
#include "app/plot/log_axis.h"
#include "render/rect.h"

namespace loom::app::plot {

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
    if (x_axis == XAxis::kLevel) return level;
    return std::log2(x_axis == XAxis::kDepth ? level + 1 : level);
  }
  /// Distance of labelled levels, if each label needs `room`.
  int level_step(double room) const;
};

}  // namespace loom::app::plot
