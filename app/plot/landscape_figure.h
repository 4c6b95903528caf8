#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/machine.h"
#include "app/explain/diagram/diagram.h"
#include "app/plot/selection.h"
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
LandscapeFigure make_landscape_figure(const bench::Results& results, const Selection& selection);

/// A measured speedup over exhaustive.
struct MeasuredCut {
  CostCut cut;
  double speedup = 0;  ///< above 0
};

/// The cost model fitted to measurements. The ratio is CostRatio::kSbrSpeedup or kMbrSpeedup.
struct LambdaFit {
  CostProblem problem;  ///< with the fitted lambda
  CostOptimum optimum;  ///< optimum of the model among the measured combinations
};

/// Finds the lambda in 10^-2 .. 10^5, in steps of a twentieth of a decade, with the least sum of squared
/// logarithms of predicted over measured speedup. The rest of `problem` is given. Empty if no combination has
/// a level (cost_levels).
std::optional<LambdaFit> fit_lambda(CostRatio ratio, CostProblem problem,
                                    const std::vector<MeasuredCut>& cuts);

/// Multiprocessors (q) and FP32 cores per multiprocessor (c) of a backend: for a GPU by the throughput table
/// of the CUDA C++ Programming Guide; for the CPU its threads with one core each (vector units are not
/// modelled). Empty if the results do not name such a GPU.
struct Processors {
  double q = 1;
  double c = 1;
};
std::optional<Processors> processors_of(const bench::Machine& machine, bool on_gpu, int device);

/// Lays out a landscape: one heat map over B and g for each r, good values bright on a logarithmic scale,
/// each cell with its value where it fits, the optimum in a solid frame, the marked cell in a dashed one;
/// below, the scale and the notes. With `window`, a size in font sizes, it has this width and neither title
/// nor caption, and a height of 0 puts all maps in a row; without it, it is a page for print. Every
/// combination of g, r and B has a hotspot without a tip, whose tag is the argument of cut_of().
diagram::Diagram landscape_diagram(const LandscapeFigure& landscape, const diagram::TextWidth& text_width,
                                   std::optional<glm::vec2> window = {});

/// The combination of a hotspot's tag.
CostCut cut_of(const LandscapeFigure& landscape, int tag);
/// The value of a combination; empty if it has none.
std::optional<double> value_at(const LandscapeFigure& landscape, const CostCut& cut);

}  // namespace loom::app::plot
