#pragma once

#include <cstdint>

#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/picture_memory.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

/// Enqueues a picture in which every pixel counts the cells under it, in any storage: where that is few, see
/// covers_few_cells().
void gather_pixels(const StoredCells& cells, const DeviceViewport& view, std::uint16_t* pixels,
                   const Stream& stream);

/// The same of a part in bytes: of each pixel the cells held in the high half, the living in the low half.
void gather_counts(const StoredCells& cells, const DeviceViewport& view, unsigned long long* counts,
                   const Stream& stream);

}  // namespace loom::cuda
