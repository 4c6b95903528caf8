#include "compute/core/load_whole.h"
#include "compute/cuda/solid/solid_launch.cuh"

namespace loom::cuda {
namespace {

/// Bounding box: each thread reads the neighbours of its own cell from expanded storage.
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_life_box_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                          const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                          SolidRule rule) {
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
        if (left) living += row[-1];
        if (dz == 0 && dy == 0) {
          own = row[0];
        } else {
          living += row[0];
        }
        if (right) living += row[1];
      }
    }
    next[at] = static_cast<std::uint8_t>(next_state(rule, own, living));
  });
}

// Staged tiles: each group of threads stages the up to four tiles that it works on, one word per point with
// one byte per tile, together with their halos. A thread then adds the neighbours of its cell in four tiles
// at a time; sums are at most 27, so that no byte overflows.

/// The next states of a cell in four tiles, one byte each.
__device__ __forceinline__ std::uint32_t next_of_four(const std::uint32_t* at, std::uint32_t pitch,
                                                      std::uint32_t slice, SolidRule rule) {
  std::uint32_t sum = 0;
#pragma unroll
  for (int z = -1; z <= 1; ++z) {
#pragma unroll
    for (int y = -1; y <= 1; ++y) {
      const std::uint32_t* const row = at + z * static_cast<int>(slice) + y * static_cast<int>(pitch);
      sum += row[-1] + row[0] + row[1];
    }
  }
  const std::uint32_t own = *at;
  sum -= own;
  std::uint32_t next = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t counts = own >> (8 * i) & 1u ? rule.survival : rule.birth;
    next |= (counts >> (sum >> (8 * i) & 31u) & 1u) << (8 * i);
  }
  return next;
}

/// Stages the tiles of the thread block: `states_of(point, group)` gives the states of a point in the tiles
/// of a group of threads, one byte each.
template <typename StatesOf>
__device__ __forceinline__ void stage(const SolidLayout& layout, std::uint32_t box_points,
                                      const FastDivisor<std::uint32_t>& points_of_group,
                                      const StagedPoint* __restrict__ staged, std::uint32_t* words,
                                      const StatesOf& states_of) {
  for (std::uint32_t item = threadIdx.x; item < layout.groups * points_of_group.value(); item += blockDim.x) {
    const std::uint32_t group = layout.groups > 1 ? points_of_group.divide(item) : 0;
    const StagedPoint point = load_whole(staged[item - group * points_of_group.value()]);
    words[group * box_points + point.target] = states_of(point, group);
  }
}

/// Clears the staged tiles and the next states.
__device__ __forceinline__ void clear(const SolidSharedMemory& memory, uint4* dynamic) {
  for (std::uint32_t i = threadIdx.x; i < memory.neighbours / 16; i += blockDim.x) dynamic[i] = uint4{};
}

/// Lambda on expanded storage, with staged tiles. Each thread writes its cells.
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_life_lambda_kernel(const __grid_constant__ SolidLayout layout, const __grid_constant__ SolidMap map,
                             const __grid_constant__ SolidSharedMemory memory,
                             const __grid_constant__ FastDivisor<std::uint32_t> points_of_group,
                             const StagedPoint* __restrict__ staged, const std::uint8_t* __restrict__ now,
                             std::uint8_t* __restrict__ next, SolidRule rule) {
  extern __shared__ uint4 dynamic[];
  auto* const bytes = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic);
  auto* const places = reinterpret_cast<Coord3*>(bytes + memory.places);
  const Coord3 size = map.tiled.size;
  const Coord3 rho = map.tiled.rho;
  const std::uint64_t first = first_tile(layout);
  clear(memory, dynamic);
  find_places(map, layout, places);
  const SolidThread mine = solid_thread(layout);
  const SolidPosition position = map.position(mine.number);
  __syncthreads();
  stage(layout, memory.box_points, points_of_group, staged, words,
        [&](const StagedPoint& point, std::uint32_t group) {
          const Coord3 beside{point.x - 1u, point.y - 1u, point.z - 1u};
          std::uint32_t states = 0;
#pragma unroll
          for (std::uint32_t i = 0; i < kSolidRounds; ++i) {
            const std::uint32_t tile = group * layout.rounds + i;
            if (i >= layout.rounds || first + tile >= layout.grid_tiles) continue;
            const Coord3 at = map.cell(places[tile], beside);
            const bool inside = at.x < size.x && at.y < size.y && at.z < size.z;
            if (inside) states |= std::uint32_t{now[index_in(size, at)]} << (8 * i);
          }
          return states;
        });
  __syncthreads();
  if (!position.present) return;
  const std::uint32_t pitch = rho.x + 2;
  const std::uint32_t slice = pitch * (rho.y + 2);
  const Coord3 in = position.at;
  const std::uint32_t* const at =
      words + mine.group * memory.box_points + (in.z + 1) * slice + (in.y + 1) * pitch + in.x + 1;
  const std::uint32_t states = next_of_four(at, pitch, slice, rule);
  for (std::uint32_t i = 0; i < layout.rounds; ++i) {
    const std::uint32_t tile = mine.group * layout.rounds + i;
    if (first + tile >= layout.grid_tiles) return;
    next[map.offset(first + tile, places[tile], in)] = static_cast<std::uint8_t>(states >> (8 * i) & 1u);
  }
}

