#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom {

/// A plain implementation of the game of life on a fractal, the reference for every engine. It places the
/// replicas level by level, turned if the fractal says so, runs on a two-dimensional grid with bounds checks,
/// and shares no code with the maps, storages and engines. The hash and the random start are implemented
/// separately from their definitions.
class ReferenceLife {
 public:
  /// All cells dead. Throws InputError for a level outside 0..fractal.max_level(), std::bad_alloc if
  /// bytes_needed() cannot be allocated.
  ReferenceLife(const NbbFractal& fractal, int level);

  /// Bytes of an object for this fractal and level; saturates at 2^64 - 1.
  static std::uint64_t bytes_needed(const NbbFractal& fractal, int level);

  void reset(const RandomStart& start);
  /// Sets the cell with this canonical index, index < cell_count().
  void set(std::uint64_t index, bool alive) { grid_[places_[index]] = alive ? kAlive : kDead; }
  void step(std::uint32_t generations, LifeRule rule);
  /// Sets every cell to the value that the workload single write gives it in this generation.
  void single_write(std::uint64_t generation);

  /// The sum that the workload reduction computes.
  std::uint64_t reduction_sum() const;

  Census census() const;
  /// One byte per cell (0 or 1) by canonical index.
  std::vector<std::uint8_t> cells() const;

  std::uint64_t width() const { return width_; }
  std::uint64_t height() const { return height_; }
  std::uint64_t cell_count() const { return places_.size(); }
  /// The expanded coordinate of the cell with this canonical index, index < cell_count().
  Coord64 place(std::uint64_t index) const { return {places_[index] % width_, places_[index] / width_}; }

 private:
  enum State : std::uint8_t { kDead = 0, kAlive = 1, kHole = 2 };
  void place_replicas(const NbbFractal& fractal, int level);
  std::uint32_t living_neighbours(std::uint64_t x, std::uint64_t y) const;

  std::uint64_t width_;
  std::uint64_t height_;
  std::vector<std::uint64_t> places_;  ///< canonical index -> y * width + x
  std::vector<std::uint8_t> grid_;
  std::vector<std::uint8_t> next_;
};

}  // namespace loom
