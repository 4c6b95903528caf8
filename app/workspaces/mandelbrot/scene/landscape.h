#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// The cuts of a landscape: g and B in 2^1 .. 2^8, r in {2, 4, 8}.
inline constexpr std::array<std::uint32_t, 3> kLandscapeR = {2, 4, 8};
inline constexpr std::uint32_t kLandscapeSide = 8;
inline constexpr std::size_t kLandscapeCells = kLandscapeR.size() * kLandscapeSide * kLandscapeSide;
/// The combination at an index of the landscape, ordered by r, then g, then B.
CostCut landscape_cut(std::size_t cell);

/// One ratio per combination; empty where it is not known.
using LandscapeValues = std::vector<std::optional<double>>;
LandscapeValues model_landscape(CostRatio ratio, const CostProblem& problem);
/// Index of the highest value.
std::optional<std::size_t> best_cell(std::span<const std::optional<double>> values);

/// Measures the speedup of every combination over the exhaustive method at a view, in the background on an
/// engine of its own.
class Landscape {
 public:
  /// Longer side of the image in pixels: small on the CPU, so that it ends within seconds; a window's size on
  /// a GPU, where a small image would only measure launches.
  static constexpr int kCpuSide = 320;
  static constexpr int kCudaSide = 1024;

  /// Starts measuring. Throws MachineError.
  void start(const MandelbrotConfig& config, const ComplexView& view, glm::ivec2 picture,
             const BackendSelection& backend);
  /// Requests the end; finished measurements stay.
  void stop() { task_.cancel(); }
  bool running() const { return task_.running(); }
  /// Checks whether it has ended; waits up to `timeout`. Returns why it failed, once; otherwise an empty
  /// text. Throws DeviceFault.
  std::string poll(TaskTimeout timeout);

  /// Copies the values into `into`.
  void values(LandscapeValues& into) const;
  std::size_t done() const { return done_; }
  /// The measured view, with the size of the image.
  const std::optional<MandelbrotView>& view() const { return view_; }
  const MandelbrotConfig& config() const { return config_; }

 private:
  void measure(const BackendSelection& backend, ProgressMonitor& monitor);

  MandelbrotConfig config_;
  std::optional<MandelbrotView> view_;
  std::atomic<std::size_t> done_ = 0;
  std::array<std::atomic<double>, kLandscapeCells> ratios_{};  ///< 0: not measured
  Task<std::monostate> task_;  ///< last member: must end before the members it uses
};

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
