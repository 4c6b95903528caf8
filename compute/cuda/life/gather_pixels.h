#pragma once

#include <cstdint>

#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

/// Enqueues an image in which every pixel counts the cells that it covers, for any storage. For few cells per
/// pixel, see covers_few_cells().
void gather_pixels(const StoredCells& cells, const DeviceViewport& view, std::uint16_t* pixels,
                   const Stream& stream);

/// The same for a partition in bytes: the number of held cells of each pixel in the high half, the number of
/// living ones in the low half.
void gather_counts(const StoredCells& cells, const DeviceViewport& view, unsigned long long* counts,
                   const Stream& stream);

}  // namespace loom::cuda
