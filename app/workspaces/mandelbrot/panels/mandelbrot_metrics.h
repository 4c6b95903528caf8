#pragma once

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// The cost of a computation: method, work and levels; median, p95 and ratio to the exhaustive method; the
/// times of the program.
void mandelbrot_metrics(MandelbrotEdit& edit, const MandelbrotStats& now);

/// A table row and a timeline bar for each device that computed a part of the image. Draws nothing for a
/// single device.
void dwell_devices(const MandelbrotStats& now);

}  // namespace loom::app
