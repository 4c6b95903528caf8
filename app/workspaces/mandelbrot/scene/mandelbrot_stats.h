#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/workspaces/mandelbrot/scene/autopilot.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "app/workspaces/mandelbrot/scene/landscape.h"
#include "app/workspaces/mandelbrot/scene/warp_divergence.h"
#include "compute/device/device.h"

namespace loom::app {

/// The point under the cursor.
struct HoveredPoint {
  glm::dvec2 point{0};
  glm::ivec2 pixel{0};
  std::optional<std::uint32_t> dwell;      ///< set if the picture belongs to this view
  std::optional<MandelbrotRegion> region;  ///< the smallest region around it, if regions are listed
};

/// Times of the current picture in addition to the dwells, in milliseconds.
struct MandelbrotTimes {
  std::optional<double> smooth;     ///< smooth dwells; empty with another colouring
  std::optional<double> histogram;  ///< reading back and counting the dwells
};

/// The data of the Mandelbrot workspace for its panels. References are valid during one frame.
struct MandelbrotStats {
  const BackendSelection& backend;
  const CudaStatus& cuda;
  std::size_t devices = 1;                ///< number of available devices
  std::span<const DwellPartition> parts;  ///< parts of the picture by device; empty with one device
  const std::string& backend_name;
  const FrameTimes& frames;  ///< frame times of the window
  ComplexView view;
  glm::ivec2 picture{0};
  Precision evaluator = Precision::kFloat;
  PrecisionGauge gauge;  ///< for the evaluator
  std::size_t views_behind = 0;
  std::size_t views_ahead = 0;
  const std::vector<TourStop>& tour;
  std::optional<std::size_t> tour_index;  ///< the last visited stop, while its view is unchanged
  bool has_picture = false;
  bool pictured = false;     ///< a picture is shown, possibly of another view
  bool is_outdated = false;  ///< the picture is older than the request, and no computation is running
  int divisor = 1;           ///< divisor of the resolution: 1, or n for one pixel per n x n
  int samples_per_axis = 1;  ///< samples per pixel on each axis
  std::optional<double> expected_ms;
  const std::optional<MandelbrotReport>& report;
  StageStats times;
  bool automatic = false;                          ///< method, g, r and B are tuned automatically
  bool searching = false;                          ///< a search is running
  const AutoTuner::TuningResult* found = nullptr;  ///< result for the current view; null without one
  std::optional<double> exhaustive_ms;
  const std::optional<DwellCheck>& check;
  std::span<const MandelbrotRegion> regions;
  int levels = 0;                  ///< number of levels of the listed regions
  std::optional<int> shown_level;  ///< the last drawn level; empty: all
  bool levels_play = false;
  MandelbrotTimes stages;
  const DivergenceCounts* divergence = nullptr;  ///< null while not counted
  std::optional<HoveredPoint> hovered;
  std::uint64_t exterior = 0;                        ///< number of pixels below the dwell limit
  std::uint32_t counted_limit = 0;                   ///< the dwell limit of that count
  CostRatio cost_ratio = CostRatio::kWorkReduction;  ///< the ratio that the cost model predicts
  std::optional<ModelFit> fit = {};                  ///< set while the cost model is shown
  std::span<const std::optional<double>> landscape_model = {};
  std::span<const std::optional<double>> landscape_measured = {};  ///< empty: not measured yet
  std::size_t landscape_done = 0;
  bool landscape_runs = false;
  bool landscape_stale = false;  ///< the measured landscape belongs to another view, method or limit
  std::optional<MandelbrotView> landscape_view = {};
  double frames_per_second = 0;

  /// Whether the picture is complete, was computed with this limit, and has no pixel below it.
  bool autopilot = false;
  bool searching_minibrot = false;
  bool tour_plays = false;
  std::optional<JuliaPoint> pinned = {};  ///< the point whose Julia set the inset keeps
  const Minibrot* minibrot = nullptr;     ///< that of the view; null where it was not searched
  bool nothing_escapes(std::uint32_t limit) const {
    return has_picture && divisor == 1 && counted_limit == limit && exterior == 0;
  }
};

/// Adds the cost model to the data of the panels: fitted to the current run, updated when that changes, with
/// the landscape if one was measured. The added data refers to this object.
class ModelStats {
 public:
  /// `ran` is the configuration of now.report, `measured_at` the view of the landscape. Adds nothing before
  /// there is a run with levels.
  void add_to(MandelbrotStats& now, const MandelbrotConfig& ran, const Landscape& landscape,
              const ComplexView& measured_at);

 private:
  std::optional<MeasuredRun> run_;
  ModelFit fit_;
  LandscapeValues model_;
  LandscapeValues measured_;
};

}  // namespace loom::app
