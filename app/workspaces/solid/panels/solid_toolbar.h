#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "app/widgets/windows.h"
#include "app/workspaces/solid/panes/ray_pane.h"
#include "app/workspaces/solid/scene/solid_selection.h"
#include "app/workspaces/solid/scene/solid_settings.h"

namespace loom::app {

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

/// The widths of the toolbar's groups, in font sizes. `brief`: buttons with an icon have no text.
std::span<const float> solid_toolbar_groups(bool brief);
void solid_toolbar_group(std::size_t group, SolidSceneEdit& edit, bool brief);

/// Arranges the panes of the three maps, by MapKind. Their pictures have the same size.
void layout_maps(const Area& area, float font_size, std::vector<PaneArea>& areas);

/// The headers of the panes: the map, and whether its cells are those of the active one. A click makes the
/// map the active one.
void map_headers(SolidSceneEdit& edit, const MapScores& scores, const std::vector<PaneArea>& areas);
/// Below each pane: time per generation, threads and memory as bars, with one scale for all panes and their
/// ratios to the bounding box, and the selected cell's thread.
void map_scores(const MapScores& scores, const SelectedThreads& selected, const std::vector<PaneArea>& areas);

/// Whether there is no room for the scores below the panes; then they are a section of the dock.
bool needs_map_score_section(const std::vector<PaneArea>& areas);
void map_score_section(const MapScores& scores, const SelectedThreads& selected);

}  // namespace loom::app
