#pragma once

#include <optional>

#include "app/sketch/sketch.h"
#include "app/teach/warp_lens.h"

namespace loom::app::sketch {

/// What a warp does to memory in one generation: a row a request with its lanes, the 32-byte sectors that
/// they touch and how much of what is moved is used; then a row a lane with its cell, the byte that it writes
/// and those that it reads. `launch`: the average over the launch, where it is known.
Sketch lens_sketch(const teach::WarpLens& lens, const std::optional<teach::LaunchTraffic>& launch);

}  // namespace loom::app::sketch
