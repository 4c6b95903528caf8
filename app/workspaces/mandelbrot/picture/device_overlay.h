#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/gui/layout.h"
#include "app/workspaces/mandelbrot/scene/dwell_runner.h"

namespace loom::app {

/// The colour of a device.
ImU32 colour_of_device(std::size_t device);

/// Tints the rows by the device that computed them. The picture begins at the corner of `area`; `scale` is
/// rows per unit.
void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPartition> parts);

}  // namespace loom::app
