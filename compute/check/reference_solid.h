#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/solid/solid_fractal.h"
#include "compute/solid/solid_rule.h"

namespace loom {

/// A plain implementation of life on a three-dimensional fractal, the reference for every engine. It places
/// the replicas recursively, runs on the whole box with bounds checks, and shares no code with the maps,
/// storages and engines.
class ReferenceSolid {
 public:
  /// All cells dead. Throws InputError for a level that is too large, std::bad_alloc.
  ReferenceSolid(const SolidFractal& fractal, int level);
  /// Bytes of an object for this fractal and level; saturates at 2^64 - 1.
  static std::uint64_t bytes_needed(const SolidFractal& fractal, int level);

  void reset(const RandomStart& start);
  void step(std::uint32_t generations, SolidRule rule);
  /// Sets every cell to the value that the workload single write gives it in this generation.
  void single_write(std::uint64_t generation);
  /// The sum that the workload reduction computes.
  std::uint64_t reduction_sum() const;
  Census census() const;
  /// One byte per cell (0 or 1) by canonical index.
  std::vector<std::uint8_t> cells() const;

  std::uint64_t cell_count() const { return places_.size(); }
  std::uint64_t points() const { return grid_.size(); }
  /// The expanded coordinate (x, y, z) of the cell with this canonical index.
  std::array<std::uint64_t, 3> place(std::uint64_t index) const { return coordinate(places_[index]); }
  std::array<std::uint64_t, 3> coordinate(std::uint64_t point) const {
    return {point % sides_[0], point / sides_[0] % sides_[1], point / sides_[0] / sides_[1]};
  }

 private:
  using Triple = std::array<std::uint64_t, 3>;
  enum State : std::uint8_t { kDead = 0, kAlive = 1, kHole = 2 };
  void place_replicas(int level, Triple corner, Triple compact);
  std::uint32_t living_neighbours(const Triple& at) const;
  std::uint64_t point(const Triple& at) const { return (at[2] * sides_[1] + at[1]) * sides_[0] + at[0]; }

  std::vector<Triple> offsets_;
  Triple scales_{};
  Triple sides_{};
  Triple compact_sides_{1, 1, 1};
  std::vector<std::uint64_t> places_;  ///< canonical index -> point of the box
  std::vector<std::uint8_t> grid_;
  std::vector<std::uint8_t> next_;
};

}  // namespace loom
