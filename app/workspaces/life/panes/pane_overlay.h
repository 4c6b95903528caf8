#pragma once

#include <imgui.h>

#include <optional>

#include "app/workspaces/life/edit/cell_editor.h"
#include "app/workspaces/life/panes/pane.h"
#include "app/workspaces/life/scene/cell_ages.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

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
