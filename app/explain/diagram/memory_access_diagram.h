#pragma once

#include <optional>

#include "app/explain/diagram/diagram.h"
#include "app/explain/warp_memory_access.h"

namespace loom::app::diagram {

/// The memory accesses of a warp in one generation: a row per request with its lanes, its 32-byte sectors,
/// and bytes requested and transferred; then a row per lane with its cell and the byte offsets that it writes
/// and reads. `launch` adds the average over the launch.
Diagram memory_access_diagram(const explain::WarpMemoryAccess& access,
                              const std::optional<explain::LaunchTraffic>& launch);

}  // namespace loom::app::diagram