/// Finds the numbers of the tiles around each tile of the thread block, as far as `wanted` has them.
__device__ __forceinline__ void find_neighbours(const SolidMap& map, const SolidLayout& layout,
                                                const Coord3* places, std::uint32_t wanted,
                                                std::uint32_t* neighbours) {
  const std::uint64_t first = first_tile(layout);
  for (std::uint32_t item = threadIdx.x; item < solid_neighbour(layout.groups, 0, 0); item += blockDim.x) {
    const std::uint32_t round = item % kSolidRounds;
    const std::uint32_t group = item / kSolidRounds / kSolidSteps;
    const std::uint32_t number = item / kSolidRounds - group * kSolidSteps;
    const std::uint32_t tile = group * layout.rounds + round;
    std::uint32_t found = kNoSolidTile;
    if (round < layout.rounds && first + tile < layout.grid_tiles) {
      if (number == kSolidSelf) {
        found = static_cast<std::uint32_t>(first + tile);
      } else if (wanted >> number & 1u) {
        found = static_cast<std::uint32_t>(map.tile_at(neighbour_place(places[tile], number)));
      }
    }
    neighbours[item] = found;
  }
}

/// Compact, with staged tiles; whole tiles are written, and their holes stay 0. At most 32 registers: more
/// thread blocks at once hide the latency of the loads.
__global__ void __launch_bounds__(kMaxBlockThreads, 2)
    solid_life_compact_kernel(const __grid_constant__ SolidLayout layout,
                              const __grid_constant__ SolidMap map,
                              const __grid_constant__ SolidSharedMemory memory,
                              const __grid_constant__ FastDivisor<std::uint32_t> points_of_group,
                              const StagedPoint* __restrict__ staged, std::uint32_t halo_tiles,
                              const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                              SolidRule rule) {
  extern __shared__ uint4 dynamic[];
  auto* const bytes = reinterpret_cast<std::uint8_t*>(dynamic);
  auto* const words = reinterpret_cast<std::uint32_t*>(dynamic);
  auto* const states = bytes + memory.states;
  auto* const places = reinterpret_cast<Coord3*>(bytes + memory.places);
  auto* const neighbours = reinterpret_cast<std::uint32_t*>(bytes + memory.neighbours);
  const Coord3 rho = map.tiled.rho;
  const std::uint32_t points = map.tiled.points_per_tile();
  const std::uint64_t first = first_tile(layout);
  clear(memory, dynamic);
  find_places(map, layout, places);
  __syncthreads();
  find_neighbours(map, layout, places, halo_tiles, neighbours);
  __syncthreads();
  stage(layout, memory.box_points, points_of_group, staged, words,
        [&](const StagedPoint& point, std::uint32_t group) {
          const uint4 from =
              *reinterpret_cast<const uint4*>(neighbours + solid_neighbour(group, point.tile, 0));
          const std::uint8_t* const source = now + point.source;
          const auto state = [&](std::uint32_t tile) {
            return tile != kNoSolidTile ? std::uint32_t{source[std::uint64_t{tile} * points]} : 0u;
          };
          return state(from.x) | state(from.y) << 8 | state(from.z) << 16 | state(from.w) << 24;
        });
  __syncthreads();
  const SolidThread mine = solid_thread(layout);
  const SolidPosition position = map.position(mine.number);
  if (position.present) {
    const std::uint32_t pitch = rho.x + 2;
    const std::uint32_t slice = pitch * (rho.y + 2);
    const Coord3 in = position.at;
    const std::uint32_t* const at =
        words + mine.group * memory.box_points + (in.z + 1) * slice + (in.y + 1) * pitch + in.x + 1;
    const std::uint32_t next_states = next_of_four(at, pitch, slice, rule);
    std::uint8_t* const to =
        states + mine.group * layout.rounds * points + static_cast<std::uint32_t>(index_in(rho, in));
    for (std::uint32_t i = 0; i < layout.rounds; ++i)
      to[i * points] = static_cast<std::uint8_t>(next_states >> (8 * i) & 1u);
  }
  __syncthreads();
  // The tiles of a thread block are contiguous in memory.
  const std::uint64_t tiles = min(std::uint64_t{layout.tiles}, layout.grid_tiles - first);
  const auto written = static_cast<std::uint32_t>(tiles * points);
  std::uint8_t* const to = next + first * points;
  if (layout.tiles % 4 == 0) {  // the first byte is then aligned to a word
    for (std::uint32_t i = threadIdx.x; i < written / 4; i += blockDim.x)
      reinterpret_cast<std::uint32_t*>(to)[i] = reinterpret_cast<const std::uint32_t*>(states)[i];
    for (std::uint32_t i = written / 4 * 4 + threadIdx.x; i < written; i += blockDim.x) to[i] = states[i];
  } else {
    for (std::uint32_t i = threadIdx.x; i < written; i += blockDim.x) to[i] = states[i];
  }
}

