#pragma once

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/staging.h"

namespace loom::cuda {

// The tiles of a thread block in shared memory. The cells of a fractal are scattered bytes: if threads read
// them from global memory, each of a warp's nine loads touches many cache lines; if threads write them one by
// one, each sector must be read before a few of its bytes can be changed. The thread block therefore copies
// its tiles, processes them in shared memory (staged_tiles.cuh) and writes whole rows.
//
// None of these functions contains a barrier: the caller must pass one before other threads read the results.

/// Maps whose thread blocks can process whole rows.
template <typename Map>
inline constexpr bool kWorksOnRows = !kIsBox<Map> && Map::kExecutionScope != ExecutionScope::kMatrixCells;

/// Distributes the parts of all tiles over the threads. Most threads have the same part in every tile that
/// they process: `prepare(part)` returns a function for a part, which is called with each tile.
template <int kUnroll = 4, typename Prepare>
__device__ __forceinline__ void for_each_part(const TileParts& parts, std::uint32_t tiles,
                                              const Prepare& prepare) {
  const std::uint32_t of_tile = parts.of_tile.value();
  std::uint32_t number = threadIdx.x;
  std::uint32_t first = 0;
  if (parts.at_once > 1) {
    first = parts.of_tile.divide(number);
    if (first >= parts.at_once) return;
    number -= first * of_tile;
  }
  for (; number < of_tile; number += blockDim.x) {
    const auto work = prepare(parts.part(number));
#pragma unroll kUnroll
    for (std::uint32_t tile = first; tile < tiles; tile += parts.at_once) work(tile);
  }
}

/// Calls `use` with a value of the type that holds a chunk.
template <typename Use>
__device__ __forceinline__ void with_chunk(std::uint32_t chunk, const Use& use) {
  switch (chunk) {  // the same for all threads
    case 16:
      return use(uint4{});
    case 8:
      return use(uint2{});
    case 4:
      return use(std::uint32_t{});
    default:
      return use(std::uint8_t{});
  }
}

/// Sets memory to 0 in units of 16 bytes, from a multiple of 16 bytes on.
__device__ __forceinline__ void clear(void* shared, std::uint32_t bytes) {
  const std::uint32_t step = blockDim.x * 16;
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x * 16; i < bytes; i += step) {
    *reinterpret_cast<uint4*>(static_cast<std::uint8_t*>(shared) + i) = make_uint4(0, 0, 0, 0);
  }
}

/// The address in `memory`, aligned to 16 bytes, for states that go to `first`: with the same offset from a
/// multiple of 16.
__device__ __forceinline__ std::uint8_t* beside_chunks(std::uint8_t* memory, std::uint64_t first) {
  return memory + (static_cast<std::uint32_t>(first) & 15u);
}

/// Starts to copy `bytes` contiguous states from `first` to beside_chunks(); wait_for_copies() waits.
__device__ __forceinline__ void copy_run(const std::uint8_t* __restrict__ now, std::uint64_t first,
                                         std::uint32_t bytes, std::uint8_t* memory) {
  const std::uint32_t begin = static_cast<std::uint32_t>(first) & 15u;
  const std::uint32_t end = begin + bytes;
  const std::uint8_t* const from = now + (first - begin);
  for (std::uint32_t i = threadIdx.x * 16; i < end; i += blockDim.x * 16) {
    if (i + 16 <= end) {  // bytes before `begin` are copied as well
      __pipeline_memcpy_async(memory + i, from + i, 16);
      continue;
    }
    for (std::uint32_t j = i; j < end; ++j) memory[j] = from[j];
  }
}

/// Starts to copy the tiles' rows: origin(tile) is the offset of the corner, or kNoTile, and rows are `pitch`
/// bytes apart. Requires chunks of more than one byte.
template <typename Origin>
__device__ __forceinline__ void copy_rows(const RowWork& work, const TiledFractal& fractal,
                                          std::uint32_t tiles, std::uint64_t pitch, const Origin& origin,
                                          const std::uint8_t* __restrict__ now, std::uint8_t* states) {
  const std::uint32_t area = fractal.points_per_tile();
  with_chunk(work.chunk, [&]<typename Chunk>(Chunk) {
    if constexpr (sizeof(Chunk) > 1) {
      for_each_part(work.rows, tiles, [&](const TileParts::Part& part) {
        const std::uint32_t x = part.part * sizeof(Chunk);
        const std::uint8_t* const from = now + (part.row * pitch + x);
        std::uint8_t* const to = states + part.row * fractal.rho_x + x;
        return [=](std::uint32_t tile) {
          const std::uint64_t corner = origin(tile);
          if (corner != kNoTile) __pipeline_memcpy_async(to + tile * area, from + corner, sizeof(Chunk));
        };
      });
    }
  });
}

