#pragma once

#include <cmath>
#include <utility>

#include "app/plot/figure.h"
#include "app/plot/log_axis.h"

namespace loom::app::plot {

/// The lowest and the highest level of a figure's points; there must be one.
std::pair<int, int> level_range(const Figure& figure);

/// The rectangle that a panel's lines are drawn in: where a level and a value are, y down. The units are the
/// drawer's own.
struct Plane {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
  int first_level = 0;
  int last_level = 0;
  LogAxis axis = {};
  bool by_devices = false;  ///< x by its logarithm, from 1 on

  double x(double level) const {
    const double first = place(first_level);
    const double span = place(last_level) - first + 1;  // half a level of room at either end
    return left + width * (place(level) - first + 0.5) / span;
  }
  double y(double value) const { return top + height * (1 - axis.position(value)); }
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double place(double level) const { return by_devices ? std::log2(level) : level; }
  /// Every how many levels one has a number, where each number needs `room`.
  int level_step(double room) const;
};

}  // namespace loom::app::plot
