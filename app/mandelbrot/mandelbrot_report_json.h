#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/mandelbrot/scene/mandelbrot_facts.h"

namespace loom::app {

/// What a lesson can ask of the picture that stands at full resolution: regions, pixels and steps as counted,
/// times as measured, and the cost model while it is shown. What is not known is null.
void add_report(nlohmann::ordered_json& json, const MandelbrotFacts& now);

}  // namespace loom::app
