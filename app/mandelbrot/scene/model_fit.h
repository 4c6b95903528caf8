#pragma once

#include <optional>

#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// A run that was measured, for the cost model.
struct MeasuredRun {
  CostRatio ratio = CostRatio::kWorkReduction;  ///< what its speedup is compared with
  MandelbrotConfig config = {};
  MandelbrotReport report = {};
  double q = 1;  ///< multiprocessors, and cores of each
  double c = 1;
  double milliseconds = 0;
  std::optional<double> exhaustive_ms = {};
  friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};

/// What is taken for lambda where it cannot be fitted.
inline constexpr double kAssumedLambda = 1;

/// The cost model beside a run. n is the side of a square with as many pixels, A the dwell limit.
struct ModelFit {
  CostProblem problem;  ///< with P fitted, and lambda fitted or assumed
  /// P was fitted: splits over regions on all levels but the last. Not where there is only one level.
  bool p_fitted = false;
  /// lambda was fitted: the cost of a split that makes the model's ratio the measured one. Not without a time
  /// of the exhaustive method, nor where the run was faster than the model is with splits for nothing (lambda
  /// is then 0).
  bool lambda_fitted = false;
  bool faster_than_model = false;
  std::optional<double> predicted;  ///< nothing where g r B leaves the model no level
  std::optional<double> measured;   ///< time of the exhaustive method over the run's
};

ModelFit fit_model(const MeasuredRun& run);

}  // namespace loom::app
