#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/scene/complex_view.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app {

/// A request: what to compute.
struct DwellRequest {
  MandelbrotConfig config = {};
  ComplexView view = {};
  glm::ivec2 picture{0};
  bool every_frame = false;  ///< compute although nothing changed, and always at full resolution
  bool regions = false;      ///< list the regions
  bool smooth = false;       ///< compute smooth dwells as well

  bool same_picture(const DwellRequest& other) const {
    return config == other.config && view == other.view && picture == other.picture;
  }
};

/// The result of a comparison with the exhaustive method.
struct DwellCheck {
  DwellDifferences differences;
  double milliseconds = 0;
};

/// The exhaustive time of one view, in milliseconds.
struct ExhaustiveTime {
  EscapeTimeSet set;
  MandelbrotView view;
  std::uint32_t dwell_limit = 0;
  Precision precision = Precision::kFloat;
  std::string backend;
  double milliseconds = 0;
};

/// One piece of work for a request.
struct DwellJob {
  enum class Kind {
    kPicture,
    kSmooth,      ///< the smooth dwells of the current picture
    kCheck,       ///< compares the current picture with the exhaustive method
    kExhaustive,  ///< times the exhaustive method on an engine of its own
    kTimeline,  ///< records the computation on an engine of its own, with instrumented copies of the kernels
  };
  Kind kind = Kind::kPicture;
  DwellRequest request = {};
  int divisor = 1;         ///< one pixel of the image covers n x n pixels of the picture
  bool lists = false;      ///< list the regions
  bool is_repeat = false;  ///< of the current picture, whose counts and smooth dwells stay valid
};

/// The result of a job, by its kind.
struct DwellResult {
  MandelbrotReport report = {};
  ScaledHistogram histogram = {};
  double histogram_ms = 0;
  std::optional<double> smooth_ms = {};
  std::string dp_failure = {};   ///< why DP, which the request selects, does not work here
  bool out_of_capacity = false;  ///< the failure: more memory is needed than there is
  DwellCheck check = {};
  ExhaustiveTime exhaustive = {};
  std::shared_ptr<const Timeline> timeline = {};
};

using DwellOutcome = EngineOutcome<DwellJob, DwellResult>;

/// Executes the jobs of a MandelbrotEngine, for AsyncEngine.
class DwellEngine {
 public:
  using Outcome = DwellOutcome;

  /// Throws MachineError.
  explicit DwellEngine(const BackendSelection& backend);

  // These may be called while a job runs.
  /// Expected milliseconds of a picture at full resolution, from the last computation.
  std::optional<double> expected_ms(glm::ivec2 picture) const;
  double expected_ms(const DwellJob& job) const;
  static std::string activity(const DwellJob& job);
  static const char* out_of_memory(const DwellJob&) { return "out of memory for the picture"; }
  void update(const DwellOutcome& done);

  // The running job uses the rest.
  MandelbrotEngine& engine() { return *engine_; }
  const MandelbrotEngine& engine() const { return *engine_; }
  void set_monitor(ProgressMonitor* monitor);
  /// Executes the job; a device never continues it.
  bool begin(const DwellJob& job, DwellResult& result);
  void end(const DwellJob&, DwellResult&) {}

 private:
  void compute(const DwellJob& job, DwellResult& result);
  void time_exhaustive(const DwellRequest& request, ExhaustiveTime& result) const;
  std::shared_ptr<const Timeline> record(const DwellRequest& request) const;
  std::unique_ptr<MandelbrotEngine> make_engine() const;

  BackendSelection backend_;
  std::unique_ptr<MandelbrotEngine> engine_;
  ProgressMonitor* monitor_ = nullptr;
  std::optional<double> ns_per_pixel_;  ///< of the last picture
};

/// Longest time of a frame in milliseconds; above it, the picture is first computed at coarse resolution.
inline constexpr double kFrameBudgetMs = 50;
inline constexpr int kMaxDivisor = 8;
/// Number of computations of a finished picture, one per frame, so that a single disturbance does not spoil
/// the median. If a run takes longer than kFrameBudgetMs, there is only one.
inline constexpr std::size_t kTimedRuns = 3;

