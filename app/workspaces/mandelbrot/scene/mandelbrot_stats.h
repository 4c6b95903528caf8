#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <glm/fwd.hpp>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"
#include "compute/backend/fastest_plan.h"
#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/cost_model.h"
#include "compute/mandelbrot/divergence.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/perturbation/nucleus.h"
#include "render/camera.h"

namespace loom::app {

class VolumePane;

/// The pixel of an image of dwells where neighbouring dwells differ most often, weighted by its distance from
/// the middle; nothing if all dwells are equal. `dwells` has size.x * size.y values.
std::optional<glm::ivec2> most_detail(std::span<const std::uint32_t> dwells, glm::ivec2 size);

/// Zooms towards detail by itself.
class Autopilot {
 public:
  void start() {
    running_ = true;
    last_.reset();
    target_.reset();
    aimed_at_.reset();
  }
  void stop() { running_ = false; }
  bool running() const { return running_; }

  /// The view after `seconds` more, or nothing if it waits for a picture. `view` is the current view; one
  /// that is not the last result stops the autopilot, because the user has moved it, and so does a picture of
  /// one dwell. `stopped` receives the reason.
  std::optional<ComplexView> advance(const ComplexView& view, glm::ivec2 picture, const DwellRunner& runner,
                                     double seconds, Precision precision, std::string_view& stopped);

 private:
  bool running_ = false;
  std::optional<ComplexView> last_;      ///< the last result
  std::optional<ComplexView> aimed_at_;  ///< view of the picture in which the target was found
  std::optional<glm::dvec2> target_;     ///< pixel of the current view
  std::vector<std::uint32_t> dwells_;
};

/// A stop of the tour.
struct TourStop {
  std::string name;
  std::string note;  ///< description; may be empty
  ComplexView view;
  Precision precision = Precision::kFloat;
  std::optional<std::uint32_t> dwell_limit;  ///< set if kDefaultDwellLimit is not sufficient
};

/// Reads [[view]] tables: name, re, im, width, and optionally note, precision ("float", "double") and dwell.
/// Throws InputError "FILE:LINE: what is wrong; what is allowed".
std::vector<TourStop> parse_tour(std::string_view text, std::string_view file);

/// The tour of assets/tour.toml.
const std::vector<TourStop>& built_in_tour();

/// A minibrot: a small copy of the set, around the nucleus of a component.
struct Minibrot {
  std::uint32_t period = 0;
  std::string size;  ///< about the width of its cardioid, a decimal number
  ComplexView view;  ///< shows all of it
};

/// Finds the minibrot of lowest period in a view, in the background. All calls must come from one thread.
class MinibrotSearch {
 public:
  using Outcome = Task<std::optional<Nucleus>>::Outcome;

  /// Starts a search for periods up to `max_period`; one that runs is cancelled first.
  void start(const ComplexView& view, glm::ivec2 picture, std::uint32_t max_period);
  void cancel() { task_.cancel(); }
  bool running() const { return task_.running(); }
  double share() const { return task_.share(); }
  /// The outcome of a search that has ended, once; then found() is its minibrot, if there is one. Throws
  /// DeviceFault.
  std::optional<Outcome> poll(TaskTimeout timeout);
  /// The last minibrot that was found.
  const std::optional<Minibrot>& found() const { return found_; }
  std::uint32_t max_period() const { return max_period_; }

 private:
  std::optional<Minibrot> found_;
  std::uint32_t max_period_ = 0;
  double angle_ = 0;  ///< of the view
  Task<std::optional<Nucleus>> task_;
};

/// Finds the fastest method and parameters for the current view. Times candidates on its own engine and
/// thread while nothing else is computed.
class AutoTuner {
 public:
  /// The conditions of a search. Comparison ignores g, r, B and the method of the configuration.
  struct TuningProblem {
    MandelbrotConfig config;
    MandelbrotView view;
    BackendSelection backend;
    bool may_be_exhaustive = true;
    bool same(const TuningProblem& other) const;
  };
  /// The result of a search.
  struct TuningResult {
    TuningProblem what;
    DwellPlan plan;
    double milliseconds = 0;
    std::optional<double> exhaustive_ms;  ///< set if the exhaustive method was timed as well
    std::size_t timed = 0;                ///< number of candidates timed
  };

  /// Starts a search unless one for the same conditions is finished or running. A running search for other
  /// conditions is cancelled, and the new one starts with a later call. Throws MachineError.
  void request(const TuningProblem& what);
  /// Takes the result of a finished search; waits for it up to `timeout`. Returns true if there is a new
  /// result. Throws DeviceFault.
  bool poll(TaskTimeout timeout);
  /// Requests the end of the running search. It is not started again for the same conditions.
  void cancel();
  bool searching() const { return task_.running(); }
  /// Whether request() would start a search: none for these conditions has finished, with or without a
  /// result.
  bool needs_search(const TuningProblem& what) const { return !(searched_ && searched_->same(what)); }
  /// The last result if it is for `what`, otherwise null.
  const TuningResult* result_for(const TuningProblem& what) const;
  /// The last result for any conditions: the first guess for another view.
  const std::optional<TuningResult>& result() const { return result_; }

