#pragma once

#include <nlohmann/json.hpp>

#include "app/bench/json_reader.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// Adds the members common to files and program state: method, scheme, g, r, B, dwell limit.
void add_subdivision(nlohmann::ordered_json& json, const MandelbrotConfig& config);
/// Reads them. Throws InputError; the caller calls validate().
void read_subdivision(const bench::JsonReader& json, MandelbrotConfig& config);

/// Add the configuration, and the costs (levels as a list), to a JSON object.
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);

}  // namespace loom::app
