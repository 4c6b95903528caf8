#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/shell/frame_times.h"
#include "app/shell/present.h"
#include "app/workspaces/life/picture/device_raster.h"
#include "app/workspaces/life/picture/picture_mouse.h"
#include "app/workspaces/life/picture/picture_view.h"
#include "app/workspaces/life/picture/space_raster.h"
#include "app/workspaces/life/scene/async_engine.h"
#include "app/workspaces/life/scene/tile_grid.h"
#include "render/camera.h"
#include "render/gl/gpu_timer.h"

namespace loom::app {

/// One view of the cells: an engine with camera, tile space, texture, mouse state and times. Panes of a
/// workspace differ by method; cells, generation and rule are the same.
class Pane {
 public:
  /// `context` must outlive the pane. Throws as AsyncEngine does.
  Pane(const FractalConfig& config, const BackendSelection& backend, const RandomStart& start,
       const render::GraphicsContext& context);

  AsyncEngine async_engine;
  render::Camera camera;
  TileGrid space;
  PictureMouse mouse;
  Presenter presenter;

  /// Colours the cells by thread, tile and so on, if the colouring is not by state.
  void colour(const explain::Colouring& colouring, bool waits);
  void draw_colours(ImDrawList& list) const;
  /// The legend of these colours; null for colours by state.
  const explain::ColourLegend* legend() const { return colours_ ? &colours_->legend : nullptr; }
  /// Scratch memory for drawing the grid of tiles.
  std::vector<std::uint8_t>& grid_memory() const { return grid_memory_; }
  /// Its cells as a space of threads, made when first asked for.
  const explain::SpaceLayout& cells_layout() const;

  /// Call after the engine was replaced: discards everything derived from the old one.
  void engine_changed();
  /// Where the picture is on the screen, and framebuffer pixels of a unit of ImGui there.
  void place(const Area& area, float scale);
  const Area& area() const { return area_; }
  PictureView view() const { return {camera, area_, scale_}; }

  /// True if the displayed image does not show the current cells and view.
  bool stale() const { return stale_; }
  void set_stale() { stale_ = true; }
  /// The view is another than the last picture was asked for.
  bool view_changed() const { return requested_camera_ != camera; }
  /// Adds the request for an image of the current view to a job.
  void request_picture(LifeFrameRequest& request);
  /// Calls host.begin(); for a frame computed ahead, maps the texture first. The image is not copied after
  /// the work, because unmapping the texture makes OpenGL wait for all of it, including present() of the
  /// current frame (140 instead of 187 frames per second on an H200).
  void begin(const LifeFrameRequest& request, const AsyncEngine::BeginOptions& turn);
  /// Takes the result of a job: adds its times to the frame, and stores its image, cell and counts for
  /// display. `active`: the pane is the active one.
  void take(const LifeFrameResult& done, FrameClock& clock, bool active);
  /// An image that came of a job, not in the texture yet.
  bool has_image() const { return image_.has_value(); }
  /// It is not wanted any more.
  void drop_image() {
    if (image_) stale_ = true;
    image_.reset();
  }
  /// It goes into the texture, before the engine may write to it again.
  void transfer(FrameClock& clock);
  /// Onto the framebuffer.
  void draw(FrameClock& clock);

  /// Milliseconds of a generation as the engine measured the last ones.
  void add_step(const StepReport& step);
  StageStats generation_stats() const;
  void clear_step_times();
  const std::optional<StepReport>& last_step() const { return last_step_; }

  /// From the last job: the state of the cell under the cursor.
  std::optional<bool> probed;
  /// The threads of a launch by the engine's method, counted one by one; nothing before they were.
  std::optional<ThreadCount> threads;
  /// What each of several devices did in a generation, once it was recorded; nothing where there is one
  /// device.
  std::optional<DeviceRecord> devices;
  /// Whether the next job is to record that.
  bool needs_device_record() const {
    return async_engine.backend().devices() > 1 && has_picture() && !devices;
  }
  /// Whether there is a picture.
  bool has_picture() const { return has_picture_; }
  /// Why the picture is wrong, with tensor-fp16; empty where it is right.
  const std::string& wrong() const { return wrong_; }
  /// bit_layout_text() for bit-packed cells; otherwise empty.
  const std::string& in_bits() const { return in_bits_; }
  /// The highest level that memory had room for when the engine was built.
  int largest_level() const { return largest_level_; }

 private:
  static constexpr std::size_t kStepsKept = 240;
  Area area_;
  float scale_ = 1;
  bool stale_ = true;
  std::optional<NbbFractal> camera_fractal_;        ///< that the camera was last fitted to
  std::optional<render::Camera> requested_camera_;  ///< of the last picture that was asked for
  std::optional<ImageView> image_;
  render::Rect requested_field_;  ///< of the job under way: where the field lies in the image
  render::Rect shown_field_;      ///< of the texture
  bool has_picture_ = false;      ///< the texture has an image
  render::GpuTimer draw_timer_;
  std::vector<double> step_ms_;
  std::size_t next_step_ = 0;
  std::optional<StepReport> last_step_;
  std::string wrong_;
  std::string in_bits_;
  int largest_level_ = 0;
  struct Model {
    explicit Model(const FractalConfig& config) : threads(config), cells(threads, explain::Space::kCells) {}
    explain::ThreadSpace threads;
    explain::SpaceLayout cells;
  };
  struct Colours {
    explain::Colouring colouring;
    explain::ColourLegend legend;
    SpaceRaster raster;
    std::unique_ptr<DeviceRaster> devices;  ///< replaces it for colours by device
  };
  void colour_devices(const explain::Colouring& colouring, std::chrono::duration<double, std::milli> budget);
  mutable std::unique_ptr<Model> model_;  ///< of the engine that runs
  std::optional<Colours> colours_;
  mutable std::vector<std::uint8_t> grid_memory_;
};

}  // namespace loom::app