/// The part of an image that one of several devices computed.
struct DwellPartition {
  MandelbrotPartitionTime time;
  std::vector<RowRange> rows;
};

/// A recorded timeline, or the reason why there is none.
struct DwellRecording {
  std::uint64_t number = 0;  ///< counts recordings from 1
  DwellRequest request;      ///< request that was recorded
  std::string backend_name;
  std::shared_ptr<const Timeline> timeline;
  std::string problem;
};

/// Runs a Mandelbrot engine: chooses the resolution of each frame and keeps the measurements. A request for
/// another picture cancels background work. All calls must come from the window's thread.
class DwellRunner {
 public:
  /// Selects the backend of the engine. A different one restarts with an empty state, after background work
  /// has ended. Throws MachineError.
  void use_backend(const BackendSelection& backend);
  /// The backend of the engine that image() belongs to.
  const BackendSelection& backend() const { return backend_; }

  /// The work of one frame: computes the requested picture, or its next finer resolution, and waits for
  /// background work up to `timeout`. Returns true if there is a new picture. Without `every_frame`, an
  /// unchanged request does nothing. Throws DeviceFault; any other failure sets problem(), and the request is
  /// not retried until it changes. If DP fails, ASK is used, see dp_fallback_reason().
  bool advance(const DwellRequest& request, TaskTimeout timeout = kNoTimeout);

  /// Whether background work is running; engine() and image() must not be used then.
  bool busy() const { return async_engine_.busy(); }
  /// Of a picture: over all of its passes, from coarse to fine.
  Progress progress() const;
  /// Requests the end of background work; the previous picture stays. A cancelled picture is not restarted
  /// until the request changes.
  void cancel();
  /// Whether the last work ran in the background.
  bool ran_in_background() const { return async_engine_.in_background(); }

  /// The smooth dwells of the current picture if they were requested, otherwise its dwells. Only while not
  /// busy().
  ImageView image(MemorySpace space);
  bool is_smooth() const { return shown_smooth_; }
  /// The current picture's histogram, and the milliseconds for counting and smoothing.
  const ScaledHistogram& histogram() const { return histogram_; }
  double histogram_ms() const { return histogram_ms_; }
  /// Whether the last picture was counted and smoothed; a repeated computation of the same picture is not.
  bool counted_anew() const { return !shown_.is_repeat; }
  const std::optional<double>& smooth_ms() const { return smooth_ms_; }
  /// The size of the image in pixels.
  glm::ivec2 image_size() const { return image_size_; }
  const std::string& backend_name() const { return backend_name_; }

  bool has_picture() const { return has_picture_; }
  /// Whether the last requested picture was cancelled or failed; it is not restarted.
  bool is_abandoned() const { return failed_.has_value(); }
  /// Whether it was refused because it needs more memory than there is.
  bool is_refused() const { return is_abandoned() && out_of_capacity_; }
  /// Computes an abandoned picture after all.
  void try_again() { failed_.reset(); }
  /// Whether there is a picture at full resolution, timed often enough, and nothing is being computed.
  bool is_idle() const { return has_picture_ && divisor() == 1 && !busy() && timed_enough(); }
  /// 1: full resolution; n: one pixel of the image covers n x n pixels of the picture.
  int divisor() const { return shown_.divisor; }
  /// The request of the current picture; its config is what ran.
  const DwellRequest& request() const { return shown_.request; }
  MandelbrotEngine& engine() { return async_engine_.engine(); }
  const MandelbrotEngine& engine() const { return async_engine_.engine(); }
  bool has_engine() const { return async_engine_.has_engine(); }
  const std::string& problem() const { return problem_; }
  void clear_problem() { problem_.clear(); }
  /// Why ASK replaces the requested DP; empty if it does not.
  const std::string& dp_fallback_reason() const { return dp_fallback_reason_; }

