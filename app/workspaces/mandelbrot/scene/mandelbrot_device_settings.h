#pragma once

#include <cstddef>
#include <string>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/device/device.h"

namespace loom::app {

// Distribution of an image over devices. The number belongs to the scene; which devices are used depends on
// the machine.

/// Limits the number of devices to those present; colouring rows by device requires several. Returns a
/// message for the user if there are fewer than requested, otherwise an empty string.
std::string clamp_devices(MandelbrotSettings& settings, std::size_t there, const Device& device);

}  // namespace loom::app
