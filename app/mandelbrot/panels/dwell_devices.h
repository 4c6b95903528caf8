#pragma once

#include "app/mandelbrot/scene/mandelbrot_facts.h"

namespace loom::app {

/// Of a picture over several devices what each of them did: a table, and a lane each. Nothing of one device.
void dwell_devices(const MandelbrotFacts& now);

}  // namespace loom::app
