#pragma once

#include <cstddef>
#include <span>

#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"

namespace loom::app {

/// State of the toolbar between frames.
struct LifeToolbarState {
  int level = -1;  ///< level under the slider while it is dragged; applied on release
  bool dragging = false;
};

/// Groups of the toolbar: playback and speed; the map; fractal and level; comparison and explanation. The
/// widths are in font sizes. `extra`: the fractal of --fractal-file, or null.
std::span<const float> life_toolbar_groups(bool brief);
void life_toolbar_group(std::size_t group, bool brief, LifeToolbarState& state, LifeEdit& edit,
                        const LifeStats& stats, const NbbFractal* extra);

}  // namespace loom::app
