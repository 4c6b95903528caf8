#pragma once

#include <functional>

#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cut_search.h"

namespace loom {

/// A configuration by a plan: its method, exhaustive or else ASK, and its cut.
MandelbrotConfig with_plan(const MandelbrotConfig& config, const DwellPlan& plan);

/// How a search goes about.
struct PlanSearch {
  CostCut first = {32, 2, 16};    ///< tried before other cuts
  bool may_be_exhaustive = true;  ///< else cuts alone
  std::uint32_t runs = 3;         ///< of a plan that may be the fastest, whose shortest counts; 1 of others
  std::function<void(const CutSearch&)> after_each = {};
};

/// Times plans for a view on an engine, whose image is then that of any of them, and returns what was found.
/// All else of `config` stays. A plan that the machine refuses (MachineError) counts as slow
/// beyond measure. Throws as compute() does otherwise, Cancelled among them.
CutSearch find_fastest_plan(MandelbrotEngine& engine, const MandelbrotConfig& config,
                            const MandelbrotView& view, const PlanSearch& search);

}  // namespace loom
