#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/json_reader.h"
#include "app/bench/mandelbrot_results.h"

namespace loom::app::bench {

/// One entry as a JSON object.
nlohmann::ordered_json mandelbrot_entry_json(const MandelbrotEntry& entry);
/// Throws InputError that names the wrong member.
MandelbrotEntry read_mandelbrot_entry(const JsonReader& json);

}  // namespace loom::app::bench
