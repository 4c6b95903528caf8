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
  double ms = 0;  ///< median of an image, of the repeats too
};

/// All g and B with one r.
struct LandscapePanel {
  std::uint32_t r = 0;
  std::vector<LandscapeCell> cells;
};

/// Times over g, r and B as data, before they are drawn.
struct LandscapeFigure {
  std::string title;
  std::vector<std::uint32_t> gs;  ///< ascending, as the next
  std::vector<std::uint32_t> bs;
  std::vector<LandscapePanel> panels;  ///< by r
  double fastest_ms = 0;
  double slowest_ms = 0;
  CostCut optimum;                   ///< the fastest
  std::optional<CostCut> predicted;  ///< the model's optimum among the cuts measured
  std::vector<std::string> notes;    ///< what the two are and how the model was fitted, or why not
  std::string caption;
};

/// Throws InputError where the selection leaves nothing but exhaustive, or more than one method, scheme, set
/// of ideas, n, backend, dwell limit or precision.
LandscapeFigure make_landscape_figure(const bench::Results& results, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
