#pragma once

#include <variant>

#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// A configuration of either kind of sweep.
using Case = std::variant<MapCase, MandelbrotCase>;

}  // namespace loom::app::bench
