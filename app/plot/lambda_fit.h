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

/// The cost model laid over measurements. The ratio is CostRatio::kSbrSpeedup or kMbrSpeedup.
struct LambdaFit {
  CostProblem problem;  ///< with the lambda that was found
  CostOptimum optimum;  ///< of the model, among the cuts measured
};

/// Finds the lambda in 10^-2 .. 10^5, in steps of a twentieth of a decade, whose predictions differ least
/// from the measured speedups: least sum of squared logarithms of their ratio. Everything else of `problem`
/// is taken as given. Nothing where no cut has a level (cost_levels).
std::optional<LambdaFit> fit_lambda(CostRatio ratio, CostProblem problem,
                                    const std::vector<MeasuredCut>& cuts);

/// Multiprocessors (q) and their FP32 cores (c) of a backend: those of the GPU, by the throughput table of
/// the CUDA C++ Programming Guide; on the CPU its threads, of one core each (its vector units are not in the
/// model). Nothing where the results name no such GPU.
struct Processors {
  double q = 1;
  double c = 1;
};
std::optional<Processors> processors_of(const bench::Machine& machine, bool on_gpu, int device);

}  // namespace loom::app::plot
