#include "compute/core/load_whole.h"
#include "compute/cuda/solid/solid_launch.cuh"
#include "compute/solid/solid_words.h"

namespace loom::cuda {
namespace {

/// Bounding box, and with several states lambda: each thread reads the neighbours of its cells from expanded
/// storage.
template <typename Rule>
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_life_box_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                          const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next, Rule rule) {
  const Coord3 size = map.tiled.size;
  const std::uint64_t slice = std::uint64_t{size.x} * size.y;
  for_each_solid_cell(map, layout, [&](std::uint32_t, Coord3 cell, std::uint64_t at) {
    const bool left = cell.x > 0;
    const bool right = cell.x + 1 < size.x;
    std::uint32_t living = 0;
    std::uint32_t own = 0;
#pragma unroll
    for (int dz = -1; dz <= 1; ++dz) {
      if ((dz < 0 && cell.z == 0) || (dz > 0 && cell.z + 1 == size.z)) continue;
#pragma unroll
      for (int dy = -1; dy <= 1; ++dy) {
        if ((dy < 0 && cell.y == 0) || (dy > 0 && cell.y + 1 == size.y)) continue;
        const std::uint8_t* const row =
            now + (at + static_cast<std::uint64_t>(static_cast<std::int64_t>(dz)) * slice +
                   static_cast<std::uint64_t>(static_cast<std::int64_t>(dy)) * size.x);
        if (left) living += living_of(rule, row[-1]);
        if (dz == 0 && dy == 0) {
          own = row[0];
        } else {
          living += living_of(rule, row[0]);
        }
        if (right) living += living_of(rule, row[1]);
      }
    }
    next[at] = static_cast<std::uint8_t>(next_state(rule, own, living));
  });
}

// Staged tiles: each group of threads stages the tiles that it works on with their halos, one word per point
// with one cell per tile. A thread then counts the neighbours of its cell in all these tiles at once. Rule
// says whether a cell is a byte or a bit of a word.

/// A range of the staged points of a tile.
struct StagedPoints {
  StagedPoints(const StagedPoint* points, std::uint32_t number)
      : at(points), count(number), group_of(std::max(number, 1u)) {}
  const StagedPoint* __restrict__ at;
  std::uint32_t count;
  FastDivisor<std::uint32_t> group_of;  ///< divides by count
};

/// The number of existing tiles of a group of threads; the last thread block of the grid may have fewer
/// tiles.
__device__ __forceinline__ std::uint32_t tiles_of_group(const SolidLayout& layout, std::uint32_t group) {
  const std::uint64_t first = first_tile(layout) + group * layout.rounds;
  if (first >= layout.grid_tiles) return 0;
  return static_cast<std::uint32_t>(min(std::uint64_t{layout.rounds}, layout.grid_tiles - first));
}

/// Stages `points` in the tiles of the thread block: `states_of(point, group)` gives the word of a point in
/// the tiles of a group of threads.
template <typename StatesOf>
__device__ __forceinline__ void stage(const SolidLayout& layout, std::uint32_t box_points,
                                      const StagedPoints& points, std::uint32_t* words,
                                      const StatesOf& states_of) {
  const std::uint32_t items = layout.groups * points.count;
  for (std::uint32_t item = threadIdx.x; item < items; item += blockDim.x) {
    const std::uint32_t group = layout.groups > 1 ? points.group_of.divide(item) : 0;
    const StagedPoint point = load_whole(points.at[item - group * points.count]);
    words[group * box_points + point.target] = states_of(point, group);
  }
}

/// Shifts the state of a cell in the next tile into a word from the top; aligned_word() then moves that of
/// the first tile to the lowest bit.
template <typename Rule>
__device__ __forceinline__ void append(std::uint32_t& word, std::uint32_t state) {
  word = __funnelshift_r(word, state, kBitsPerCell<Rule>);
}
/// The word of `count` appended states.
template <typename Rule>
__device__ __forceinline__ std::uint32_t aligned_word(std::uint32_t word, std::uint32_t count) {
  return count > 0 ? word >> (32 - count * kBitsPerCell<Rule>) : 0;
}

/// Clears the staged tiles.
__device__ __forceinline__ void clear(const SolidSharedMemory& memory, uint4* dynamic) {
  for (std::uint32_t i = threadIdx.x; i < memory.neighbours / 16; i += blockDim.x) dynamic[i] = uint4{};
}

/// The next states of the calling thread's cells, whose point in the tile is `in`.
template <typename Rule>
__device__ __forceinline__ std::uint32_t next_of_staged(const SolidMap& map, const SolidSharedMemory& memory,
                                                        const std::uint32_t* words, std::uint32_t group,
                                                        Coord3 in, const Rule& rule) {
  const std::uint32_t pitch = map.tiled.rho.x + 2;
  const std::uint32_t slice = pitch * (map.tiled.rho.y + 2);
  const std::uint32_t* const first = words + group * memory.box_points + in.z * slice + in.y * pitch + in.x;
  std::uint32_t around[kSolidWords];
#pragma unroll
  for (std::uint32_t z = 0; z < 3; ++z) {
#pragma unroll
    for (std::uint32_t y = 0; y < 3; ++y) {
      const std::uint32_t* const row = first + z * slice + y * pitch;
#pragma unroll
      for (std::uint32_t x = 0; x < 3; ++x) around[(z * 3 + y) * 3 + x] = row[x];
    }
  }
  return next_solid_word(rule, around);
}

/// Lambda on expanded storage, with staged tiles. At most 32 registers, as in compact.
template <typename Rule>
__global__ void __launch_bounds__(kMaxBlockThreads, 2)
    solid_life_lambda_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                             const __grid_constant__ SolidSharedMemory memory,
                             const __grid_constant__ StagedPoints staged,
                             const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                             const __grid_constant__ Rule rule) {
  extern __shared__ uint4 dynamic[];
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic);
  auto* const origins =
      reinterpret_cast<SolidOrigin*>(reinterpret_cast<std::uint8_t*>(dynamic) + memory.places);
  const Coord3 size = map.tiled.size;
  clear(memory, dynamic);
  for (std::uint32_t tile = threadIdx.x; tile < layout.tiles; tile += blockDim.x) {
    SolidOrigin origin;
    if (first_tile(layout) + tile < layout.grid_tiles) {
      const Coord3 place = map.place(first_tile(layout) + tile);
      origin.offset = index_in(size, map.cell(place, {}));
      for (std::uint32_t i = 0; i < kSolidSteps; ++i) {
        const Coord3 beside = neighbour_place(place, i);
        const bool inside =
            beside.x < map.tiled.grid.x && beside.y < map.tiled.grid.y && beside.z < map.tiled.grid.z;
        origin.inside |= static_cast<std::uint32_t>(inside) << i;
      }
    }
    origins[tile] = origin;
  }
  __syncthreads();
  const auto state = [&](std::uint32_t tile, const std::uint8_t* from, std::uint32_t neighbour) {
    const SolidOrigin origin = load_whole(origins[tile]);
    return origin.inside >> neighbour & 1u ? std::uint32_t{from[origin.offset]} : 0u;
  };
  stage(layout, memory.box_points, staged, words, [&](const StagedPoint& point, std::uint32_t group) {
    // A point before the tile has a negative offset from the tile's first point.
    const std::int64_t rows = (point.z - 1) * static_cast<std::int64_t>(size.y) + point.y - 1;
    const std::uint8_t* const from = now + rows * size.x + point.x - 1;
    std::uint32_t states = 0;
#pragma unroll 4
    for (std::uint32_t i = 0; i < layout.rounds; ++i)
      append<Rule>(states, state(group * layout.rounds + i, from, point.tile));
    return aligned_word<Rule>(states, layout.rounds);
  });
  __syncthreads();
  const SolidThread mine = solid_thread(layout);
  const SolidPosition position = map.position(mine.number);
  if (!position.present) return;
  std::uint32_t states = next_of_staged(map, memory, words, mine.group, position.at, rule);
  std::uint8_t* const to = next + index_in(size, position.at);
  const std::uint32_t tiles = tiles_of_group(layout, mine.group);
  for (std::uint32_t i = 0; i < tiles; ++i, states >>= kBitsPerCell<Rule>)
    to[origins[mine.group * layout.rounds + i].offset] = static_cast<std::uint8_t>(states & 1u);
}

