#pragma once

#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/shell/present.h"
#include "app/tasks/task.h"
#include "app/widgets/picture.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/core/stopwatch.h"
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

  bool same_picture(const RayRequest& other) const {
    return size == other.size && camera == other.camera && look == other.look && config == other.config &&
           cells == other.cells;
  }
  /// The rays of the picture in its resolution.
  SolidView view() const {
    return view_of(config, look, camera, glm::max((size + divisor - 1) / divisor, 1));
  }
};

struct RayResult {
  std::uint64_t generations = 0;  ///< of the cells before, without those that began with a start
  double step_milliseconds = 0;   ///< of all of them
  double trace_milliseconds = 0;
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

  // For RayPaneOf.
  static constexpr PixelFormat kFormat = PixelFormat::kSolid32;
  /// Whether it has these cells under this configuration.
  bool has_content_of(const RayRequest& wanted) const {
    return has_engine_ && config_ == wanted.config && cells_ == wanted.cells;
  }
  bool is_counted(const RayRequest& wanted) const { return !wanted.count || census() != nullptr; }
  /// Whether the wanted cells are copied from a pane that has them.
  bool copies(const RayRequest& wanted) const {
    const bool own = has_engine_ && config_ == wanted.config;
    return !own || (!cells_.patch_to(wanted.cells) && cells_.generations_to(wanted.cells).value_or(2) > 1);
  }
  /// Whether the problem of a failed request is that of another one.
  bool fails_like(const RayRequest& failed, const RayRequest& wanted) const {
    return failed.config == wanted.config && failed.backend.same_device(wanted.backend) &&
           (config_ != wanted.config || (failed.size == wanted.size && failed.cells == wanted.cells));
  }
  /// The problem of a cancelled request; empty if its configuration runs.
  std::string problem_of_cancelled(const RayRequest& request) const;

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

/// A picture by rays: an engine and a texture that follow requests. The previous picture stays until the
/// requested one is complete. The GL context must be current for every call and for the destructor.
///
/// `Engine` is one for AsyncEngine with a RayResult, and has the members of RayEngine that are for it.
template <typename Engine>
class RayPaneOf {
 public:
  using Outcome = typename Engine::Outcome;
  using Request = typename Outcome::Request;

  /// `context` must outlive the pane.
  RayPaneOf(const render::GraphicsContext& context, const BackendSelection& backend)
      : presenter_(context, backend) {}

  const Engine& state() const { return *engine_; }
  /// The engine of compute; only while not busy and with an engine.
  auto& engine() { return engine_.engine(); }
  bool busy() const { return engine_.busy(); }
  Progress progress() const { return engine_.progress(); }
  void cancel() { engine_.cancel(); }

  bool has_cells_of(const Request& wanted) const { return engine_->has_content_of(wanted); }
  /// Whether the picture is the requested one; `full`: in full resolution.
  bool shows(const Request& wanted, bool full) const {
    return shown_ && (!full || shown_->divisor == 1) && shown_->same_picture(wanted);
  }
  /// Whether nothing is left to do: all is there, or cannot be.
  bool is_done(const Request& wanted) const {
    if (!problem_of(wanted).empty()) return true;
    return has_cells_of(wanted) && shows(wanted, wanted.divisor == 1) && engine_->is_counted(wanted);
  }
  /// Why there is no engine for this request; empty if there is one or may be one.
  std::string_view problem_of(const Request& wanted) const {
    return !problem_.empty() && engine_->fails_like(failed_, wanted) ? std::string_view(problem_)
                                                                     : std::string_view();
  }

  /// Takes the outcome of work in the background, and assigns the time to `stage` and to kResolve. Cancels a
  /// finer resolution of a picture that is not wanted any more. Throws DeviceFault.
  const Outcome* follow(const Request& wanted, TaskTimeout timeout, FrameClock& clock, Stage stage) {
    if (problem_of(wanted).empty()) problem_.clear();  // it may be tried again once it is selected again
    if (!busy()) return nullptr;
    const Request& running = engine_.request();
    const bool only_finer = running.divisor == 1 && divisor() > 1 && has_cells_of(running);
    if (only_finer && !shows(wanted, false)) engine_.cancel();
    return finish(timeout, clock, stage);
  }
  /// Begins the work that is left, if the pane is idle, and takes its outcome if there is one yet. `source`:
  /// a pane that has the cells, which are copied where more than one generation is missing. Throws
  /// DeviceFault.
  const Outcome* advance(const Request& wanted, RayPaneOf* source, TaskTimeout timeout, FrameClock& clock,
                         Stage stage) {
    if (busy() || is_done(wanted)) return nullptr;
    request_ = wanted;
    request_.image_space =
        presenter_.is_for(wanted.backend) ? presenter_.preferred_space() : MemorySpace::kHost;
    if constexpr (requires { request_.source; }) {
      if (source != nullptr && !has_cells_of(wanted) && engine_->copies(wanted))
        request_.source = &source->engine();
    }
    engine_.begin(request_);
    return finish(timeout, clock, stage);
  }

