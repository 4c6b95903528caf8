#pragma once

#include <imgui.h>

#include <algorithm>
#include <cstdint>
#include <glm/vec2.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/explain/colour_by.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/diagram/diagrams.h"
#include "app/explain/map_metrics.h"
#include "app/explain/space_layout.h"
#include "app/explain/thread_space.h"
#include "app/gui/layout.h"
#include "app/plot/window/save_figure.h"
#include "app/report/report_value.h"
#include "app/shell/frame_times.h"
#include "app/shell/present.h"
#include "app/shell/workspace.h"
#include "app/text/text.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "app/workspaces/life/scene/cell_statistics.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/life_view.h"
#include "render/camera.h"
#include "render/gl/object.h"

namespace loom {
struct MapResult;
}

namespace loom::app {

/// A diagram of device activity in one generation. It is rebuilt only for another recording or another width.
class DeviceTimelineView {
 public:
  /// Sets the recording to show, at the width of the rest of the window.
  void look_at(const DeviceTimeline& times, diagram::DeviceDiagramStyle look);
  /// Draws the diagram at the ImGui cursor.
  void show() const;
  /// One per device.
  const std::vector<DeviceTimeBreakdown>& shares() const { return shares_; }
  /// diagram::measurement_text().
  const std::string& measured() const { return measured_; }

 private:
  double milliseconds_ = 0;  ///< identifies the recording: no two take equally long to the nanosecond
  double plain_milliseconds_ = 0;
  float width_ = 0;
  std::optional<diagram::Diagram> drawing_;
  std::vector<DeviceTimeBreakdown> shares_;
  std::string measured_;
};

/// A method that was recorded or can be recorded.
struct RecordedMethod {
  const FractalConfig& config;
  const std::string& backend_name;
};

/// What content panes visualize.
struct PaneSubject {
  RecordedMethod method;  ///< of the active pane
  const explain::Colouring& colouring;
  const ThreadExplanation& explanation;
  const DeviceRecord* devices;  ///< null where the scene has one device
  bool several_devices;
  Work work;                                ///< of the engines
  const BackendSelection& backend;          ///< of the active pane
  const explain::MapStepTimes& step_times;  ///< of the maps under equal conditions, as far as known
};

/// Of what is computed for the kernel, where the rule is of Larger than Life.
inline constexpr const char* kOfEightNeighbours =
    "Requests, sectors and bytes are those of rules of 8 neighbours, not of Larger than Life";

/// What the user changes in content panes.
struct PaneResponse {
  int& neighbour;                             ///< whose ν steps are shown
  bool& record_devices;                       ///< set if the user requests a recording
  std::optional<explain::CellRect> square{};  ///< of the step under the cursor
};

/// A pane without cells and without an engine: it visualizes the method of the active pane. Most draw a
/// window in show(); others draw an image of their own in paint() and draw().
class ContentPane {
 public:
  virtual ~ContentPane() = default;

  virtual void place(const Area& area, float /*scale*/) { area_ = area; }
  const Area& area() const { return area_; }
  /// Whether it needs the tiles and threads of byte storage; for other storages it shows a note instead.
  virtual bool needs_tiles(const PaneSubject&) const { return true; }
  /// Draws the pane as a window with this identifier of ImGui.
  virtual void show(const char* /*id*/, const PaneSubject&, PaneResponse&) {}
  /// Handles the mouse over its image. Returns the point of the square whose thread is under the cursor.
  virtual std::optional<Coord64> update() { return std::nullopt; }
  /// Computes its image within a time slice of a frame, or completely if `waits`. `states` must outlive the
  /// pane.
  virtual void paint(const FractalConfig&, const explain::Colouring&, const CellStates& /*states*/,
                     const render::Palette&, bool /*waits*/) {}
  virtual void draw(ImDrawList&, const ThreadExplanation&) const {}
  /// The screen position of the explained thread in `space`; nothing if it does not show it.
  virtual std::optional<glm::vec2> marked_at(explain::Space, const ThreadExplanation&) const {
    return std::nullopt;
  }
  virtual bool is_animating() const { return false; }
  /// Whether it measures, so that no generation may run meanwhile.
  virtual bool pauses_scene() const { return false; }
  /// Cancels its work in the background on behalf of the user.
  virtual void cancel() {}
  virtual Progress progress() const { return {}; }
  /// Why nothing is shown, for the header; empty otherwise.
  virtual std::string problem() const { return {}; }

  /// True if the scene's next request should record a timeline.
  virtual bool requests_timeline() const { return false; }
  /// Takes a recording of the scene's method, or the reason why there is none.
  virtual void take_timeline(const RecordedMethod&, const LifeFrameResult&) {}
  /// The recorded assignment of thread blocks to workers; null if it does not belong to `now`.
  virtual std::shared_ptr<const explain::ThreadBlockWorkers> workers(const RecordedMethod& /*now*/) const {
    return nullptr;
  }

