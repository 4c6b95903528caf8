#pragma once

#include <cstdint>

#include "compute/cuda/stream.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

// The boundary cells of a partition (geometry/partition.h), in lists with one byte per cell; enqueued. All
// memory is device memory.

/// The positions of the boundary cells and of their neighbours in a generation.
struct BoundaryCells {
  const std::uint64_t* places = nullptr;
  const std::uint64_t* beside = nullptr;
  std::uint64_t count = 0;
};

/// Computes the next states of the boundary cells into a list.
void step_boundary(const BoundaryCells& boundary, const std::uint8_t* now, std::uint8_t* list, LifeRule rule,
                   const Stream& stream);
/// Scatters a list to the cells' positions.
void scatter_boundary(const BoundaryCells& boundary, const std::uint8_t* list, std::uint8_t* next,
                      const Stream& stream);

/// list[i] = from[places[i]].
void gather_bytes(const std::uint8_t* from, const std::uint64_t* places, std::uint64_t count,
                  std::uint8_t* list, const Stream& stream);

}  // namespace loom::cuda
