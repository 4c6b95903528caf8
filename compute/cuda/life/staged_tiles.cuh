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

/// The next states of four cells, one byte each, from their states and what the lists say of them.
__device__ __forceinline__ std::uint32_t next_states(const LifeRule& rule, std::uint32_t own,
                                                     std::uint32_t alive) {
  if (rule.states <= 8) {  // the same for all threads
    // Byte s is the state after s of a cell that is not alive then. States beyond the last do not occur.
    const std::uint32_t last = 0xffu << (8 * (rule.states - 1) % 32);
    const std::uint32_t low = rule.states <= 4 ? 0x04030200u & ~last : 0x04030200u;
    const std::uint32_t high = rule.states <= 4 ? 0 : 0x08070605u & ~last;
    const std::uint32_t selector = permute_bytes(own | own >> 4, 0, 0x4420);
    const std::uint32_t dead = permute_bytes(0x00000001, 0, selector);
    const std::uint32_t living = permute_bytes(0x00000100, 0, selector);
    return permute_bytes(low, high, selector) + (alive & dead) - (alive & living);
  }
  std::uint32_t next = 0;
#pragma unroll
  for (std::uint32_t bit = 0; bit < 32; bit += 8)
    next |= std::uint32_t{state_after(rule, own >> bit & 0xffu, alive >> bit & 0xffu)} << bit;
  return next;
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
    std::uint32_t next = listed(rule, beside[1], living);
    if constexpr (!std::is_same_v<Rule, TwoStateRule>) {
      std::uint32_t own = 0;
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (round + i * work.rounds_of_fours < work.rounds)
          own |= std::uint32_t{to[i * to_next_tile]} << (8 * i);
      }
      next = next_states(rule.rule, own, next);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (round + i * work.rounds_of_fours < work.rounds)
        to[i * to_next_tile] = static_cast<std::uint8_t>(next >> (8 * i));
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
    std::uint32_t next = listed(rule, *own, living);
    std::uint8_t& state = states[tile * area + at.y * work.shape.rho_x + at.x];
    if constexpr (!std::is_same_v<Rule, TwoStateRule>) next = state_after(rule.rule, state, next);
    state = static_cast<std::uint8_t>(next);
  }
}

}  // namespace loom::cuda
