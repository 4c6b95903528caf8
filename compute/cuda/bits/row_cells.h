#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

// The bounding box in bit rows: one thread per word, enqueued on a stream. Words are device memory; `mask`
// has the points that are cells.

/// `is_full`: all points of the square are cells.
void step_rows(const BitRows& rows, bool is_full, const std::uint64_t* now, const std::uint64_t* mask,
               std::uint64_t* next, const LifeRule& rule, const LaunchSlices& slices, const Stream& stream);
void single_write_rows(const BitRows& rows, const std::uint64_t* mask, std::uint64_t* next,
                       std::uint32_t generation, const LaunchSlices& slices, const Stream& stream);
/// Sets `sum` (device memory) to the sum of reduction_value() over all cells.
void reduce_rows(const BitRows& rows, const std::uint64_t* now, unsigned long long* sum,
                 const LaunchSlices& slices, const Stream& stream);
/// Adds the step's threads to counts[0], threads with cells to counts[1], thread blocks to counts[2] and
/// thread blocks with cells to counts[3].
void count_row_threads(const BitRows& rows, const std::uint64_t* mask, unsigned long long* counts,
                       const Stream& stream);

/// Adds every word's cells to the pixels that cover them, in the high half of `counts`, and the living ones
/// in the low half; then writes the pixels.
void paint_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask,
                const DeviceViewport& view, unsigned long long* counts, std::uint16_t* pixels,
                const LaunchSlices& slices, const Stream& stream);

}  // namespace loom::cuda