  void draw(render::SolidRenderer& renderer, const render::Rect<int>& target) const {
    if (shown_) presenter_.draw_solid(renderer, target);
  }
  /// Of the resolution that is shown.
  int divisor() const { return shown_ ? shown_->divisor : 1; }
  /// GPU time in milliseconds of an earlier transfer, returned once; nothing for uploads.
  std::optional<double> take_copy_milliseconds() { return presenter_.take_copy_milliseconds(); }
  const std::string& path() const { return presenter_.path(); }

 private:
  const Outcome* finish(TaskTimeout timeout, FrameClock& clock, Stage stage) {
    const Outcome* const outcome = engine_.finish(timeout);
    const double image = outcome != nullptr ? outcome->result.trace_milliseconds : 0;
    if (engine_.in_background()) {
      const bool steps =
          outcome == nullptr ? !has_cells_of(engine_.request()) : outcome->result.generations > 0;
      clock.wait(steps ? stage : Stage::kResolve, engine_.waited_ms(), image);
    } else if (outcome != nullptr) {
      if (outcome->result.generations > 0) clock.part(stage, outcome->result.step_milliseconds);
      clock.part(Stage::kResolve, image);
    }
    if (outcome != nullptr) accept(*outcome, clock);
    return outcome;
  }
  void accept(const Outcome& outcome, FrameClock& clock) {
    const Request& request = outcome.request;
    problem_ = outcome.problem;
    if (outcome.cancelled) problem_ = engine_->problem_of_cancelled(request);
    if (!problem_.empty()) failed_ = request;
    const SolidImage& image = outcome.result.image;
    if (image.pixels == nullptr || outcome.cancelled || !problem_.empty()) return;
    const Stopwatch stopwatch;
    presenter_.use_backend(request.backend);
    presenter_.transfer({.pixels = image.pixels,
                         .format = Engine::kFormat,
                         .width = image.width,
                         .height = image.height,
                         .row_bytes = static_cast<std::size_t>(image.width) * sizeof(std::uint32_t),
                         .stream = image.stream});
    shown_ = request;
    clock.part(Stage::kTransfer, stopwatch.milliseconds());
  }

  AsyncEngine<Engine> engine_{std::make_unique<Engine>()};
  Presenter presenter_;
  Request request_;               ///< memory for the next one
  std::optional<Request> shown_;  ///< of the picture in the texture
  std::string problem_;           ///< why `failed_` could not be built
  Request failed_;
};
/// The picture of the cells of a three-dimensional fractal.
using RayPane = RayPaneOf<RayEngine>;

/// Moves a camera by the mouse: the wheel zooms, a drag turns the camera, and with Shift or another button
/// moves the picture.
class CameraMouse {
 public:
  /// Call it once in each frame. `over`: the mouse is over the picture; `zooms`: the wheel zooms.
  void update(SolidCamera& camera, const Area& area, glm::ivec2 picture, float scale, bool over, bool zooms);
  /// Whether a button is pressed that may drag, or drags.
  bool is_pressed() const { return button_ >= 0; }
  bool drags() const { return is_pressed() && dragged_ != glm::vec2(0); }
  /// Whether the button that is pressed may be a click.
  bool may_click() const { return is_pressed() && way_ < kClickWay; }
  /// Whether the left button was released without a drag, once.
  bool take_click() { return std::exchange(clicked_, false); }

 private:
  static constexpr float kClickWay = 4;  ///< a drag of fewer units is a click

  WheelZoom wheel_;
  int button_ = -1;
  bool pans_ = false;
  bool clicked_ = false;
  float way_ = 0;         ///< of the mouse since the button was pressed
  glm::vec2 held_{0};     ///< the part of the drag that may still be a click
  glm::vec2 dragged_{0};  ///< the drag so far
};

}  // namespace loom::app
