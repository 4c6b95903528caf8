#pragma once

#include <imgui.h>

#include <glm/vec2.hpp>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "app/explain/colour_by.h"
#include "app/explain/map_metrics.h"
#include "app/explain/space_layout.h"
#include "app/explain/thread_space.h"
#include "app/gui/layout.h"
#include "app/plot/window/save_figure.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/life_engine.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

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
                     bool /*waits*/) {}
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

}  // namespace loom::app
