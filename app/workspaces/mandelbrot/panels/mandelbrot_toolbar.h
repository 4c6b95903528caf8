#pragma once

#include <cstddef>
#include <span>

#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/device/device.h"

namespace loom::app {

/// The groups of the toolbar: the method, one of three buttons, and Compare. The widths of its groups are in
/// font sizes.
std::span<const float> mandelbrot_toolbar_groups(bool brief);
void mandelbrot_toolbar_group(std::size_t group, bool brief, MandelbrotEdit& edit, const Device& device);

}  // namespace loom::app
