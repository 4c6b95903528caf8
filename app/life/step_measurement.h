#pragma once

#include "app/shell/session.h"

namespace loom::app {

/// Milliseconds of one generation, write or sum of a configuration: the median of runs over at most about a
/// quarter of a second, on an engine of its own that starts at the settings' random start and is given up
/// afterwards. Throws as make_fractal_engine() does.
double measure_step(const FractalConfig& config, const BackendSelection& backend, const Settings& settings);

}  // namespace loom::app
