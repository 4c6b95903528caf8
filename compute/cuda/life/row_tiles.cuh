#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/cuda/life/thread_cell.cuh"
#include "compute/map/row_work.h"
#include "compute/workload/game_of_life.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// The tiles of a thread block in shared memory. Cells of a fractal are scattered bytes: read by their threads
// from global memory, the nine loads of a warp each meet many lines; written one by one, they make the memory
// read each sector before it can change a few of its bytes. So the thread block stages its tiles with their
// rims, each thread looks around its cells there, and whole rows are written.
//
// None of these functions passes a barrier: one must follow before other threads read what was written.

/// Maps whose thread blocks can work on rows.
template <typename Map>
inline constexpr bool kWorksOnRows = !kIsBox<Map> && Map::kComputedBy != ComputedBy::kMatrixCells;

/// Shares the parts of all tiles out among the threads, most of which have the same part of every tile that
/// they work on: `prepare(part)` says what is to be done with a part, and that is called with each tile.
template <typename Prepare>
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
#pragma unroll 4
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

__device__ __forceinline__ void clear(std::uint8_t* shared, std::uint32_t bytes) {
  const std::uint32_t step = blockDim.x * 16;
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x * 16; i < bytes; i += step) {
    *reinterpret_cast<uint4*>(shared + i) = {0, 0, 0, 0};
  }
}

/// Copies the tiles' own rows into shared memory that was cleared. origin(tile) is the byte of the tile's
/// corner, or kNoTile; rows are `pitch` bytes apart.
template <typename Origin>
__device__ __forceinline__ void stage_rows(const RowWork& work, const BlockedFractal& fractal,
                                           std::uint32_t tiles, std::uint64_t pitch, const Origin& origin,
                                           const std::uint8_t* __restrict__ now, std::uint8_t* staged) {
  const StagedTile shape{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  with_chunk(work.chunk, [&]<typename Chunk>(Chunk) {
    for_each_part(work.rows, tiles, [&](const TileParts::Part& part) {
      const std::uint32_t x = part.part * sizeof(Chunk);
      const std::uint8_t* const from = now + (part.row * pitch + x);
      std::uint8_t* const to = staged + shape.at(static_cast<int>(x), static_cast<int>(part.row));
      return [=](std::uint32_t tile) {
        const std::uint64_t corner = origin(tile);
        if (corner == kNoTile) return;
        const Chunk chunk = *reinterpret_cast<const Chunk*>(from + corner);
        // A row's own cells begin at a multiple of four, and of no more.
        using Word = std::conditional_t<(sizeof(Chunk) > 4), std::uint32_t, Chunk>;
        auto* const words = reinterpret_cast<Word*>(to + tile * static_cast<std::uint32_t>(shape.bytes()));
        if constexpr (sizeof(Chunk) > 4) {
          words[0] = chunk.x;
          words[1] = chunk.y;
          if constexpr (sizeof(Chunk) > 8) {
            words[2] = chunk.z;
            words[3] = chunk.w;
          }
        } else {
          words[0] = chunk;
        }
      };
    });
  });
}

/// Copies the tiles' rims likewise. state_of(cell) gives, for a RimCell, its state by tile.
template <typename StateOf>
__device__ __forceinline__ void stage_rims(const RowWork& work, const BlockedFractal& fractal,
                                           std::uint32_t tiles, const RimCell* __restrict__ rim,
                                           std::uint32_t rim_cells, std::uint8_t* staged,
                                           const StateOf& state_of) {
  if (rim_cells == 0) return;
  const StagedTile shape{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  for_each_part(work.rim, tiles, [&](const TileParts::Part& part) {
    const RimCell cell = rim[part.part];
    std::uint8_t* const to = staged + cell.target();
    const auto state = state_of(cell);
    return [=](std::uint32_t tile) { to[tile * static_cast<std::uint32_t>(shape.bytes())] = state(tile); };
  });
}

/// Each thread looks around its cells in the staged tiles and puts their next states among `states`. It reads
/// the three rows in words of four cells, two where the three columns lie in two.
__device__ __forceinline__ void step_staged(const TileLayout& layout, const BlockedFractal& fractal,
                                            const TileThread& mine, const ThreadPosition& position,
                                            LifeRule rule, const std::uint8_t* staged, std::uint8_t* states) {
  if (mine.tile >= layout.parallel || !position.present) return;
  const StagedTile shape{static_cast<int>(fractal.rho_x), static_cast<int>(fractal.rho_y)};
  const auto words = static_cast<std::uint32_t>(shape.bytes()) / 4;
  const std::uint32_t pitch = static_cast<std::uint32_t>(shape.pitch()) / 4;
  const std::uint32_t area = fractal.block_area();
  const auto corner = static_cast<std::uint32_t>(
      shape.at(static_cast<int>(position.at.x) - 1, static_cast<int>(position.at.y) - 1));
  const std::uint32_t shift = 8 * (corner & 3u);
  const bool in_two = shift > 8;
  const auto* word = reinterpret_cast<const std::uint32_t*>(staged) + mine.tile * words + corner / 4;
  std::uint8_t* to = states + mine.tile * area + position.at.y * fractal.rho_x + position.at.x;
#pragma unroll 3
  for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
    // Sums of columns, a byte each: at most 3, so that nothing carries over.
    const std::uint32_t row = word[pitch];
    const std::uint32_t columns = word[0] + row + word[2 * pitch];
    std::uint32_t row_beyond = 0;
    std::uint32_t columns_beyond = 0;
    if (in_two) {
      row_beyond = word[pitch + 1];
      columns_beyond = word[1] + row_beyond + word[2 * pitch + 1];
    }
    // The own state is among the three columns, once: 15 more make it 16.
    const std::uint32_t own = __dp4a(__funnelshift_r(row, row_beyond, shift), 0x00000f00u, 0u);
    *to = next_state(rule, __dp4a(__funnelshift_r(columns, columns_beyond, shift), 0x00010101u, own));
    word += layout.parallel * words;
    to += layout.parallel * area;
  }
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

/// The place among `memory`, aligned to 16 bytes, of states that go to `first`: as far past such a multiple.
__device__ __forceinline__ std::uint8_t* beside_chunks(std::uint8_t* memory, std::uint64_t first) {
  return memory + (static_cast<std::uint32_t>(first) & 15u);
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
