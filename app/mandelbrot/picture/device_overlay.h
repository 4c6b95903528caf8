#pragma once

#include <imgui.h>

#include <cstddef>
#include <span>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/dwell_runner.h"

namespace loom::app {

/// The colour of what a device computed.
ImU32 colour_of_device(std::size_t device);

/// Tints the rows that each device computed of a picture that begins at the corner of `area`, `scale` of its
/// rows a unit.
void draw_devices(ImDrawList& list, const Area& area, float scale, std::span<const DwellPart> parts);

}  // namespace loom::app
