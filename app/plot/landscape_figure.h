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
  double ms = 0;  ///< median per image, over repeats too
};

/// All g and B for one r.
struct LandscapePanel {
  std::uint32_t r = 0;
  std::vector<LandscapeCell> cells;
};

/// A plot of times over g, r and B as data.
struct LandscapeFigure {
  std::string title;
  std::vector<std::uint32_t> gs;  ///< ascending, like `bs`
  std::vector<std::uint32_t> bs;
  std::vector<LandscapePanel> panels;  ///< sorted by r
  double fastest_ms = 0;
  double slowest_ms = 0;
  CostCut optimum;                   ///< the fastest
  std::optional<CostCut> predicted;  ///< optimum of the model among the measured combinations
  std::vector<std::string> notes;    ///< describes both optima and the fit of the model, or why there is none
  std::string caption;
};

/// Throws InputError if the selection contains only exhaustive entries, or more than one method, scheme, set
/// of optimizations, n, backend, dwell limit or precision.
LandscapeFigure make_landscape_figure(const bench::Results& results, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
