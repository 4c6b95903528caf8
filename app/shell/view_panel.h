#pragma once

#include "app/shell/edit.h"

namespace loom::app {

/// What the panel remembers between frames.
struct ViewPanelState {
  float ui_pixels = 0;  ///< under the slider while it is dragged: the font changes when it is let go
  bool dragging = false;
};

/// The choice of palettes, for either workspace.
void palette_choice(ViewSettings& view);

/// Palette, overlays, fit and text size.
void view_panel(ViewPanelState& state, Edit& edit);

}  // namespace loom::app
