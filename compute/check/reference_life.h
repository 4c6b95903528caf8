#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/workload/game_of_life.h"

namespace loom {

/// A plain implementation of the game of life on a fractal of two or three dimensions, the reference for
/// every engine. It places the replicas level by level, turned if the fractal says so, runs on the whole box
/// with bounds checks, and shares no code with the maps, storages and engines. The hash and the random start
/// are implemented separately from their definitions.
class ReferenceLife {
 public:
  using Point = std::array<std::uint64_t, 3>;  ///< in two dimensions z is 0
  /// One level of the fractal.
  struct Level {
    Point scale;
    std::vector<Point> offsets;
    std::vector<Symmetry> symmetries = {};  ///< of the replicas; empty: all as they are
  };

  /// All cells dead. Throws InputError for a level outside 0..fractal.max_level(), std::bad_alloc if
  /// bytes_needed() cannot be allocated.
  ReferenceLife(const NbbFractal& fractal, int level);
  ReferenceLife(const SolidFractal& fractal, int level);

  /// Bytes of an object for this fractal and level; saturates at 2^64 - 1.
  static std::uint64_t bytes_needed(const NbbFractal& fractal, int level);
  static std::uint64_t bytes_needed(const SolidFractal& fractal, int level);

  void reset(const RandomStart& start);
  /// Sets the cell with this canonical index, index < cell_count().
  void set(std::uint64_t index, std::uint8_t state) { grid_[places_[index]] = state; }
  /// `rule` has the lists birth and survival, of as many neighbours as the fractal's dimensions have, or is
  /// larger, and has its number of states.
  template <typename Rule = LifeRule>
  void step(std::uint32_t generations, const Rule& rule) {
    for (std::uint32_t generation = 0; generation < generations; ++generation) {
      if (rule.larger.radius > 0) {
        step_larger(rule.larger, rule.states);
      } else {
        step_once(rule.birth, rule.survival, rule.states);
      }
    }
  }
  /// Sets every cell to the value that the workload single write gives it in this generation.
  void single_write(std::uint64_t generation);

  /// The sum that the workload reduction computes.
  std::uint64_t reduction_sum() const;

  Census census() const;
  /// One byte per cell, its state, by canonical index.
  std::vector<std::uint8_t> cells() const;

  /// From the finest level up.
  const std::vector<Level>& levels() const { return levels_; }
  int dimensions() const { return dimensions_; }
  /// The sides of the box, 1 along z in two dimensions.
  const Point& sides() const { return sides_; }
  std::uint64_t width() const { return sides_[0]; }
  std::uint64_t height() const { return sides_[1]; }
  std::uint64_t points() const { return grid_.size(); }
  std::uint64_t cell_count() const { return places_.size(); }
  /// The expanded coordinate of a point of the box, which is numbered row by row.
  Point coordinate(std::uint64_t point) const {
    return {point % sides_[0], point / sides_[0] % sides_[1], point / sides_[0] / sides_[1]};
  }
  /// The point of the cell with this canonical index, index < cell_count(), and its coordinate in two
  /// dimensions.
  std::uint64_t point(std::uint64_t index) const { return places_[index]; }
  Coord64 place(std::uint64_t index) const {
    return {places_[index] % sides_[0], places_[index] / sides_[0]};
  }

 private:
  /// Refractory states are between kAlive and kHole.
  enum State : std::uint8_t { kDead = 0, kAlive = 1, kHole = 255 };
  ReferenceLife(int dimensions, std::vector<Level> levels, std::uint64_t bytes);
  void place_replicas();
  std::uint32_t living_neighbours(const Point& at) const;
  void step_once(std::uint32_t birth, std::uint32_t survival, std::uint32_t states);
  /// In two dimensions.
  void step_larger(const LargerThanLife& rule, std::uint32_t states);
  std::uint64_t point_at(const Point& at) const { return (at[2] * sides_[1] + at[1]) * sides_[0] + at[0]; }

  int dimensions_;
  std::vector<Level> levels_;
  Point sides_ = {1, 1, 1};
  std::vector<std::uint64_t> places_;  ///< canonical index -> point
  std::vector<std::uint8_t> grid_;
  std::vector<std::uint8_t> next_;
};

}  // namespace loom
