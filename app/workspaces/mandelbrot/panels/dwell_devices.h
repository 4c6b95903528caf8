#pragma once

#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// A table row and a timeline bar for each device that computed a part of the image. Draws nothing for a
/// single device.
void dwell_devices(const MandelbrotStats& now);

}  // namespace loom::app
