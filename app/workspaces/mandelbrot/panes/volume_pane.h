#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/shell/workspace.h"
#include "app/tasks/task.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "compute/solid/volume_engine.h"

namespace loom::app {

/// A picture of samples that are complete.
struct VolumeRequest {
  std::shared_ptr<VolumeEngine> volume = {};
  VolumeSettings settings = {};
  SolidCamera camera = {};
  glm::ivec2 size{0};  ///< of the picture, in pixels
  int divisor = 1;     ///< of its resolution
  BackendSelection backend = {};
  MemorySpace image_space = MemorySpace::kHost;  ///< set by the pane

  bool same_picture(const VolumeRequest& other) const {
    return volume == other.volume && size == other.size && camera == other.camera &&
           settings.surface == other.settings.surface && settings.colouring == other.settings.colouring &&
           settings.cut_axis == other.settings.cut_axis && settings.cut == other.settings.cut &&
           settings.boxes == other.settings.boxes && settings.misses == other.settings.misses;
  }
};

/// Traces the rays of a volume, for RayPaneOf.
class VolumeTracer {
 public:
  using Outcome = EngineOutcome<VolumeRequest, RayResult>;

  double expected_ms(const VolumeRequest& request) const { return pixel_ms_ * pixels_of(request); }
  std::string activity(const VolumeRequest&) const { return {}; }
  const char* out_of_memory(const VolumeRequest&) const { return "out of memory for the picture"; }
  void update(const Outcome& outcome);
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  bool begin(const VolumeRequest& request, RayResult& result);
  void end(const VolumeRequest&, RayResult&) {}

  static constexpr PixelFormat kFormat = PixelFormat::kSolid32;
  bool has_content_of(const VolumeRequest&) const { return true; }
  bool is_counted(const VolumeRequest&) const { return true; }
  bool fails_like(const VolumeRequest& failed, const VolumeRequest& wanted) const {
    return failed.same_picture(wanted);
  }
  std::string problem_of_cancelled(const VolumeRequest&) const { return {}; }
  /// Milliseconds of the last picture, and per pixel.
  double trace_ms() const { return trace_ms_; }
  double pixel_ms() const { return pixel_ms_; }

 private:
  static double pixels_of(const VolumeRequest& request) {
    const glm::dvec2 size(request.size);
    return size.x * size.y / (request.divisor * request.divisor);
  }
  ProgressMonitor* monitor_ = nullptr;
  double trace_ms_ = 0;
  double pixel_ms_ = 1e-3;  ///< a guess before the first picture
};

/// A set in space by one method: its samples are computed in the background, coarse first, while the picture
/// shows the last ones.
class VolumePane {
 public:
  explicit VolumePane(const ShellServices& services)
      : services_(services), picture_(services.context, first_device(services.backend)) {}

  /// The work of one frame on the samples; begins some only if `may_begin`. Throws DeviceFault.
  void compute(const VolumeConfig& config, bool may_begin);
  /// Counts the samples that differ from the exhaustive method, once they are complete, on an engine of its
  /// own.
  void check() { check_requested_ = true; }
  /// Times the exhaustive method, then too.
  void measure_exhaustive() { timing_requested_ = true; }
  /// The work of one frame on the picture. `moves`: in this resolution; otherwise in the finest one in the
  /// end. Throws DeviceFault.
  void trace(const VolumeSettings& settings, const SolidCamera& camera, glm::ivec2 size, int divisor,
             bool moves, FrameClock& clock, Stage stage);
  void cancel();

  bool computing() const { return task_.running(); }
  bool is_refining() const { return task_.running() && job_kind_ == Job::kSamples; }
  Progress progress() const;
  /// Whether the samples are complete, or cannot be.
  bool is_done() const { return abandoned_ || (whole_ && !task_.running()); }
  /// Whether the picture is complete and of complete samples.
  bool is_whole() const {
    const bool lacks_misses = request_.settings.misses && !check_ended_;
    return whole_ && picture_.shows(request_, true) &&
           !(lacks_misses && wanted_.method != MandelbrotMethod::kExhaustive);
  }
  /// The samples shown; null before the first.
  const std::shared_ptr<VolumeEngine>& volume() const { return volume_; }
  /// Of complete samples.
  const std::optional<MandelbrotReport>& report() const { return report_; }
  const std::optional<VolumeDifferences>& differences() const { return differences_; }
  const std::optional<double>& exhaustive_ms() const { return exhaustive_ms_; }
  bool checking() const { return task_.running() && job_kind_ == Job::kCheck; }
  /// Whether they could be counted and were not yet.
  bool may_check() const {
    return whole_ && !check_requested_ && !check_ended_ && wanted_.method != MandelbrotMethod::kExhaustive;
  }
  const std::string& problem() const { return problem_; }
  const std::string& backend_name() const { return backend_name_; }
  std::string take_new_problem() { return std::exchange(new_problem_, {}); }
  RayPaneOf<VolumeTracer>& picture() { return picture_; }
  const RayPaneOf<VolumeTracer>& picture() const { return picture_; }

 private:
  enum class Job { kSamples, kCheck, kExhaustive };
  struct Computed {
    std::shared_ptr<VolumeEngine> volume;
    BackendSelection backend;
    MandelbrotReport report;
    std::optional<VolumeDifferences> differences;
  };
  void begin_job();
  void start(const VolumeConfig& config, Job kind);
  void take(Task<Computed>::Outcome& outcome);

  const ShellServices& services_;
  VolumeConfig wanted_;
  BackendSelection backend_;
  bool has_wanted_ = false;
  bool is_coarse_there_ = false;  ///< some samples of the wanted configuration are shown
  bool whole_ = false;            ///< all of them
  bool abandoned_ = false;        ///< cancelled or failed; not tried again
  bool check_requested_ = false;
  bool check_ended_ = false;
  bool timing_requested_ = false;
  VolumeConfig job_;  ///< of the running job, or the last one
  bool job_is_wanted_ = false;
  Job job_kind_ = Job::kSamples;
  std::shared_ptr<VolumeEngine> volume_;
  BackendSelection volume_backend_;
  std::optional<MandelbrotReport> report_;
  std::optional<VolumeDifferences> differences_;
  std::optional<double> exhaustive_ms_;
  std::string backend_name_;
  std::string problem_;
  std::string new_problem_;
  VolumeRequest request_;
  RayPaneOf<VolumeTracer> picture_;
  Task<Computed> task_;  ///< last member: ends before what it uses
};

}  // namespace loom::app
