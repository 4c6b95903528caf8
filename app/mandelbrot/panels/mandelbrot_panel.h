#pragma once

#include <cstddef>
#include <vector>

#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/shell/devices_row.h"

namespace loom::app {

/// What the panel remembers between frames: what it says of so many devices.
struct MandelbrotPanelState {
  std::vector<DeviceCount> devices;
  std::size_t there = 0;               ///< devices that these are about
  BackendKind on = BackendKind::kCpu;  ///< likewise
};

/// How dwells are computed: method, scheme, parameters, precision, devices, backend; and the check against
/// exhaustive.
void mandelbrot_panel(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotFacts& now);

}  // namespace loom::app
