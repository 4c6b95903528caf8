#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/viewport.h"
#include "compute/engine/watch.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_method.h"

namespace loom::cpu {

/// Fills `pixels` (width x height kDensity16 values) with what a viewport shows. Walks down the replicas that
/// reach into view to their blocks, so the cost follows the visible cells and pixels, not the level. Exact:
/// every pixel counts just the cells that Viewport assigns to it (fewer than 2^32 of them). `counts` is
/// scratch space, kept by the caller so that a frame allocates nothing once it has grown. `watch` may be
/// null; throws Cancelled, which leaves a part of the pixels old.
void resolve(const MapMethod& method, const BlockedFractal& fractal, std::uint8_t* cells,
             const Viewport& viewport, Watch* watch, std::uint16_t* pixels,
             std::vector<std::uint64_t>& counts);

/// The sums behind it alone, of the cells whose blocks are held: cells of each pixel in the high half of its
/// count, living ones in the low half.
void count_pixels(const MapMethod& method, const BlockedFractal& fractal, std::uint8_t* cells,
                  const Viewport& viewport, Watch* watch, std::vector<std::uint64_t>& counts);

}  // namespace loom::cpu
