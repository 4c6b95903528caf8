#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "app/workspaces/life/panes/pane.h"
#include "app/workspaces/life/scene/thread_explanation.h"

namespace loom::app {

// The parts of the state report that lessons use, for the active pane and for secondary panes.

/// Launch and memory of a pane's method: counted tiles and threads (null before the count), bytes, and the
/// median time per generation in milliseconds.
void add_launch(nlohmann::ordered_json& json, const Pane& pane);

/// The explained thread as numbers: its position, the steps of lambda, and the memory accesses of its warp.
/// Null if no thread is explained.
nlohmann::ordered_json thread_numbers(const ThreadExplanation& explanation, const TileGrid& space);

}  // namespace loom::app