/// Waits for the copies that this thread has started.
__device__ __forceinline__ void wait_for_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

/// Writes the tiles' rows from `states` to storage: origin(tile) is the offset of the corner, or kNoTile.
template <typename Origin>
__device__ __forceinline__ void write_rows(const RowWork& work, const TiledFractal& fractal,
                                           std::uint32_t tiles, std::uint64_t pitch, const Origin& origin,
                                           const std::uint8_t* states, std::uint8_t* __restrict__ cells) {
  const std::uint32_t area = fractal.points_per_tile();
  with_chunk(work.chunk, [&]<typename Chunk>(Chunk) {
    for_each_part(work.rows, tiles, [&](const TileParts::Part& part) {
      const std::uint32_t x = part.part * sizeof(Chunk);
      const std::uint8_t* const from = states + part.row * fractal.rho_x + x;
      std::uint8_t* const to = cells + (part.row * pitch + x);
      return [=](std::uint32_t tile) {
        const std::uint64_t corner = origin(tile);
        if (corner == kNoTile) return;
        *reinterpret_cast<Chunk*>(to + corner) = *reinterpret_cast<const Chunk*>(from + tile * area);
      };
    });
  });
}

/// Writes `bytes` contiguous states from beside_chunks() to `first`.
__device__ __forceinline__ void write_run(const std::uint8_t* memory, std::uint64_t first,
                                          std::uint32_t bytes, std::uint8_t* __restrict__ cells) {
  const std::uint32_t begin = static_cast<std::uint32_t>(first) & 15u;
  const std::uint32_t end = begin + bytes;
  std::uint8_t* const to = cells + (first - begin);
  for (std::uint32_t i = threadIdx.x * 16; i < end; i += blockDim.x * 16) {
    if (i >= begin && i + 16 <= end) {
      *reinterpret_cast<uint4*>(to + i) = *reinterpret_cast<const uint4*>(memory + i);
      continue;
    }
    // Chunks that are shared with the tiles of other thread blocks.
    for (std::uint32_t j = max(i, begin); j < min(i + 16, end); ++j) to[j] = memory[j];
  }
}

/// Bytes of shared memory that write_in_rows() needs.
inline std::size_t staged_states(const MapMethod& method, const TiledFractal& fractal) {
  const std::uint32_t bytes = tiling_of(method, fractal).tiles() * fractal.points_per_tile();
  return (bytes + 15) & ~15u;
}

/// Sets every cell of the thread block's tiles on expanded storage to state_of(ThreadCell), 0 or 1. States
/// are gathered in shared memory, with holes 0 as in storage, and written row by row. The launch must have
/// staged_states() bytes of dynamic shared memory. state_of must not read `cells`.
template <typename Map, typename Storage, typename StateOf, typename Int = typename Map::Index>
__device__ __forceinline__ void write_in_rows(const Map& map, const Storage& storage,
                                              const TileLayout& layout, const RowWork& work,
                                              std::uint8_t* __restrict__ cells, const StateOf& state_of) {
  __shared__ SharedMemory<typename CellsInTiles<Map>::Shared> memory;
  extern __shared__ uint4 dynamic[];
  auto* const states = reinterpret_cast<std::uint8_t*>(dynamic);
  typename CellsInTiles<Map>::Shared& shared = memory.get();
  const TiledFractal& fractal = map.tiled;
  const std::uint32_t tiles = layout.tiles();
  const std::uint32_t area = fractal.points_per_tile();
  clear(states, tiles * area);
  CellsInTiles<Map>::for_each_position(map, storage, layout, shared,
                                       [&](std::uint32_t tile, Coord32 at, const ThreadCell<Int>& cell) {
                                         states[tile * area + at.y * fractal.rho_x + at.x] = state_of(cell);
                                       });
  __syncthreads();
  const TileOrigin<Int>* const origins = shared.origins;
  write_rows(
      work, fractal, tiles, storage.pitch(), [=](std::uint32_t tile) { return origins[tile].offset; }, states,
      cells);
}

}  // namespace loom::cuda