/// Finds the numbers of the tiles around each tile of the thread block, as far as `wanted` has them.
__device__ __forceinline__ void find_neighbours(const SolidMap& map, const SolidLayout& layout,
                                                const SolidSharedMemory& memory, const Coord3* places,
                                                std::uint32_t wanted, std::uint32_t* neighbours) {
  const std::uint64_t first = first_tile(layout);
  const std::uint32_t rounds = memory.neighbour_rounds;
  const auto bits = static_cast<std::uint32_t>(__ffs(static_cast<int>(rounds))) - 1;
  const std::uint32_t items = layout.groups * kSolidSteps * rounds;
  for (std::uint32_t item = threadIdx.x; item < items; item += blockDim.x) {
    const std::uint32_t round = item & (rounds - 1);
    const std::uint32_t group = (item >> bits) / kSolidSteps;
    const std::uint32_t number = (item >> bits) - group * kSolidSteps;
    const std::uint32_t tile = group * layout.rounds + round;
    std::uint32_t found = kNoSolidTile;
    if (round < layout.rounds && first + tile < layout.grid_tiles) {
      if (number == kSolidSelf) {
        found = static_cast<std::uint32_t>(first + tile);
      } else if (wanted >> number & 1u) {
        found = static_cast<std::uint32_t>(map.tile_at(neighbour_place(places[tile], number)));
      }
    }
    neighbours[solid_neighbour(memory, group, number) + round] = found;
  }
}

