#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/explain/space_layout.h"
#include "app/gui/layout.h"
#include "app/shell/dock.h"
#include "app/shell/frame_times.h"
#include "app/widgets/picture.h"
#include "app/widgets/windows.h"
#include "app/workspaces/life/panels/basics_panel.h"
#include "app/workspaces/life/panels/scoreboard.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "app/workspaces/solid/scene/solid_settings.h"
#include "compute/map/map_method.h"
#include "render/palette.h"

namespace loom::app {

/// The thread of the selected cell under a configuration. Updated when the cell or the configuration changes.
class SelectedThread {
 public:
  void update(const SolidConfig& config, const std::optional<Coord3>& cell);
  /// Empty without a selected cell.
  const std::optional<explain::SolidThreadLocation>& location() const { return location_; }
  /// "tile ω (2, 0, 1), thread 37, thread block 5, byte 12,345"; empty without a selected cell.
  const std::string& text() const { return text_; }
  const std::vector<explain::SolidLambdaStep>& steps() const { return steps_; }
  /// The launch; only with a location.
  const explain::SolidThreadSpace& space() const { return *space_; }

 private:
  std::unique_ptr<explain::SolidThreadSpace> space_;
  std::optional<explain::SolidThreadLocation> location_;
  std::vector<explain::SolidLambdaStep> steps_;
  std::string text_;
};

/// The selected cell under each map.
using SelectedThreads = std::array<SelectedThread, kMapKinds.size()>;  ///< by MapKind

/// What the panels show of the workspace.
struct SolidStats {
  const RayEngine& runner;
  const BackendSelection& backend;
  const FrameTimes& frames;
  const render::Palette& palette;
  int divisor = 1;  ///< of the picture's resolution
  /// Of the selected cell, under the active map.
  const SelectedThread& selected;
  std::string_view problem;  ///< why the selected configuration does not run; empty if it does
};

/// The state of the panels between frames.
struct SolidPanelState {
  RuleField<SolidRule> rule = {};
  SolidConfig listed = {};  ///< whose tile sizes these are
  std::vector<std::uint32_t> tile_sizes = {};
};

/// The controls column.
void solid_panel(SolidPanelState& state, SolidSceneEdit& edit, const SolidStats& now, SolidCamera& camera);
/// Draws the legend over the picture: colours and launch.
void solid_legend(PictureLegend& legend, const Area& picture, const SolidSceneEdit& edit,
                  const SolidStats& now);
/// The line below the picture, on the cell under the cursor; returns its height.
float solid_caption(const Area& area, const SolidSceneEdit& edit, const SolidStats& now);
/// The thread of the selected cell, and lambda level by level for its tile.
void solid_thread_panel(SolidSceneEdit& edit, const SolidStats& now);
/// The metrics.
void solid_metrics(SolidSceneEdit& edit, const SolidStats& now);

/// One map in a comparison.
struct MapScore {
  MapKind map = MapKind::kBoundingBox;
  std::optional<double> step_ms = {};  ///< median time per generation
  std::optional<ThreadCount> threads = {};
  std::optional<std::uint64_t> bytes = {};
  std::optional<bool> identical = {};  ///< its cells to those of the active pane; empty while not counted
  std::string_view problem = {};       ///< why there are no cells
};
using MapScores = std::array<MapScore, kMapKinds.size()>;  ///< by MapKind

/// Arranges the panes of the three maps, by MapKind. Their pictures have the same size.
void layout_maps(const Area& area, float font_size, std::vector<PaneArea>& areas);

/// The headers of the panes: the map, and whether its cells are those of the active one. A click makes the
/// map the active one.
void map_headers(SolidSceneEdit& edit, const MapScores& scores, const std::vector<PaneArea>& areas);
/// The scores with the selected cell's thread, below the panes, or in the dock where there is no room.
void map_scores(const MapScores& scores, const SelectedThreads& selected, const std::vector<PaneArea>& areas);

}  // namespace loom::app
