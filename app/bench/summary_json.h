#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/statistics.h"
#include "app/files/json_reader.h"

namespace loom::app::bench {

/// A summary as a JSON object: median, min, p95, mean, noise (null for a single sample), samples.
nlohmann::ordered_json summary_json(const Summary& summary);
/// Throws InputError that names the wrong member.
Summary read_summary(const JsonReader& json);

}  // namespace loom::app::bench
