#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// What the Bench panel is doing, for the program's state.
nlohmann::ordered_json bench_state(const BenchPanelState& panel, const BenchSession& session, bool shown);

}  // namespace loom::app
