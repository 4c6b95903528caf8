#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/shell/frame_times.h"

namespace loom::app {

/// The timing figures: {"stages": {"step": {"median": ms, "p95": ms, "mean": ms}, ...}, "fps": ...}; null
/// where a stage has no samples. The means of a frame's parts, taken as 0 in frames without them, sum to that
/// of "frame".
nlohmann::ordered_json timing_json(const FrameTimes& times);

/// The same as an aligned table for a terminal.
std::string timing_table(const FrameTimes& times);

}  // namespace loom::app
