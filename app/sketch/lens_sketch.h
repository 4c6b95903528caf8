#pragma once

#include <optional>

#include "app/sketch/sketch.h"
#include "app/teach/warp_lens.h"

namespace loom::app::sketch {

/// The memory accesses of a warp in one generation: a row per request with its lanes, its 32-byte sectors,
/// and bytes requested and transferred; then a row per lane with its cell and the byte offsets that it writes
/// and reads. `launch`: the average over the launch, if known.
Sketch lens_sketch(const teach::WarpLens& lens, const std::optional<teach::LaunchTraffic>& launch);

}  // namespace loom::app::sketch
