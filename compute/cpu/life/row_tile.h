#pragma once

#include <array>
#include <cstdint>

#include "compute/geometry/blocked_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

// A generation of life on one block by rows, the CPU's form of compute/cuda/life/row_tiles.cuh: the block and
// its rim are copied to one place, neighbourhoods are added up sixteen cells at a time, each thread decides
// on its cell, and whole rows are written. Nothing here is a template or has to be inlined to be fast, and
// the vectors are those that every machine has, so that one build takes as long as another.

/// Whether a block's rows are long enough for this to pay where neighbours lie beside a cell in memory.
inline bool pays_in_rows(const BlockedFractal& fractal) {
  return fractal.rho_x >= 8;
}

/// Where a block and its rim lie in memory.
struct RowsAround {
  /// The first cell of the row above the block (0..2), of the block (3..5) and of the row below it (6..8):
  /// left of the block's columns, in the first of them, and right of them. Null where nothing is, which is
  /// dead.
  std::array<const std::uint8_t*, 9> at{};
  std::uint64_t pitch = 0;  ///< from a row of the block to the next
};

/// The threads of a block, which have the same positions in every block, and how to work on a block.
class RowTile {
 public:
  /// `position_of(number)` is the ThreadPosition of a thread, 0 <= number < threads.
  template <typename PositionOf>
  RowTile(const BlockedFractal& fractal, std::uint32_t threads, const PositionOf& position_of)
      : rho_x_(fractal.rho_x), rho_y_(fractal.rho_y), threads_(threads) {
    for (std::uint32_t number = 0; number < threads; ++number) {
      const auto mine = position_of(number);
      places_[number] =
          mine.present ? static_cast<std::uint16_t>(mine.at.y * pitch() + kOwn + mine.at.x) : kIdle;
    }
  }

  /// The next generation of the block, to rows that begin at `next` as far apart as those around.
  void step(const RowsAround& around, LifeRule rule, std::uint8_t* next) const;

 private:
  static constexpr std::uint16_t kIdle = 0xffff;
  static constexpr std::uint32_t kOwn = 16;  ///< where a row's own cells begin
  /// A row of whole vectors with one more on each side.
  std::uint32_t pitch() const { return ((rho_x_ + 15) & ~15u) + 2 * kOwn; }
  /// Of a block of 8 x 128 cells. No other takes more: one of 1024 cells whose rows are shorter would be of
  /// scale 1 in x or above 8 in y.
  static constexpr std::uint32_t kMostBytes = (16 + 2 * kOwn) * (128 + 2);

  void stage(const RowsAround& around, std::uint8_t* staged) const;
  void add_up(const std::uint8_t* staged, std::uint8_t* sums) const;
  void decide(LifeRule rule, std::uint8_t* sums) const;
  void write(const std::uint8_t* states, std::uint64_t to_pitch, std::uint8_t* next) const;

  std::uint32_t rho_x_;
  std::uint32_t rho_y_;
  std::uint32_t threads_;
  std::array<std::uint16_t, kMaxBlockThreads> places_;  ///< of each thread's cell among the sums
};

}  // namespace loom::cpu