/// The point that is `tile` tiles after a point of the first tile.
__device__ __forceinline__ const std::uint8_t* tile_after(const std::uint8_t* point, std::uint32_t tile,
                                                          std::uint32_t points_per_tile) {
  // mad.wide is one instruction; the compiler emits several.
  std::uint64_t address;
  asm("mad.wide.u32 %0, %1, %2, %3;"
      : "=l"(address)
      : "r"(tile), "r"(points_per_tile), "l"(reinterpret_cast<std::uint64_t>(point)));
  return reinterpret_cast<const std::uint8_t*>(address);
}

/// Copies the tiles of a thread block from or to shared memory.
__device__ __forceinline__ void copy_tiles(const std::uint8_t* __restrict__ from,
                                           std::uint8_t* __restrict__ to, std::uint32_t bytes) {
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x; i < bytes / 16; i += blockDim.x)
    reinterpret_cast<uint4*>(to)[i] = reinterpret_cast<const uint4*>(from)[i];
  // The last thread block may end within 16 bytes.
  for (std::uint32_t i = bytes / 16 * 16 + threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];
}

/// Compact, with staged tiles. Holes are 0 in both generations. At most 32 registers with whole tiles: more
/// thread blocks at once hide the latency of the loads.
template <typename Rule, bool kWholeTiles>
__global__ void __launch_bounds__(kMaxBlockThreads, kWholeTiles ? 2 : 1)
    solid_life_compact_kernel(const __grid_constant__ SolidLayout layout,
                              const __grid_constant__ SolidMap map,
                              const __grid_constant__ SolidSharedMemory memory,
                              const __grid_constant__ StagedPoints own,
                              const __grid_constant__ StagedPoints halo, std::uint32_t halo_tiles,
                              const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                              const __grid_constant__ Rule rule) {
  extern __shared__ uint4 dynamic[];
  auto* const bytes = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic);
  auto* const neighbours = reinterpret_cast<std::uint32_t*>(bytes + memory.neighbours);
  auto* const places = reinterpret_cast<Coord3*>(bytes + memory.places);
  std::uint8_t* const copies = bytes + memory.copies;
  const std::uint32_t points = map.tiled.points_per_tile();
  const std::uint64_t first = first_tile(layout) * points;
  const auto size = static_cast<std::uint32_t>(
      min(std::uint64_t{layout.tiles}, layout.grid_tiles - first_tile(layout)) * points);
  if constexpr (kWholeTiles) copy_tiles(now + first, copies, size);
  clear(memory, dynamic);
  find_places(map, layout, places);
  __syncthreads();
  stage(layout, memory.box_points, own, words, [&](const StagedPoint& point, std::uint32_t group) {
    const std::uint8_t* from =
        (kWholeTiles ? copies : now + first) + group * layout.rounds * points + point.source;
    const std::uint32_t tiles = tiles_of_group(layout, group);
    std::uint32_t states = 0;
#pragma unroll 8
    for (std::uint32_t i = 0; i < tiles; ++i, from += points) append<Rule>(states, *from);
    return aligned_word<Rule>(states, tiles);
  });
  find_neighbours(map, layout, memory, places, halo_tiles, neighbours);
  __syncthreads();
  stage(layout, memory.box_points, halo, words, [&](const StagedPoint& point, std::uint32_t group) {
    const std::uint32_t* const from = neighbours + solid_neighbour(memory, group, point.tile);
    const std::uint8_t* const source = now + point.source;
    const auto state = [&](std::uint32_t tile) {
      return tile != kNoSolidTile ? std::uint32_t{__ldg(tile_after(source, tile, points))} : 0u;
    };
    std::uint32_t states = 0;
#pragma unroll 2
    for (std::uint32_t i = 0; i < memory.neighbour_rounds; i += 4) {
      const uint4 four = *reinterpret_cast<const uint4*>(from + i);
      append<Rule>(states, state(four.x));
      append<Rule>(states, state(four.y));
      append<Rule>(states, state(four.z));
      append<Rule>(states, state(four.w));
    }
    return aligned_word<Rule>(states, memory.neighbour_rounds);
  });
  __syncthreads();
  const SolidThread mine = solid_thread(layout);
  const SolidPosition position = map.position(mine.number);
  if (position.present) {
    std::uint32_t states = next_of_staged(map, memory, words, mine.group, position.at, rule);
    std::uint8_t* to = (kWholeTiles ? copies : next + first) + mine.group * layout.rounds * points +
                       static_cast<std::uint32_t>(index_in(map.tiled.rho, position.at));
    const std::uint32_t tiles = tiles_of_group(layout, mine.group);
#pragma unroll 4
    for (std::uint32_t i = 0; i < tiles; ++i, states >>= kBitsPerCell<Rule>, to += points)
      *to = static_cast<std::uint8_t>(states & 1u);
  }
  if constexpr (kWholeTiles) {
    __syncthreads();
    copy_tiles(copies, next + first, size);
  }
}

