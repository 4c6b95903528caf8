#pragma once

#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames.
struct FractalPanelState {
  int level = -1;  ///< level under the slider while it is dragged; applied on release
  bool dragging = false;
};

/// Fractal and level. `extra`: the fractal of --fractal-file, or null.
void fractal_panel(FractalPanelState& state, LifeEdit& edit, const LifeStats& report,
                   const NbbFractal* extra);

}  // namespace loom::app
