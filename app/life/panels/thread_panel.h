#pragma once

#include "app/life/scene/explained.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/widgets/number_field.h"

namespace loom::app {

/// State of the panel between frames.
struct ThreadPanelState {
  NumberFieldState thread;
  NumberFieldState cell;
  std::string problem;  ///< of the number that was typed last
};

/// The section about the selected thread: its position, the steps of lambda for its tile, and the memory
/// accesses of its warp. A typed index selects a thread or a cell. Returns the square of the lambda level
/// under the cursor, to mark it in the picture.
std::optional<teach::CellSquare> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeFacts& report, const Explained& explained);

}  // namespace loom::app
