#pragma once

#include "app/life/scene/explained.h"
#include "app/life/scene/life_facts.h"
#include "app/life/scene/life_settings.h"

namespace loom::app {

/// The dock's section about one thread: where it runs, the steps of lambda for its block with their numbers,
/// and what its warp reads and writes. Returns the level of lambda that the cursor is on, for the picture.
std::optional<teach::CellSquare> thread_panel(LifeEdit& edit, const LifeFacts& report,
                                              const Explained& explained);

}  // namespace loom::app
