#pragma once

#include "app/widgets/number_field.h"
#include "app/workspaces/life/picture/thread_path.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

/// State of the panel between frames.
struct ThreadPanelState {
  NumberFieldState thread;
  NumberFieldState cell;
  std::string problem;  ///< error in the number that was typed last
};

/// The section about the selected thread: its position, the steps of lambda for its tile, and the memory
/// accesses of its warp. A typed index selects a thread or a cell. Returns the square of the lambda level
/// under the cursor, to mark it in the picture.
std::optional<explain::CellRect> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeStats& report, const ThreadExplanation& explanation,
                                              const ThreadPath& path);

}  // namespace loom::app
