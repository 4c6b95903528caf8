#pragma once

#include <nlohmann/json.hpp>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app {

/// Add to a JSON object: what was computed, and what it cost (levels as a list).
void add_mandelbrot_config(nlohmann::ordered_json& json, const MandelbrotConfig& config,
                           const MandelbrotView& view);
void add_mandelbrot_report(nlohmann::ordered_json& json, const MandelbrotReport& report);

}  // namespace loom::app
