#pragma once

#include <array>
#include <cstdint>

#include "compute/geometry/tiled_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

// A generation of life on one tile by rows, the CPU's form of compute/cuda/life/row_tiles.cuh: the tile and
// its halo are copied to a contiguous buffer, neighbourhoods are added for sixteen cells at a time, each
// thread selects its cell, and whole rows are written. The code contains no templates and relies on no
// inlining, and it uses only the baseline vector instructions, so that its speed does not depend on the
// build.

/// Whether a tile's rows are long enough for this form to be faster on expanded storage.
inline bool pays_in_rows(const TiledFractal& fractal) {
  return fractal.rho_x >= 8;
}

/// The memory of a tile and its halo.
struct RowsAround {
  /// Pointers into the row above the tile (0..2), the rows of the tile (3..5) and the row below it (6..8):
  /// the cell left of the tile's columns, the first column, and the cell right of them. Null if nothing is
  /// there; those cells are dead.
  std::array<const std::uint8_t*, 9> at{};
  std::uint64_t pitch = 0;  ///< distance between two rows of the tile
};

/// The threads of a tile, which have the same positions in every tile, and the step of one tile.
class RowTile {
 public:
  /// `position_of(number)` is the ThreadPosition of a thread, 0 <= number < threads.
  template <typename PositionOf>
  RowTile(const TiledFractal& fractal, std::uint32_t threads, const PositionOf& position_of)
      : rho_x_(fractal.rho_x), rho_y_(fractal.rho_y), threads_(threads) {
    for (std::uint32_t number = 0; number < threads; ++number) {
      const auto mine = position_of(number);
      places_[number] =
          mine.present ? static_cast<std::uint16_t>(mine.at.y * pitch() + kOwn + mine.at.x) : kIdle;
    }
  }

  /// Computes the next generation of the tile into rows that begin at `next`, with the pitch of `around`.
  void step(const RowsAround& around, LifeRule rule, std::uint8_t* next) const;

 private:
  static constexpr std::uint16_t kIdle = 0xffff;
  static constexpr std::uint32_t kOwn = 16;  ///< index of a row's first own cell
  /// A row of whole vectors with one more vector on each side.
  std::uint32_t pitch() const { return ((rho_x_ + 15) & ~15u) + 2 * kOwn; }
  /// The buffer for a tile of 8 x 128 cells, which is the largest: a tile of 1024 cells with shorter rows
  /// would have scale 1 in x or more than 8 in y.
  static constexpr std::uint32_t kMaxBytes = (16 + 2 * kOwn) * (128 + 2);

  void stage(const RowsAround& around, std::uint8_t* staged) const;
  void add_up(const std::uint8_t* staged, std::uint8_t* sums) const;
  void decide(LifeRule rule, std::uint8_t* sums) const;
  void write(const std::uint8_t* states, std::uint64_t to_pitch, std::uint8_t* next) const;

  std::uint32_t rho_x_;
  std::uint32_t rho_y_;
  std::uint32_t threads_;
  std::array<std::uint16_t, kMaxBlockThreads> places_;  ///< index of each thread's cell among the sums
};

}  // namespace loom::cpu
