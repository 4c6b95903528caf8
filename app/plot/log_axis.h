#pragma once

#include <string>
#include <vector>

#include "app/plot/figure.h"

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

}  // namespace loom::app::plot
