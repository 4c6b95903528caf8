#pragma once

#include <nlohmann/json.hpp>

#include "app/files/json_reader.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// Add the configuration, and the costs (levels as a list), to a JSON object.
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);

/// Read what was added. Throw InputError that names the wrong member; whether the precision can show the view
/// is not tested.
void read_mandelbrot_config(const JsonReader& json, MandelbrotConfig& config, MandelbrotView& view);
void read_mandelbrot_report(const JsonReader& json, MandelbrotReport& report);

}  // namespace loom::app
