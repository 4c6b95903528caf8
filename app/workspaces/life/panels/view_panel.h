#pragma once

#include "app/palette/window/palette_editor.h"
#include "app/shell/view_rows.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the panel between frames.
struct ViewPanelState {
  TextSizeState text_size;
  PaletteEditor palette;
};

/// Palette, overlays, fit and text size.
void view_panel(ViewPanelState& state, LifeEdit& edit, const LifeStats& stats);

}  // namespace loom::app
