#pragma once

#include <functional>
#include <limits>

#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cut_search.h"

namespace loom {

/// A configuration with a plan's method (exhaustive or ASK) and cut.
MandelbrotConfig with_plan(const MandelbrotConfig& config, const DwellPlan& plan);

/// Milliseconds of the shortest of `runs` runs, which is the least disturbed one. Of a configuration that
/// takes longer than `most`, only the first `least` count.
double shortest_ms(MandelbrotEngine& engine, const MandelbrotConfig& config, const MandelbrotView& view,
                   std::uint32_t runs, std::uint32_t least = 1,
                   double most = std::numeric_limits<double>::infinity());

/// Options of the search.
struct PlanSearchOptions {
  CostCut first = {32, 2, 16};    ///< the first cut to time
  bool may_be_exhaustive = true;  ///< whether the exhaustive method is a candidate
  /// Runs of a plan that may be the fastest, of which the shortest counts; other plans have 1 run.
  std::uint32_t runs = 3;
  std::function<void(const CutSearch&)> after_each = {};
};

/// Times plans for a view on an engine and returns the result of the search. The engine's image is then that
/// of any of the plans. Other settings of `config` are unchanged. A plan that fails with MachineError counts
/// as infinitely slow. Throws other exceptions of compute(), including OperationCancelled.
CutSearch find_fastest_plan(MandelbrotEngine& engine, const MandelbrotConfig& config,
                            const MandelbrotView& view, const PlanSearchOptions& search);

}  // namespace loom
