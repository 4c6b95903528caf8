#pragma once

#include <cstddef>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/devices_row.h"
#include "app/shell/view_rows.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"

namespace loom::app {

/// State of the side panel between frames.
struct MandelbrotPanelState {
  std::vector<DeviceCountOption> devices;
  std::size_t devices_available = 0;  ///< number of devices that `devices` was built for
  bool simulated = true;              ///< whether `devices` was built for simulated devices
  Area method_header;                 ///< of Method details, for tests
  bool method_open = false;           ///< whether it is unfolded
  TextSizeState text_size;
};

/// What most users never set: tuning, subdivision, scheme, block shape, devices, backend. Folded at first,
/// with a summary.
void mandelbrot_method(MandelbrotPanelState& state, MandelbrotEdit& edit, const MandelbrotStats& now);

}  // namespace loom::app
