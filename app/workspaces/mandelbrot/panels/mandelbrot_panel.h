#pragma once

#include <cstddef>
#include <span>
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

/// The groups of the toolbar: the method, one of three buttons, and Compare. The widths of its groups are in
/// font sizes.
std::span<const float> mandelbrot_toolbar_groups();
void mandelbrot_toolbar_group(std::size_t group, MandelbrotEdit& edit, const Device& device);

/// The controls of the computation: scheme, parameters, precision, devices, backend, and
/// verification.
void mandelbrot_panel(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
