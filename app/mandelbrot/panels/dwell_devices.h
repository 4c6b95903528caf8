#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"

namespace loom::app {

/// A table row and a timeline bar for each device that computed a part of the image. Draws nothing for a
/// single device.
void dwell_devices(const MandelbrotFacts& now);

}  // namespace loom::app
