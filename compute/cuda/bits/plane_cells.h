#pragma once

#include <cstdint>

#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/engine/plane_tree.h"
#include "compute/workload/game_of_life.h"

namespace loom {
struct LargeTiles;  // workload/larger_planes.h, which few of its users need
}

namespace loom::cuda {

// Operations on bit planes other than life: one thread per word, enqueued on a stream. `cells` is a
// generation in device memory, [first, first + count) are its words.

void fill_random_planes(const PlaneTree& tiles, std::uint8_t* cells, std::uint64_t first, std::uint64_t count,
                        std::uint64_t seed, std::uint64_t threshold, const Stream& stream);

/// Sets every cell to single_write_value() of its coordinate and `generation`.
void single_write_planes(const PlaneTree& tiles, std::uint8_t* cells, std::uint32_t generation,
                         const LaunchSlices& slices, const Stream& stream);

/// A generation of Larger than Life. The tables of `tiles` are device memory.
void step_larger_planes(const LargeTiles& tiles, std::uint8_t* now, std::uint8_t* next, const LifeRule& rule,
                        const LaunchSlices& slices, const Stream& stream);

/// Adds the population to totals[0] and the state hash to totals[1] (device memory).
void add_census_of_planes(const PlaneTree& tiles, const std::uint8_t* cells, std::uint64_t first,
                          std::uint64_t count, unsigned long long* totals, const Stream& stream);

/// Sets `sum` (device memory) to the sum of reduction_value() over all cells.
void reduce_planes(const PlaneTree& tiles, const std::uint8_t* cells, unsigned long long* sum,
                   const LaunchSlices& slices, const Stream& stream);

/// Counts the living cells of each group.
void count_groups(const PlaneTree& tiles, const std::uint8_t* cells, std::uint16_t* living,
                  const Stream& stream);
/// Computes the living cells of each tree node above the groups, from those of the groups.
void count_tiles(const PlaneTree& tiles, const std::uint16_t* living, std::uint64_t* living_above,
                 const Stream& stream);

/// Launches the step's grid and adds its threads to counts[0], threads with a group to counts[1], thread
/// blocks to counts[2] and thread blocks with a group to counts[3].
void count_plane_threads(const BitPlanes& planes, unsigned long long* counts, const Stream& stream);

}  // namespace loom::cuda