 private:
  std::unique_ptr<MandelbrotEngine> engine_;  ///< used by the thread while it searches
  BackendSelection engine_of_;
  std::optional<TuningProblem>
      searched_;  ///< conditions of the last finished search, with or without a result
  std::optional<TuningResult> result_;
  TuningProblem running_;                   ///< conditions of the running search
  Task<std::optional<TuningResult>> task_;  ///< last member: must end before the engine
};

/// Which levels of the subdivision are drawn: all, or those up to one level, stepped manually or played.
class LevelAnimation {
 public:
  static constexpr double kSecondsPerLevel = 0.9;

  /// Plays from the first level on, or stops playing.
  void toggle_playing();
  /// One level more (+) or fewer (-); stops playing.
  void step(int direction);
  void show_all();
  /// `seconds` is a clock. After the last level it starts over.
  void update(double seconds, int levels);

  std::optional<int> shown() const { return shown_; }
  bool playing() const { return playing_; }

 private:
  std::optional<int> shown_;
  bool playing_ = false;
  std::optional<double> since_;  ///< time when the current level was first shown
  int levels_ = 0;
};

/// Warp divergence of one picture, computed from its dwells on a background thread.
struct DivergenceCounts {
  Divergence exhaustive;  ///< divergence of the exhaustive method
  Divergence method;      ///< divergence of the current method: borders and leaves of regions
  bool exact = true;      ///< false if optimizations make the kernels run differently
  glm::ivec2 size{0};
  /// Per pixel, the fraction of idle lane-iterations of its warp (or of the thread block of its region), 0 to
  /// 254; 255 where the method computes nothing.
  std::vector<std::uint8_t> share;
};

class WarpDivergence {
 public:
  /// The picture changed: drops the counts.
  void forget();
  /// Counts for the current image of an engine, unless this is done or running. Reads the dwells immediately.
  /// `regions` are those of the picture, for a method that has them.
  void request(const MandelbrotEngine& engine, const MandelbrotConfig& config, glm::ivec2 size,
               std::span<const MandelbrotRegion> regions);
  /// Takes finished counts; waits for them if `waits`.
  void poll(bool waits);
  const std::optional<DivergenceCounts>& counts() const { return counts_; }
  bool busy() const { return task_.running(); }

 private:
  bool current_ = false;  ///< the finished or running counts belong to the current picture
  std::optional<DivergenceCounts> counts_;
  std::vector<std::uint32_t> dwells_;      ///< used by the task while it runs; kept for its memory
  std::vector<MandelbrotRegion> regions_;  ///< used by the task while it runs; kept for its memory
  Task<DivergenceCounts> task_;            ///< last member: must end before the members it uses
};

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
  int dimensions = 2;
  double q = 1;  ///< number of multiprocessors; c: cores of each
  double c = 1;
  double milliseconds = 0;
  std::optional<double> exhaustive_ms = {};
  friend bool operator==(const MeasuredRun&, const MeasuredRun&) = default;
};

/// Value of lambda if it cannot be fitted.
inline constexpr double kAssumedLambda = 1;

/// The cost model fitted to a run. n is the side of a square with the same number of pixels, or of a cube, A
/// the dwell limit.
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

/// The point under the cursor.
struct HoveredPoint {
  glm::dvec2 point{0};
  glm::ivec2 pixel{0};
  std::optional<std::uint32_t> dwell;      ///< set if the picture belongs to this view
  std::optional<MandelbrotRegion> region;  ///< the smallest region around it, if regions are listed
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
  // Milliseconds of the current picture in addition to the dwells.
  std::optional<double> smooth_ms;               ///< smooth dwells; empty with another colouring
  std::optional<double> histogram_ms;            ///< reading back and counting the dwells
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
  bool in_space = false;               ///< a set in space is shown
  const VolumePane* volume = nullptr;  ///< its active pane; null before the first frame
  bool may_refine = false;             ///< the picture shows a small part of the cube

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
  /// `ran` is the configuration of the report in `now`, `measured_at` the view of the landscape. Adds nothing
  /// before there is a run with levels.
  void add_to(MandelbrotStats& now, const MandelbrotConfig& ran, const Landscape& landscape,
              const ComplexView& measured_at);

 private:
  std::optional<MeasuredRun> run_;
  ModelFit fit_;
  LandscapeValues model_;
  LandscapeValues measured_;
};

/// The data of the point under the cursor. Its dwell is read back once per picture.
class PointUnderCursor {
 public:
  /// `pixel` is a position in the picture; empty if the cursor is elsewhere.
  void look(const std::optional<glm::dvec2>& pixel, const ComplexView& view, glm::ivec2 picture,
            const DwellRunner& runner);
  void picture_changed() { stale_ = true; }

  const std::optional<HoveredPoint>& hovered() const { return hovered_; }
  /// The last point under the cursor while the view shows it, otherwise the centre of the view.
  glm::dvec2 last() const { return last_; }

 private:
  std::optional<std::uint32_t> read_dwell(const HoveredPoint& point, glm::ivec2 picture,
                                          const DwellRunner& runner);

  std::optional<HoveredPoint> hovered_;
  bool stale_ = true;  ///< the picture changed after the dwell was read
  glm::dvec2 last_{0};
  std::vector<std::uint32_t> row_;
};

/// The orbit of a point in double precision: the point and the following ones while |z|^2 < 4, including the
/// first one outside. At most `limit` + 1 points, and at most `most`.
std::vector<glm::dvec2> orbit_of(const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit,
                                 std::size_t most);

}  // namespace loom::app
