#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/shell/frame_times.h"

namespace loom::app {

/// Frame timing as JSON: {"stages": {"step": {"median": ms, "p95": ms, "mean": ms}, ...}, "fps": ...}; null
/// for a stage without samples. Means count frames without a stage as 0, so they sum to the mean of "frame".
nlohmann::ordered_json timing_json(const FrameTimes& times);

/// Frame timing as an aligned table for a terminal.
std::string timing_table(const FrameTimes& times);

}  // namespace loom::app
