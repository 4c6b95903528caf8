#pragma once

#include <vector>

#include "app/plot/window/save_figure.h"
#include "app/workspaces/life/panes/secondary_panes.h"

namespace loom::app {

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

}  // namespace loom::app
