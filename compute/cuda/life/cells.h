#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {

/// A generation in device memory with its storage.
struct StoredCells {
  const TiledFractal& fractal;
  StorageFormat stored;
  std::uint8_t* memory;
  std::uint32_t states = 2;  ///< that cells may have
};

// Kernels over the cells [first, first + count) in canonical order, each enqueued on a stream. For a
// partition, the first two cover the held cells, by their number in that order.

/// Sets cells to the random start; a threshold of 2^53 makes all cells alive.
void fill_random(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint64_t seed,
                 std::uint64_t threshold, const Stream& stream);

/// Adds the population to totals[0] and the state hash to totals[1] (device memory).
void add_census(const StoredCells& cells, std::uint64_t first, std::uint64_t count,
                unsigned long long* totals, const Stream& stream);

/// Copies bit `plane` of the cells' states into `dense` (device memory, one bit per cell): cell first + i is
/// bit i % 32 of word i / 32; bits after the last cell are 0.
void gather_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                  std::uint32_t* dense, const Stream& stream);
/// Copies cells from `bits`, where cell first + i is bit i % 8 of byte i / 8. Reads no byte after the last
/// cell's. Plane 0 replaces the states, the others are added to them.
void scatter_cells(const StoredCells& cells, std::uint64_t first, std::uint64_t count, std::uint32_t plane,
                   const std::uint8_t* bits, const Stream& stream);
/// Sets those of `count` bytes to 0 that are `states` or more.
void drop_states(std::uint8_t* cells, std::uint64_t count, std::uint32_t states, const Stream& stream);

/// A cell to set, by its position in storage.
struct CellWrite {
  std::uint64_t at = 0;
  std::uint32_t order = 0;  ///< index of the edit, which orders several edits of a cell
  std::uint32_t state = 0;
};
/// Sets `count` different cells. `writes` is device memory.
void write_edits(const StoredCells& cells, const CellWrite* writes, std::uint64_t count,
                 const Stream& stream);

/// Writes the state of the cell at a position into page-locked host memory.
void load_cell(const StoredCells& cells, std::uint64_t at, std::uint8_t* state, const Stream& stream);

}  // namespace loom::cuda