  /// Report of the last computation of this picture at full resolution; empty before it.
  const std::optional<MandelbrotReport>& report() const { return report_; }
  /// The parts of the current picture by device; empty with one device.
  std::span<const DwellPartition> parts() const { return parts_; }
  /// Assigns the time of the frame for computing dwells, or for waiting for them, to `step`, and that for
  /// counting and smoothing to kResolve. Call it once per frame.
  void add_times(FrameClock& clock, Stage step);
  /// Times at full resolution since method, view or backend changed, except for runs that listed regions.
  StageStats times() const;
  void clear_times() {
    times_.clear();
    stats_.reset();
  }
  std::span<const MandelbrotRegion> regions() const { return regions_; }
  /// Changes whenever the regions change.
  std::uint64_t regions_number() const { return regions_number_; }
  /// Expected milliseconds of a frame at full resolution, from the last computation.
  std::optional<double> expected_ms(glm::ivec2 picture) const {
    return has_engine() ? async_engine_->expected_ms(picture) : std::nullopt;
  }

  // These do nothing without a picture at full resolution or while busy().
  /// Compares the picture with the exhaustive method.
  void check(TaskTimeout timeout = kNoTimeout) { begin_for_picture(DwellJob::Kind::kCheck, timeout); }
  const std::optional<DwellCheck>& checked() const { return check_; }
  /// Times the exhaustive method at the current view on its own engine: the median of up to three runs.
  void measure_exhaustive(TaskTimeout timeout = kNoTimeout) {
    begin_for_picture(DwellJob::Kind::kExhaustive, timeout);
  }
  /// The stored exhaustive time for this view, dwell limit, precision and backend.
  std::optional<double> exhaustive_ms() const;
  /// Records the computation of the picture on its own engine, with instrumented copies of the kernels.
  void record_timeline(TaskTimeout timeout = kNoTimeout) {
    begin_for_picture(DwellJob::Kind::kTimeline, timeout);
  }
  bool recording() const { return busy() && async_engine_.request().kind == DwellJob::Kind::kTimeline; }
  const std::optional<DwellRecording>& recorded() const { return recorded_; }

 private:
  bool timed_enough() const;
  int first_divisor(const DwellRequest& request) const;
  int next_divisor(const DwellRequest& request) const;
  bool begin(const DwellJob& job, TaskTimeout timeout);
  const DwellOutcome* finish(TaskTimeout timeout);
  void begin_for_picture(DwellJob::Kind kind, TaskTimeout timeout);
  bool take(const DwellOutcome& done);
  bool take_picture(const DwellOutcome& done);
  void clear_regions();

  BackendSelection backend_;
  std::string backend_name_;
  DwellJob shown_;  ///< the job of the current picture
  bool has_picture_ = false;
  ScaledHistogram histogram_;
  double histogram_ms_ = 0;
  std::optional<double> smooth_ms_;
  bool shown_smooth_ = false;
  glm::ivec2 image_size_{1, 1};
  double frame_step_ms_ = 0;   ///< of this frame, for add_times()
  double frame_image_ms_ = 0;  ///< the same, for counting and smoothing
  bool regions_listed_ = false;
  std::optional<DwellRequest> failed_;
  int coarsest_ = 1;              ///< divisor of the first pass of the requested picture
  bool out_of_capacity_ = false;  ///< why failed_ is set
  bool smooth_failed_ = false;    ///< the smooth dwells of this picture were cancelled or failed; not retried
  std::string problem_;
  std::string dp_fallback_reason_;
  std::optional<MandelbrotReport> report_;
  std::vector<double> times_;
  mutable std::vector<double> sorted_;
  mutable std::optional<StageStats> stats_;  ///< cache of times()
  std::vector<MandelbrotRegion> regions_;
  std::uint64_t regions_number_ = 0;
  std::vector<DwellPartition> parts_;
  std::optional<DwellCheck> check_;
  std::vector<ExhaustiveTime> exhaustive_;
  std::optional<DwellRecording> recorded_;
  AsyncEngine<DwellEngine> async_engine_;
};

}  // namespace loom::app
