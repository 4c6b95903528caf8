#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"

namespace loom::app::plot {

struct Tick {
  double value = 0;
  std::string label;  ///< empty for a line without a number
};

/// A logarithmic axis from `low` to `high`, both above 0.
struct LogAxis {
  double low = 1;
  double high = 10;
  std::vector<Tick> ticks;  ///< ascending, within [low, high]

  /// 0 at `low`, 1 at `high`.
  double position(double value) const;
};

/// An axis that holds every value of a figure with a little room, with ticks and labels in the figure's unit:
/// decimal for times, ratios and shares, powers of two with KiB, MiB, ... for bytes. A ratio's axis always
/// holds 1.
LogAxis make_axis(const Figure& figure);

}  // namespace loom::app::plot
