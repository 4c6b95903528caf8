#pragma once

#include "app/life/scene/explained.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"
#include "app/widgets/number_field.h"

namespace loom::app {

/// What the panel remembers between frames.
struct ThreadPanelState {
  NumberFieldState thread;
  NumberFieldState cell;
  std::string problem;  ///< of the number that was typed last
};

/// The dock's section about one thread: where it runs, the steps of lambda for its block with their numbers,
/// and what its warp reads and writes. Returns the level of lambda that the cursor is on, for the picture.
/// A number that the user types chooses the thread, or the cell.
std::optional<teach::CellSquare> thread_panel(ThreadPanelState& state, LifeEdit& edit,
                                              const LifeFacts& report, const Explained& explained);

}  // namespace loom::app
