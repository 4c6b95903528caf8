#pragma once

#include <cstdint>
#include <type_traits>

#include "compute/cuda/life/row_tiles.cuh"
#include "compute/map/staging.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cuda {

// Staged tiles: four tiles are interleaved, one word per cell, so that a thread reads its cell's neighbours
// in four tiles at a time (TileFours).
//
// Staged tiles have 1 for living cells and 0 for all others; the states themselves stay in the rows. Rule is
// TwoStateRule or LifeRule.
//
// None of these functions contains a barrier: the caller must pass one before other threads read the results.

/// Interleaves the tiles' states, four tiles each (TileFours). For a tile that exists in some groups of four
/// only, the other groups copy whatever memory follows; their results are not used.
template <typename Rule>
__device__ __forceinline__ void stage_states(const Staging& work, const std::uint8_t* states,
                                             std::uint32_t* staged) {
  const std::uint32_t area = work.shape.rho_x * work.shape.rho_y;
  const std::uint32_t to_next_tile = work.fours.count * area;
  const std::uint32_t most = work.fours.most;
  const bool by_fours = work.shape.by_fours();
  for_each_part<1>(work.states, work.fours.count, [&](const TileParts::Part& part) {
    const std::uint32_t x = by_fours ? 4 * part.part : part.part;
    const std::uint8_t* const from = states + part.row * work.shape.rho_x + x;
    std::uint32_t* const to = staged + work.shape.at(x, part.row);
    return [=, &work](std::uint32_t four) {
      const std::uint8_t* const first = from + four * area;
      std::uint32_t* const words = to + four * work.shape.cells;
      FourWords tiles;
      // Both are the same for all threads.
      if (by_fours) {
#pragma unroll
        for (std::uint32_t i = 0; i < 4; ++i) {
          tiles.words[i] = i < most ? *reinterpret_cast<const std::uint32_t*>(first + i * to_next_tile) : 0;
        }
        const FourWords cells = transpose(tiles.words);
        *reinterpret_cast<uint4*>(words) =
            make_uint4(living_of(Rule{}, cells.words[0]), living_of(Rule{}, cells.words[1]),
                       living_of(Rule{}, cells.words[2]), living_of(Rule{}, cells.words[3]));
      } else {
#pragma unroll
        for (std::uint32_t i = 0; i < 4; ++i) tiles.words[i] = i < most ? first[i * to_next_tile] : 0;
        *words = living_of(Rule{}, first_bytes(tiles.words));
      }
    };
  });
}

/// Interleaves the tiles' halos. state_of(cell) gives the state of a HaloCell by tile.
template <typename Rule, typename StateOf>
__device__ __forceinline__ void stage_halos(const Staging& work, const HaloCell* __restrict__ halo,
                                            std::uint32_t halo_cells, std::uint32_t* staged,
                                            const StateOf& state_of) {
  if (halo_cells == 0) return;
  for_each_part<2>(work.halo, work.fours.tiles, [&](const TileParts::Part& part) {
    const HaloCell cell = halo[part.part];
    auto* const to = reinterpret_cast<std::uint8_t*>(staged + cell.target());
    const auto state = state_of(cell);
    return [=, &work](std::uint32_t tile) {
      const TileFours::Place place = work.fours.place(tile);
      to[4 * place.four * work.shape.cells + place.byte] = living_of(Rule{}, state(tile));
    };
  });
}

/// Sets a state to the next one; the lowest byte of `alive` is what the lists say of its cell.
template <typename Rule>
__device__ __forceinline__ void change_state(const Rule& rule, std::uint8_t& state, std::uint32_t alive) {
  if constexpr (std::is_same_v<Rule, TwoStateRule>) {
    state = static_cast<std::uint8_t>(alive);
  } else {
    state = state_after(rule, state, alive & 0xffu);
  }
}

/// Each thread reads its cell's neighbours in four tiles at a time and writes their next states to `states`.
template <typename Rule>
__device__ __forceinline__ void step_staged(const Staging& work, const TileThread& mine,
                                            const ThreadPosition& position, const LifeRuleTable<Rule>& rule,
                                            const std::uint32_t* staged, std::uint8_t* states) {
  const TileFours& fours = work.fours;
  if (mine.tile >= fours.parallel || !position.present) return;
  const std::uint32_t pitch = work.shape.pitch;
  const std::uint32_t area = work.shape.rho_x * work.shape.rho_y;
  const std::uint32_t to_next_tile = fours.count * area;
  const std::uint32_t* above =
      staged + mine.tile * work.shape.cells + work.shape.at(position.at.x - 1, position.at.y - 1);
  std::uint8_t* to = states + mine.tile * area + position.at.y * work.shape.rho_x + position.at.x;
  for (std::uint32_t round = 0; round < work.rounds_of_fours; ++round) {
    const std::uint32_t* const beside = above + pitch;
    const std::uint32_t* const below = beside + pitch;
    // One byte each: at most 8, so that no byte overflows.
    const std::uint32_t living =
        (above[0] + above[1] + above[2]) + (beside[0] + beside[2]) + (below[0] + below[1] + below[2]);
    const std::uint32_t alive = listed(rule, beside[1], living);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (round + i * work.rounds_of_fours < work.rounds)
        change_state(rule.rule, to[i * to_next_tile], alive >> (8 * i));
    }
    above += fours.parallel * work.shape.cells;
    to += fours.parallel * area;
  }
}

/// The same for tiles of different orientations: each thread works on one tile at a time.
template <typename Turns, typename Rule>
__device__ __forceinline__ void step_turned(const Staging& work, const TileLayout& layout,
                                            const TileThread& mine, const ThreadPosition& position,
                                            const Turns& turns, const LifeRuleTable<Rule>& rule,
                                            const std::uint32_t* staged, std::uint8_t* states) {
  if (mine.tile >= layout.parallel || !position.present) return;
  const std::uint32_t pitch = 4 * work.shape.pitch;
  const std::uint32_t area = work.shape.rho_x * work.shape.rho_y;
  for (std::uint32_t tile = mine.tile; tile < layout.tiles(); tile += layout.parallel) {
    const Coord32 at = turns.apply_to(tile, position.at, work.shape.rho_x);
    const TileFours::Place place = work.fours.place(tile);
    const auto* const own = reinterpret_cast<const std::uint8_t*>(staged + place.four * work.shape.cells +
                                                                  work.shape.at(at.x, at.y)) +
                            place.byte;
    const std::uint8_t* const above = own - pitch;
    const std::uint8_t* const below = own + pitch;
    const std::uint32_t living =
        std::uint32_t{above[-4]} + above[0] + above[4] + own[-4] + own[4] + below[-4] + below[0] + below[4];
    change_state(rule.rule, states[tile * area + at.y * work.shape.rho_x + at.x], listed(rule, *own, living));
  }
}

}  // namespace loom::cuda