/// Compact without staged tiles, and with several states: each thread reads the neighbours of its cells from
/// memory.
template <typename Rule>
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_life_compact_direct_kernel(const __grid_constant__ SolidLayout layout,
                                     const __grid_constant__ SolidMap map,
                                     const __grid_constant__ SolidSharedMemory memory,
                                     const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                                     Rule rule) {
  extern __shared__ uint4 dynamic[];
  auto* const bytes = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const places = reinterpret_cast<Coord3*>(bytes + memory.places);
  auto* const neighbours = reinterpret_cast<std::uint32_t*>(bytes + memory.neighbours);
  const Coord3 rho = map.tiled.rho;
  const std::uint32_t points = map.tiled.points_per_tile();
  const std::uint64_t first = first_tile(layout);
  find_places(map, layout, places);
  const SolidThread mine = solid_thread(layout);
  const SolidPosition position = map.position(mine.number);
  __syncthreads();
  find_neighbours(map, layout, memory, places, ~0u, neighbours);
  __syncthreads();
  if (!position.present) return;
  const Coord3 in = position.at;
  for (std::uint32_t i = 0; i < layout.rounds; ++i) {
    const std::uint32_t tile = mine.group * layout.rounds + i;
    if (first + tile >= layout.grid_tiles) return;
    std::uint32_t living = 0;
    std::uint32_t own = 0;
    for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
      Coord3 to = neighbour_place(in, n);
      const std::uint32_t number = take_neighbour_tile(to, rho);
      const std::uint32_t from = neighbours[solid_neighbour(memory, mine.group, number) + i];
      if (from == kNoSolidTile) continue;
      const std::uint8_t state = now[std::uint64_t{from} * points + index_in(rho, to)];
      if (n == kSolidSelf) {
        own = state;
      } else {
        living += living_of(rule, state);
      }
    }
    next[(first + tile) * points + index_in(rho, in)] =
        static_cast<std::uint8_t>(next_state(rule, own, living));
  }
}

}  // namespace

void step_solid(const SolidProgram& program, const std::uint8_t* now, std::uint8_t* next, SolidRule rule,
                const LaunchSlices& slices, const Stream& stream) {
  const SolidMap& map = program.map;
  const SolidSharedMemory& memory = program.memory;
  const StagedPoints all(program.staged, program.staged_points);
  const StagedPoints own(program.staged, map.tiled.tile_cells);
  const StagedPoints halo(program.staged + map.tiled.tile_cells,
                          program.staged_points - map.tiled.tile_cells);
  const auto lambda = [&](auto kernel, const auto& word_rule) {
    launch_solid(kernel, program, memory.bytes, slices, stream, map, memory, all, now, next, word_rule);
  };
  const auto compact = [&](auto kernel, const auto& word_rule) {
    launch_solid(kernel, program, memory.bytes, slices, stream, map, memory, own, halo, program.halo_tiles,
                 now, next, word_rule);
  };
  const auto box = [&]<typename Rule>(const Rule& of) {
    launch_solid(solid_life_box_kernel<Rule>, program, bytes_of_places(program), slices, stream, map, now,
                 next, of);
  };
  const auto direct = [&]<typename Rule>(const Rule& of) {
    launch_solid(solid_life_compact_direct_kernel<Rule>, program, memory.bytes, slices, stream, map, memory,
                 now, next, of);
  };
  if (rule.states > 2) return map.is_compact() ? direct(rule) : box(rule);
  const bool byte_cells = program.launch.tiling.rounds <= kByteRounds;
  const TwoStateRuleOf<3> two_states(rule);
  const SolidRuleMasks masks(two_states);
  switch (map.kind) {
    case MapKind::kBoundingBox:
      return box(two_states);
    case MapKind::kLambda:
      if (byte_cells) {
        lambda(solid_life_lambda_kernel<TwoStateRuleOf<3>>, two_states);
      } else {
        lambda(solid_life_lambda_kernel<SolidRuleMasks>, masks);
      }
      return;
    case MapKind::kCompact:
      if (!program.halo) {
        direct(two_states);
      } else if (memory.whole_tiles) {
        compact(solid_life_compact_kernel<SolidRuleMasks, true>, masks);
      } else if (byte_cells) {
        compact(solid_life_compact_kernel<TwoStateRuleOf<3>, false>, two_states);
      } else {
        compact(solid_life_compact_kernel<SolidRuleMasks, false>, masks);
      }
      return;
  }
}

}  // namespace loom::cuda
