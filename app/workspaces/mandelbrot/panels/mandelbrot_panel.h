#pragma once

#include <cstddef>
#include <vector>

#include "app/shell/devices_row.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// State of the panel between frames: the device choices, and what they were built for.
struct MandelbrotPanelState {
  std::vector<DeviceCountOption> devices;
  std::size_t devices_available = 0;  ///< number of devices that `devices` was built for
  bool simulated = true;              ///< whether `devices` was built for simulated devices
};

/// The controls of the computation: method, scheme, parameters, precision, devices, backend, and
/// verification.
void mandelbrot_panel(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
