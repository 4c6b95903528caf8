#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/pixel_lookup.h"
#include "compute/engine/progress_monitor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"

namespace loom::cpu {

/// Fills `pixels` (width x height kDensity16 values) with the contents of a viewport. Descends through the
/// replicas that overlap the view down to their tiles, so that the cost depends on the visible cells and
/// pixels, not on the level. Exact: every pixel counts exactly the cells that Viewport assigns to it (fewer
/// than 2^32, with 255 states fewer than 2^24). `counts` is scratch memory that the caller keeps, so that a
/// frame allocates no memory once it has grown. `monitor` may be null. Throws OperationCancelled, with some
/// of the pixels not updated.
void resolve(const MapMethod& method, const TiledFractal& fractal, std::uint8_t* cells,
             const Viewport& viewport, ProgressMonitor* monitor, std::uint16_t* pixels,
             std::vector<std::uint64_t>& counts);

/// Computes only the sums, for cells whose tiles are held: the number of cells of each pixel in the high half
/// of its count, the number of living ones, or the sum of their brightness(), in the low half.
void count_pixels(const MapMethod& method, const TiledFractal& fractal, std::uint8_t* cells,
                  const Viewport& viewport, ProgressMonitor* monitor, std::vector<std::uint64_t>& counts);

}  // namespace loom::cpu