/// Compact without staged tiles: each thread reads the neighbours of its cells from memory.
__global__ void __launch_bounds__(kMaxBlockThreads)
    solid_life_compact_direct_kernel(const __grid_constant__ SolidLayout layout,
                                     const __grid_constant__ SolidMap map,
                                     const __grid_constant__ SolidSharedMemory memory,
                                     const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                                     SolidRule rule) {
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
  find_neighbours(map, layout, places, ~0u, neighbours);
  __syncthreads();
  if (!position.present) return;
  const Coord3 in = position.at;
  for (std::uint32_t i = 0; i < layout.rounds; ++i) {
    const std::uint32_t tile = mine.group * layout.rounds + i;
    if (first + tile >= layout.grid_tiles) return;
    std::uint32_t living = 0;
    std::uint32_t own = 0;
    for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
      const SolidStep step = solid_step(n);
      // 0, 1 or 2 for a coordinate before, in or after the tile.
      const auto side = [](std::uint32_t& at, std::uint32_t length) {
        if (at < length) return 1u;
        const bool before = at == ~0u;
        at = before ? length - 1 : 0;
        return before ? 0u : 2u;
      };
      Coord3 to{in.x + static_cast<std::uint32_t>(step.x), in.y + static_cast<std::uint32_t>(step.y),
                in.z + static_cast<std::uint32_t>(step.z)};
      const std::uint32_t x = side(to.x, rho.x);
      const std::uint32_t y = side(to.y, rho.y);
      const std::uint32_t z = side(to.z, rho.z);
      const std::uint32_t from = neighbours[solid_neighbour(mine.group, (z * 3 + y) * 3 + x, i)];
      if (from == kNoSolidTile) continue;
      const std::uint32_t state = now[std::uint64_t{from} * points + index_in(rho, to)];
      if (n == kSolidSelf) {
        own = state;
      } else {
        living += state;
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
  const FastDivisor<std::uint32_t> points(program.staged_points);
  switch (map.kind) {
    case MapKind::kBoundingBox:
      launch_solid(solid_life_box_kernel, program, bytes_of_places(program), slices, stream, map, now, next,
                   rule);
      return;
    case MapKind::kLambda:
      launch_solid(solid_life_lambda_kernel, program, memory.bytes, slices, stream, map, memory, points,
                   program.staged, now, next, rule);
      return;
    case MapKind::kCompact:
      if (program.halo) {
        launch_solid(solid_life_compact_kernel, program, memory.bytes, slices, stream, map, memory, points,
                     program.staged, program.halo_tiles, now, next, rule);
      } else {
        launch_solid(solid_life_compact_direct_kernel, program, memory.bytes, slices, stream, map, memory,
                     now, next, rule);
      }
      return;
  }
}

}  // namespace loom::cuda
