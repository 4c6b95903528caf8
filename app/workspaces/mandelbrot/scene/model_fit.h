#pragma once

#include <optional>

#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// A measured run, as input of the fit.
struct MeasuredRun {
  CostRatio ratio = CostRatio::kWorkReduction;  ///< the ratio that is compared
  MandelbrotConfig config = {};
  MandelbrotReport report = {};
  double q = 1;  ///< number of multiprocessors; c: cores of each
  double c = 1;
  double milliseconds = 0;
  std::optional<double> exhaustive_ms = {};
  friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};

/// Value of lambda if it cannot be fitted.
inline constexpr double kAssumedLambda = 1;

/// The cost model fitted to a run. n is the side of a square with the same number of pixels, A the dwell
/// limit.
struct ModelFit {
  CostProblem problem;  ///< with P fitted, and lambda fitted or assumed
  /// Whether P was fitted (splits over regions on all levels except the last). False if there is only one
  /// level.
  bool p_fitted = false;
  /// Whether lambda was fitted: the cost of a split for which the model's ratio equals the measured one.
  /// False without an exhaustive time, or if the run is faster than the model with free splits (lambda is 0
  /// then).
  bool lambda_fitted = false;
  bool faster_than_model = false;
  std::optional<double> predicted;  ///< empty if g r B leaves no level
  std::optional<double> measured;   ///< exhaustive time over the time of the run
};

ModelFit fit_model(const MeasuredRun& run);

}  // namespace loom::app
