#pragma once

#include <string>

#include "compute/custom_map/map_protocol.h"

namespace loom {

/// Compiles and runs a map on one CPU thread, and sends what happens. The process must be in a sandbox.
/// Throws std::bad_alloc.
void run_with_libtcc(const MapRunRequest& request, const std::string& code);

}  // namespace loom
