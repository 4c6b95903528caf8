#pragma once

#include <optional>
#include <vector>

#include "app/bench/machine.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app::plot {

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

}  // namespace loom::app::plot
