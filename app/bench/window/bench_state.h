#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/bench/window/bench_panel.h"

namespace loom::app {

/// The state of the Benchmark panel, for the state trace.
nlohmann::ordered_json bench_state(const BenchPanelState& panel, const BenchSession& session, bool shown);

}  // namespace loom::app
