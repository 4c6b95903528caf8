#pragma once

#include "app/shell/dock.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// The cost of a computation: median, p95 and ratio to the exhaustive method; with enough room also the
/// method, the work, the levels and the stages of the frame.
void mandelbrot_metrics(MandelbrotEdit& edit, const MandelbrotStats& now, const DockSpace& room);

/// A table row and a timeline bar for each device that computed a part of the image. Draws nothing for a
/// single device.
void dwell_devices(const MandelbrotStats& now);

}  // namespace loom::app