  /// Why there is no figure of it now; empty if there is.
  virtual std::string figure_problem() const { return {}; }
  /// Adds what the figure shows. Returns whether it needs the states of the cells.
  virtual bool add_to_figure(FigureJob&) const { return false; }
  /// Adds its state to the state report.
  virtual void add_state(nlohmann::ordered_json&, const ThreadExplanation&) const {}

 protected:
  Area area_;
};

/// A pane of one of the two files; null for what the other has, and for cells.
std::unique_ptr<ContentPane> make_thread_pane(PaneContent shows);
std::unique_ptr<ContentPane> make_timing_pane(PaneContent shows);

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

  /// Whether the engine has this configuration on these devices.
  bool runs(const FractalConfig& config, const BackendSelection& backend) const {
    return async_engine->config() == config && async_engine->backend().same_device(backend);
  }
  /// Whether it has not, and may get it.
  bool needs_engine(const FractalConfig& config, const BackendSelection& backend) const {
    return !runs(config, backend) && problem_of(config, backend).empty();
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
  void clear_problem() { failed_.reset(); }
  /// Cancels background work on behalf of the user.
  void cancel();
  /// Whether the user has cancelled the last request.
  bool was_cancelled() const { return cancelled_; }
  /// Cancels it in favour of other work.
  void yield() {
    if (async_engine.busy()) async_engine.cancel();
  }

  /// Sets the picture's area on the screen, and framebuffer pixels per ImGui unit.
  void place(const Area& area, float scale);
  const Area& area() const { return area_; }
  PictureView view() const;

  /// True if the view differs from that of the last requested image.
  bool view_changed() const { return requested_camera_ != camera; }
  /// Adds to a request what the pane lacks: an image of the current view, the count of threads, the record of
  /// devices.
  void complete(LifeFrameRequest& request);
  /// Calls AsyncEngine::begin() unless there is nothing to do; for a frame computed ahead, maps the texture
  /// first. The image is not copied after the work, because unmapping the texture makes OpenGL wait for all
  /// of it, including present() of the current frame (140 instead of 187 frames per second on an H200).
  void begin(const LifeFrameRequest& request);
  /// Calls AsyncEngine::finish(), takes the result, and assigns the time to its stages: that of the request
  /// if it ran within the frame, otherwise the wait for it. `active`: the pane is the active one.
  const LifeFrameOutcome* finish(TaskTimeout timeout, FrameClock& clock, bool active);
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

  CensusSchedule census;  ///< of the engine's cells
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
  void request_picture(LifeFrameRequest& request);
  void take(const LifeFrameOutcome& done, FrameClock& clock);
  /// Discards everything derived from the engine that was replaced.
  void engine_changed();

  Area area_;
  float scale_ = 1;
  bool stale_ = true;                               ///< the displayed image does not show the current cells
  bool cancelled_ = false;                          ///< by the user: the last request
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

/// Whether a pane and the scene had the same cells when both were last counted.
struct PaneAgreement {
  bool known = false;                  ///< both were counted at the same generation
  CountedCensus scene;                 ///< the scene's count at that time
  bool equal = false;                  ///< by population and state hash
  std::optional<std::uint64_t> count;  ///< number of cells that differ; only for small fields
  std::optional<Coord64> first;        ///< first differing cell in canonical order
};

/// The secondary panes. Panes with cells run the same cells by other methods: they start as copies of the
/// active pane and repeat its edits and generations at the same time. A pane that cannot be built shows the
/// reason, and the others continue. The other panes visualize the method of the active pane and have no
/// engine.
class SecondaryPanes {
 public:
  struct SecondaryPane {
    PaneSpec spec;
    // What it selects for the field and backend of the active pane.
    std::optional<FractalConfig> config;  ///< nothing: not known yet
    BackendSelection backend;
    std::unique_ptr<Pane> pane;            ///< for cells, once it was built
    std::unique_ptr<ContentPane> content;  ///< for other contents
    std::string problem;                   ///< why the pane does not run; empty if it does
    PaneAgreement agreement;
    ThreadExplanation explanation;  ///< the thread of this pane's launch for the selected point

    /// Whether it runs what it selects. Otherwise it is being built, or has a problem.
    bool runs() const { return pane && config && problem.empty() && pane->runs(*config, backend); }
    /// Whether it has these cells.
    bool has(const CellSource& cells) const { return runs() && pane->async_engine->cells().repeats(cells); }
  };

  explicit SecondaryPanes(const ShellServices& services) : services_(services) {}

  /// Sets the panes, in the order of their requests.
  void request(const std::vector<PaneSpec>& specs);
  std::vector<SecondaryPane>& all() { return panes_; }
  /// Number of panes with cells.
  std::size_t cell_pane_count() const {
    return static_cast<std::size_t>(std::ranges::count(
        panes_, PaneContent::kCells, [](const SecondaryPane& one) { return one.spec.shows; }));
  }
  const std::vector<SecondaryPane>& all() const { return panes_; }

  /// Sets the areas; the first one is that of the active pane.
  void place(const std::vector<PaneArea>& areas, float scale);
  /// Draws the panes that are windows.
  void show_contents(const PaneSubject& subject, PaneResponse& response);
  bool shows_threads_or_memory() const {
    return any([](const SecondaryPane& one) {
      return one.spec.shows == PaneContent::kThreads || one.spec.shows == PaneContent::kMemory;
    });
  }
  /// True if the scene's next request should record a timeline.
  bool needs_timeline() const { return any_content(&ContentPane::requests_timeline); }
  /// The recorded assignment of tiles to workers for `now`; null if no pane recorded it.
  std::shared_ptr<const explain::ThreadBlockWorkers> workers(const RecordedMethod& now) const;
  void take_timeline(const RecordedMethod& method, const LifeFrameResult& result);

  /// True while a pane works in the background; the active pane must not advance then.
  bool busy() const {
    return any([](const SecondaryPane& one) { return one.pane && one.pane->async_engine.busy(); });
  }
  /// True while a pane measures, so that no generation may run.
  bool pauses_scene() const { return any_content(&ContentPane::pauses_scene); }
  /// True while an animation plays.
  bool is_animating() const { return any_content(&ContentPane::is_animating); }
  /// Starts to build the panes that do not match their requests or are out of step, one after another, from
  /// the active pane's engine, which must be idle while busy().
  void follow(const AsyncEngine<LifeEngine>& scene, FrameClock& clock);
  /// Starts the edits and generations of the active pane in each pane that has its cells `before` them, and
  /// requests their images. Work on devices starts first, each after the previous one, the first one after
  /// `after` (FrameRequest::after), and continues after this call returns; finish() takes its result.
  void begin(const LifeFrameRequest& scene, const CellSource& before, const FractalEngine* after,
             FrameClock& clock);
  /// Takes the results that are ready, waiting at most `timeout` for each.
  void finish(TaskTimeout timeout, FrameClock& clock);
  /// Compares the panes' counts with the scene's.
  void compare(const Pane& scene);
  /// Cancels running work on behalf of the user: panes that are being built are not built again until
  /// their method or the field changes.
  void cancel();
  Progress progress() const;

 private:
  template <typename Is>
  bool any(const Is& is) const {
    return std::ranges::any_of(panes_, is);
  }
  bool any_content(bool (ContentPane::*is)() const) const {
    return any([is](const SecondaryPane& one) { return one.content && (*one.content.*is)(); });
  }
  BackendSelection backend_of(const PaneSpec& spec, const BackendSelection& scene) const;
  bool is_selected_for(const SecondaryPane& one, const LifeEngine& scene) const;
  void select(SecondaryPane& one, const LifeEngine& scene) const;
  const std::vector<Device>& devices_of(const BackendSelection& first) const;
  void begin(SecondaryPane& one, const LifeFrameRequest& scene, const CellSource& before,
             const FractalEngine* after);
  static void finish(SecondaryPane& one, TaskTimeout timeout, FrameClock& clock);

  const ShellServices& services_;
  std::vector<Device> no_devices_;
  LifeFrameRequest request_;  ///< memory for the next one
  std::vector<SecondaryPane> panes_;
};

/// "λ, ρ 16, table": the method of a pane; with "emulated" if the backend emulates it, and "2 GPUs" or "2
/// devices" for several devices.
Text words_of(const FractalConfig& config, const Device& device, std::size_t devices = 1);

/// Input of the exported figures.
struct FigureScene {
  const Pane& scene;
  const SecondaryPanes& secondary_panes;
  const ThreadExplanation& explanation;  ///< the selected point's thread in the scene's launch
  const explain::Colouring& colouring;
  int neighbour = 4;
};

/// One source for the active pane and one per secondary pane, in this order.
std::vector<FigureSource> figure_sources(const FigureScene& scene);

/// Copies everything that the figure of a source needs. The engines must be idle. Throws InputError for a
/// field with more cells than can be copied within a frame.
FigureJob figure_job(const FigureScene& scene, std::size_t source);

// The parts of the state report that lessons use. A value is a row of one of the tables in life_report.cpp.

/// The scene, as the report reads it.
struct LifeScene {
  const Pane& pane;  ///< the active one
  const LifeSettings& settings;
  const Census* census = nullptr;  ///< of the current generation; null if it was not counted
  bool code_passed = false;        ///< the code of the custom map passes its exercise
};
void add_scene(nlohmann::ordered_json& json, const LifeScene& scene);
/// A secondary pane with cells.
void add_pane(nlohmann::ordered_json& json, const Pane& pane);
/// Its comparison with the scene.
void add_agreement(nlohmann::ordered_json& json, const PaneAgreement& agreement);
/// The explained thread as numbers: its position, the steps of lambda, and the memory accesses of its warp.
/// Null if no thread is explained.
nlohmann::ordered_json thread_numbers(const ThreadExplanation& explanation, const TileGrid& space);

/// What the custom map did, counted by the interpreter; null: nothing, its values are null.
void add_code_counts(nlohmann::ordered_json& json, const MapResult* ran);

/// The members of the report that these functions write.
void add_life_fields(ReportFields& fields);

}  // namespace loom::app
