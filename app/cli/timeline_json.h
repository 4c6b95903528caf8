#pragma once

#include <nlohmann/json.hpp>

#include "compute/engine/timeline.h"

namespace loom::app {

/// Add to a JSON object the summary of a timeline (clock, times, launches with occupancy, statistics) and its
/// data (workers and spans, each a list of numbers in the order of a list of names).
void add_timeline_summary(nlohmann::ordered_json& json, const Timeline& timeline);
void add_timeline_spans(nlohmann::ordered_json& json, const Timeline& timeline);

}  // namespace loom::app
