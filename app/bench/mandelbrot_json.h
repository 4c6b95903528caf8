#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/json_reader.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// What all files and the state name alike of a configuration: method, scheme, g, r, B, the dwell limit.
void add_subdivision(nlohmann::ordered_json& json, const MandelbrotConfig& config);
/// The same back. Throws InputError; validate() is the caller's.
void read_subdivision(const bench::JsonReader& json, MandelbrotConfig& config);

/// Add to a JSON object: what was computed, and what it cost (levels as a list).
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);

}  // namespace loom::app
