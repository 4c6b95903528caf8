#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/cell_storage.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {

/// A generation in device memory and how its cells lie there.
struct StoredCells {
  const BlockedFractal& fractal;
  StoredAs stored;
  std::uint8_t* memory;
};

// Kernels over the cells [first, first + count) in canonical order, each enqueued on a stream. Of a part the
// first two are over those that are held, by their number in that order.

/// Sets cells to those of the random start; a threshold of 2^53 makes all alive.
void fill_random(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                 std::uint64_t threshold, const Stream& stream);

/// Adds the population to totals[0] and the state hash to totals[1] (device memory).
void add_census(const StoredCells& cells, std::uint64_t first, std::uint64_t count,
                unsigned long long* totals, const Stream& stream);

/// Copies cells into `dense` (device memory, one bit a cell): cell first + i is bit i % 32 of word i / 32,
/// and bits of the last word behind the last cell are 0.
void gather_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint32_t* dense,
                  const Stream& stream);
/// And out of `bits`, where cell first + i is bit i % 8 of byte i / 8; reads no byte behind the last cell's.
void scatter_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count,
                   const std::uint8_t* bits, const Stream& stream);

/// A cell to set, by where it is stored.
struct CellWrite {
  std::uint64_t at = 0;
  std::uint32_t order = 0;  ///< among the edits it came with
  std::uint32_t alive = 0;  ///< 0 or 1
};
/// Sets `count` cells, no two of them the same. `writes` is device memory.
void write_edits(const StoredCells& cells, const CellWrite* writes, std::uint64_t count,
                 const Stream& stream);

/// Writes the state of the cell at a place, 0 or 1, into page-locked host memory.
void load_cell(const StoredCells& cells, std::uint64_t at, std::uint8_t* state, const Stream& stream);

}  // namespace loom::cuda
