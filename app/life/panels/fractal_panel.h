#pragma once

#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// What the panel remembers between frames.
struct FractalPanelState {
  int level = -1;  ///< under the slider while it is dragged; applied when it is let go
  bool dragging = false;
};

/// Which fractal and which level. `extra` is the fractal of --fractal-file, or null.
void fractal_panel(FractalPanelState& state, LifeEdit& edit, const LifeFacts& report,
                   const NbbFractal* extra);

}  // namespace loom::app
