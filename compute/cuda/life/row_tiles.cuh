#pragma once

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/row_work.h"

namespace loom::cuda {

// The tiles of a thread block in shared memory. Cells of a fractal are scattered bytes: read by their threads
// from global memory, the nine loads of a warp each meet many lines; written one by one, they make the memory
// read each sector before it can change a few of its bytes. So the thread block copies its tiles and writes
// them whole, and looks at them in between (staged_tiles.cuh).
//
// None of these functions passes a barrier: one must follow before other threads read what was written.

/// Maps whose thread blocks can work on rows.
template <typename Map>
inline constexpr bool kWorksOnRows = !kIsBox<Map> && Map::kComputedBy != ComputedBy::kMatrixCells;

/// Shares the parts of all tiles out among the threads, most of which have the same part of every tile that
/// they work on: `prepare(part)` says what is to be done with a part, and that is called with each tile.
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

/// From a multiple of 16 bytes on, in such.
__device__ __forceinline__ void clear(void* shared, std::uint32_t bytes) {
  const std::uint32_t step = blockDim.x * 16;
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x * 16; i < bytes; i += step) {
    *reinterpret_cast<uint4*>(static_cast<std::uint8_t*>(shared) + i) = make_uint4(0, 0, 0, 0);
  }
}

/// The place among `memory`, aligned to 16 bytes, of states that go to `first`: as far past such a multiple.
__device__ __forceinline__ std::uint8_t* beside_chunks(std::uint8_t* memory, std::uint64_t first) {
  return memory + (static_cast<std::uint32_t>(first) & 15u);
}

/// Begins to copy `bytes` states that lie together, from `first`, to beside_chunks(); wait_for_copies()
/// waits.
__device__ __forceinline__ void copy_run(const std::uint8_t* __restrict__ now, std::uint64_t first,
                                         std::uint32_t bytes, std::uint8_t* memory) {
  const std::uint32_t begin = static_cast<std::uint32_t>(first) & 15u;
  const std::uint32_t end = begin + bytes;
  const std::uint8_t* const from = now + (first - begin);
  for (std::uint32_t i = threadIdx.x * 16; i < end; i += blockDim.x * 16) {
    if (i + 16 <= end) {  // what lies before `begin` is copied along
      __pipeline_memcpy_async(memory + i, from + i, 16);
      continue;
    }
    for (std::uint32_t j = i; j < end; ++j) memory[j] = from[j];
  }
}

/// Begins to copy the tiles' rows: origin(tile) is the byte of the corner, or kNoTile, and rows are `pitch`
/// bytes apart. Only where rows are chunks of more than a byte.
template <typename Origin>
__device__ __forceinline__ void copy_rows(const RowWork& work, const BlockedFractal& fractal,
                                          std::uint32_t tiles, std::uint64_t pitch, const Origin& origin,
                                          const std::uint8_t* __restrict__ now, std::uint8_t* states) {
  const std::uint32_t area = fractal.block_area();
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

/// Waits for the copies that this thread has begun.
__device__ __forceinline__ void wait_for_copies() {
  __pipeline_commit();
  __pipeline_wait_prior(0);
}

/// Writes the tiles' rows from `states` to where the tiles lie: origin(tile) is the byte of the corner, or
/// kNoTile.
template <typename Origin>
__device__ __forceinline__ void write_rows(const RowWork& work, const BlockedFractal& fractal,
                                           std::uint32_t tiles, std::uint64_t pitch, const Origin& origin,
                                           const std::uint8_t* states, std::uint8_t* __restrict__ cells) {
  const std::uint32_t area = fractal.block_area();
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

/// Writes `bytes` states that lie together, from beside_chunks() to `first`.
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
    // Chunks shared with the tiles of other thread blocks.
    for (std::uint32_t j = max(i, begin); j < min(i + 16, end); ++j) to[j] = memory[j];
  }
}

}  // namespace loom::cuda
