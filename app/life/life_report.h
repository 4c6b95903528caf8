#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "app/life/panes/pane.h"
#include "app/life/scene/explained.h"

namespace loom::app {

// Parts of the program's state that a lesson can ask for: the scene's and each pane's.

/// What a pane's method launches and holds: blocks and threads as counted (null before they were), bytes, and
/// the median time of a generation.
void add_launch(nlohmann::ordered_json& json, const Pane& pane);

/// The thread that is explained, number by number: its place, the steps of lambda, its warp's memory. Null
/// where none is.
nlohmann::ordered_json thread_numbers(const Explained& explained, const BlockSpace& space);

}  // namespace loom::app
