#pragma once

#include <cstddef>
#include <string>

#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "compute/backend/engine_factory.h"

namespace loom::app {

// Settings that share a picture out among devices. How many is the scene's; which they are is the machine's.

/// Settings that say more devices than there are get as many as there are; rows coloured by device need
/// several. Returns what the user is to be told where there are fewer; else empty.
std::string keep_devices_valid(MandelbrotSettings& settings, std::size_t there, BackendKind kind);

}  // namespace loom::app
