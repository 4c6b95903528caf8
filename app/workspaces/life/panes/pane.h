#pragma once

#include <imgui.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/shell/present.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/picture/space_raster.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_view.h"
#include "app/workspaces/life/scene/thread_explanation.h"
#include "render/camera.h"
#include "render/gl/object.h"

namespace loom::app {

/// One view of the cells: an engine with camera, tile space, texture, mouse state and times. Panes of a
/// workspace differ by method; cells, generation and rule are the same.
class Pane {
 public:
  /// `context` must outlive the pane. Throws as first_engine() does.
  Pane(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start,
       const render::GraphicsContext& context);

  AsyncEngine<LifeEngine> async_engine;
  render::Camera camera;
  TileGrid space;
  PictureMouse mouse;
  Presenter presenter;

  /// Colours the cells by thread, tile and so on, if the colouring is not by state. Computes the colours
  /// within a time slice, or completely if `waits`.
  void colour(const explain::Colouring& colouring, bool waits);
  void draw_colours(ImDrawList& list) const;
  /// The legend of these colours; null for colours by state.
  const explain::ColourLegend* legend() const { return colours_ ? &colours_->legend : nullptr; }
  /// Scratch memory for drawing the grid of tiles.
  std::vector<std::uint8_t>& grid_memory() const { return grid_memory_; }
  /// The cells as a space of threads; built on first use.
  const explain::SpaceLayout& cells_layout() const;

  /// Whether the engine does not have this configuration on these devices, and may get it.
  bool needs_engine(const FractalConfig& config, const BackendSelection& backend) const {
    const LifeEngine& runs = *async_engine;
    return (runs.config() != config || !runs.backend().same_device(backend)) &&
           problem_of(config, backend).empty();
  }
  /// Whether the last request builds that engine.
  bool builds(const FractalConfig& config, const BackendSelection& backend) const {
    const auto& build = async_engine.request().build;
    return build && build->config == config && build->backend.same_device(backend);
  }
  /// Why the last build of this configuration failed; empty if it did not.
  std::string_view problem_of(const FractalConfig& config, const BackendSelection& backend) const {
    const bool failed = failed_ && failed_->config == config && failed_->backend.same_device(backend);
    return failed ? std::string_view(problem_) : std::string_view();
  }
  /// Takes why a build failed.
  void set_problem(const LifeFrameOutcome& done);
  void clear_problem() { failed_.reset(); }

  /// Call after the engine was replaced: discards everything derived from the old one.
  void engine_changed();
  /// Sets the picture's area on the screen, and framebuffer pixels per ImGui unit.
  void place(const Area& area, float scale);
  const Area& area() const { return area_; }
  PictureView view() const;

  /// True if the displayed image does not show the current cells and view.
  bool stale() const { return stale_; }
  void set_stale() { stale_ = true; }
  /// True if the view differs from that of the last requested image.
  bool view_changed() const { return requested_camera_ != camera; }
  /// Adds an image of the current view to a request.
  void request_picture(LifeFrameRequest& request);
  /// Calls AsyncEngine::begin(); for a frame computed ahead, maps the texture first. The image is not copied
  /// after the work, because unmapping the texture makes OpenGL wait for all of it, including present() of
  /// the current frame (140 instead of 187 frames per second on an H200).
  void begin(const LifeFrameRequest& request);
  /// Calls AsyncEngine::finish() and assigns the time to its stages: that of the request if it ran within the
  /// frame, otherwise the wait for it. `active`: the pane is the active one.
  const LifeFrameOutcome* finish(TaskTimeout timeout, FrameClock& clock, bool active);
  /// Takes the result of a frame: its step times, and its image and counts for display.
  void take(const LifeFrameOutcome& done);
  /// True if an image is not in the texture yet.
  bool has_image() const { return image_.has_value(); }
  /// Discards that image.
  void drop_image() {
    if (image_) stale_ = true;
    image_.reset();
  }
  /// Copies the image into the texture, before the engine may overwrite it.
  void transfer(FrameClock& clock);
  /// Draws the texture to the framebuffer.
  void draw(FrameClock& clock);

  /// Statistics of the time per generation over the last steps, as the engine measured them.
  StageStats generation_stats() const { return step_times_.stats(); }
  void clear_step_times();
  const std::optional<StepReport>& last_step() const { return last_step_; }

  /// The state of the cell under the cursor, from the last request.
  std::optional<std::uint8_t> probed;
  /// The threads of a launch by the engine's method, counted one by one; nothing before the count.
  std::optional<ThreadCount> threads;
  /// The activity of each device in a generation; nothing before the recording, or for one device.
  std::optional<DeviceRecord> devices;
  /// True if the next request should record `devices`.
  bool needs_device_record() const {
    return async_engine->backend().devices() > 1 && has_picture() && !devices;
  }
  bool has_picture() const { return has_picture_; }
  /// Why the image is wrong with tensor-fp16; empty if it is correct.
  const std::string& wrong() const { return wrong_; }
  /// bit_layout_text() for bit-packed cells; otherwise empty.
  const std::string& in_bits() const { return in_bits_; }
  /// The highest level that memory had room for when the engine was built.
  int largest_level() const { return largest_level_; }

 private:
  Area area_;
  float scale_ = 1;
  bool stale_ = true;
  std::optional<NbbFractal> camera_fractal_;        ///< the fractal that the camera was last fitted to
  std::optional<render::Camera> requested_camera_;  ///< of the last image that was requested
  std::optional<ImageView> image_;
  render::Rect<int> requested_field_;  ///< of the running request: where the field lies in the image
  render::Rect<int> shown_field_;      ///< of the displayed texture
  bool has_picture_ = false;           ///< the texture has an image
  render::GpuTimer draw_timer_;
  StepTimes step_times_;
  std::optional<StepReport> last_step_;
  std::string wrong_;
  std::string in_bits_;
  int largest_level_ = 0;
  std::optional<LifeBuild> failed_;  ///< the last build that failed
  std::string problem_;              ///< of it
  struct Model {
    explicit Model(const FractalConfig& config) : threads(config), cells(threads, explain::Space::kCells) {}
    explain::ThreadSpace threads;
    explain::SpaceLayout cells;
  };
  struct Colours {
    explain::Colouring colouring;
    explain::ColourLegend legend;
    SpaceRaster raster;
    std::unique_ptr<DeviceRaster> devices;  ///< replaces `raster` for colours by device
  };
  void colour_devices(const explain::Colouring& colouring, std::chrono::duration<double, std::milli> budget);
  mutable std::unique_ptr<Model> model_;  ///< of the current engine
  std::optional<Colours> colours_;
  mutable std::vector<std::uint8_t> grid_memory_;
};

/// Contents of the overlay of a pane's picture.
struct PaneOverlay {
  const LifeSettings& settings;                    ///< selects the grids
  const std::optional<PointInfo>& hovered;         ///< in any pane
  const ThreadExplanation& explanation;            ///< the selected point's thread in this pane's launch
  const std::optional<explain::CellRect>& marked;  ///< the square of a level of lambda
  std::optional<Coord64> differs = {};             ///< a cell that differs from the scene
  const CellEditor* editor = nullptr;              ///< selection and pattern to be placed
  const CellAges* ages = nullptr;                  ///< of the cells, while they are shown
  bool compares = false;                           ///< several panes show the same cells
  std::optional<Coord64> cursor = {};              ///< the keyboard's
};

/// Draws grids, the hovered cell and tile, the selected thread with its warp, marks, and the rubber band.
void draw_pane_overlay(ImDrawList& list, const Pane& pane, const PaneOverlay& overlay);

}  // namespace loom::app
