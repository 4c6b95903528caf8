#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/plot/mandelbrot_selection.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app::plot {

struct LandscapeCell {
  std::uint32_t g = 0;
  std::uint32_t b = 0;
  double value = 0;  ///< above 0
};

/// All g and B for one r.
struct LandscapePanel {
  std::uint32_t r = 0;
  std::vector<LandscapeCell> cells;
};

/// A plot of values over g, r and B as data.
struct LandscapeFigure {
  std::string title;
  std::string value_name;         ///< what the values are, with their unit
  std::vector<std::uint32_t> gs;  ///< ascending, like `bs`
  std::vector<std::uint32_t> bs;
  std::vector<LandscapePanel> panels;  ///< sorted by r
  double best = 0;                     ///< the lowest time or the highest ratio
  double worst = 0;
  CostCut optimum;                 ///< has the best value
  std::optional<CostCut> marked;   ///< another combination to compare with the optimum
  std::vector<std::string> notes;  ///< describe the optimum and the marked combination
  std::string caption;
};

/// The median times per image, over repeats too. The marked combination is the optimum of the cost model
/// among the measured ones; the notes also describe the fit of the model, or why there is none. Throws
/// InputError if the selection contains only exhaustive entries, or more than one method, scheme, set of
/// optimizations, n, backend, dwell limit or precision.
LandscapeFigure make_landscape_figure(const bench::Results& results, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
