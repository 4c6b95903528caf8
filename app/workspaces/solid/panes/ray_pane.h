#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/shell/present.h"
#include "app/tasks/task.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/device/device.h"
#include "compute/solid/solid_engine.h"
#include "render/renderers.h"

namespace loom::app {

/// Everything that a pane has to show. It has no events: the pane finds out what must be computed for it.
struct RayRequest {
  SolidConfig config{.fractal = solid_catalog().front()};
  BackendSelection backend = {};
  CellSourceOf<3> cells = {};
  SolidLook look = {};
  SolidCamera camera = {};
  glm::ivec2 size{0};  ///< of the picture, in pixels
  int divisor = 1;     ///< of its resolution
  bool count = false;  ///< count the living cells
  // Set by the pane.
  const SolidEngine* source = nullptr;  ///< has the cells already and must not run meanwhile
  MemorySpace image_space = MemorySpace::kHost;

  bool same_field(const SolidConfig& other) const {
    return config.level == other.level && config.fractal == other.fractal;
  }
  /// The rays of the picture in its resolution.
  SolidView view() const {
    return view_of(config, look, camera, glm::max((size + divisor - 1) / divisor, 1));
  }
};

struct RayResult {
  std::uint64_t generations = 0;  ///< of the cells before, without those that began with a start
  double step_milliseconds = 0;   ///< of all of them
  StepReport trace = {};
  SolidImage image = {};  ///< valid until the next request
};

/// The engine of a pane, for AsyncEngine. It is built when a request needs another one; the cells are
/// transferred if fractal and level stay.
class RayEngine {
 public:
  using Outcome = EngineOutcome<RayRequest, RayResult>;

  double expected_ms(const RayRequest& request) const;
  std::string activity(const RayRequest& request) const;
  const std::string& out_of_memory(const RayRequest& request);
  void update(const Outcome& outcome);
  void set_monitor(ProgressMonitor* monitor) { monitor_ = monitor; }
  bool begin(const RayRequest& request, RayResult& result);
  void end(const RayRequest&, RayResult&) {}
  SolidEngine& engine() { return *engine_; }

  // The state after the last request.
  bool has_engine() const { return has_engine_; }
  const SolidConfig& config() const { return config_; }
  /// Not known if an interrupted copy left cells of unknown origin.
  const CellSourceOf<3>& cells() const { return cells_; }
  const std::string& backend_name() const { return backend_name_; }
  std::uint64_t generation() const { return generation_; }
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  /// The living cells, if they were counted since they changed; null: they were not.
  const Census* census() const {
    const auto& counted = census_.counted();
    return counted && counted->generation == generation_ ? &counted->census : nullptr;
  }
  /// The last count, of this or an earlier generation of the same run.
  const std::optional<CountedCensus>& last_count() const { return census_.counted(); }
  /// Whether the next generation should be counted while playing.
  bool count_is_due() const { return census_.due(generation_ + 1, true); }
  const ThreadCount& threads() const { return threads_; }
  /// The time per generation: of the last ones with this configuration.
  StageStats step() const { return step_times_.stats(); }
  /// Milliseconds per picture; 0 before the first.
  double trace_ms() const { return trace_ms_; }
  /// Milliseconds per pixel.
  double pixel_ms() const { return pixel_ms_; }

 private:
  bool needs_engine(const RayRequest& request) const;
  void build(const RayRequest& request);

  std::unique_ptr<SolidEngine> engine_;
  BackendSelection backend_;
  ProgressMonitor* monitor_ = nullptr;
  // Written by a request, read by the owner afterwards.
  CellSourceOf<3> made_;
  std::optional<Census> counted_;
  double counted_ms_ = 0;
  ThreadCount counted_threads_;

  bool has_engine_ = false;
  SolidConfig config_{.fractal = solid_catalog().front()};
  CellSourceOf<3> cells_;
  std::string backend_name_;
  SolidConfig out_of_memory_of_;  ///< whose text the next member is: a frame does not allocate
  std::string out_of_memory_;
  std::uint64_t generation_ = 0;
  std::uint64_t allocated_bytes_ = 0;
  CensusSchedule census_;
  ThreadCount threads_;
  StepTimes step_times_;
  double trace_ms_ = 0;
  double pixel_ms_ = 2e-4;  ///< a guess before the first picture
};

/// A picture of cells by rays: an engine and a texture that follow requests. The previous picture stays until
/// the requested one is complete. The GL context must be current for every call and for the destructor.
class RayPane {
 public:
  /// `context` must outlive the pane.
  RayPane(const render::GraphicsContext& context, const BackendSelection& backend)
      : presenter_(context, backend) {}

  const RayEngine& state() const { return *engine_; }
  /// The engine of compute; only while not busy and with an engine.
  SolidEngine& engine() { return engine_.engine(); }
  bool busy() const { return engine_.busy(); }
  Progress progress() const { return engine_.progress(); }
  void cancel() { engine_.cancel(); }

  /// Whether the engine has these cells under this configuration.
  bool has_cells_of(const RayRequest& wanted) const;
  /// Whether the picture is the requested one; `full`: in full resolution.
  bool shows(const RayRequest& wanted, bool full) const;
  /// Whether nothing is left to do: all is there, or cannot be.
  bool is_done(const RayRequest& wanted) const;
  /// Why there is no engine for this request; empty if there is one or may be one.
  std::string_view problem_of(const RayRequest& wanted) const;

  /// Takes the outcome of work in the background, and assigns the time to `stage` and to kResolve. Cancels a
  /// finer resolution of a picture that is not wanted any more. Throws DeviceFault.
  const RayEngine::Outcome* follow(const RayRequest& wanted, TaskTimeout timeout, FrameClock& clock,
                                   Stage stage);
  /// Begins the work that is left, if the pane is idle, and takes its outcome if there is one yet. `source`:
  /// a pane that has the cells, which are copied where more than one generation is missing. Throws
  /// DeviceFault.
  const RayEngine::Outcome* advance(const RayRequest& wanted, RayPane* source, TaskTimeout timeout,
                                    FrameClock& clock, Stage stage);

  void draw(render::SolidRenderer& renderer, const render::Rect<int>& target) const {
    if (shown_) presenter_.draw_solid(renderer, target);
  }
  /// Of the resolution that is shown.
  int divisor() const { return shown_ ? shown_->divisor : 1; }
  /// GPU time in milliseconds of an earlier transfer, returned once; nothing for uploads.
  std::optional<double> take_copy_milliseconds() { return presenter_.take_copy_milliseconds(); }
  const std::string& path() const { return presenter_.path(); }

 private:
  const RayEngine::Outcome* finish(TaskTimeout timeout, FrameClock& clock, Stage stage);
  void accept(const RayEngine::Outcome& outcome, FrameClock& clock);

  AsyncEngine<RayEngine> engine_{std::make_unique<RayEngine>()};
  Presenter presenter_;
  RayRequest request_;               ///< memory for the next one
  std::optional<RayRequest> shown_;  ///< of the picture in the texture
  std::string problem_;              ///< why `failed_` could not be built
  RayRequest failed_;
};

}  // namespace loom::app
