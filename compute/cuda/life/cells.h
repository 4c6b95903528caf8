#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/map/map_kind.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {

// Kernels over cells in canonical order, each enqueued on a stream. `cells` is a generation in the map's
// storage.

/// Sets every cell of the random start.
void fill_random(MapKind map, const BlockedFractal& fractal, std::uint8_t* cells, std::uint64_t seed,
                 std::uint64_t threshold, const Stream& stream);

/// Adds the population to totals[0] and the state hash to totals[1] (device memory).
void add_census(MapKind map, const BlockedFractal& fractal, const std::uint8_t* cells,
                unsigned long long* totals, const Stream& stream);

/// Copies cells [first, first + count) into or out of `dense` (device memory, one byte a cell).
void gather_cells(MapKind map, const BlockedFractal& fractal, const std::uint8_t* cells, std::uint64_t first,
                  std::uint64_t count, std::uint8_t* dense, const Stream& stream);
void scatter_cells(MapKind map, const BlockedFractal& fractal, std::uint8_t* cells, std::uint64_t first,
                   std::uint64_t count, const std::uint8_t* dense, const Stream& stream);

}  // namespace loom::cuda
