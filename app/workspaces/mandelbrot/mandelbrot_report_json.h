#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// Adds the fields that lessons may use, for the picture at full resolution: counted regions, pixels and
/// iterations, measured times, and the cost model while it is shown. Unknown values are null.
void add_report(nlohmann::ordered_json& json, const MandelbrotStats& now);

}  // namespace loom::app
