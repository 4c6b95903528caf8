#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The number of generations for which each cell of a small field has been alive, or dead after it was seen
/// alive. Reads the cells of the engine and does not change them.
class CellAges {
 public:
  /// Larger fields are not tracked.
  static constexpr std::uint64_t kMaxCells = 1 << 15;
  /// Number of generations for which a dead cell is shown.
  static constexpr std::uint32_t kTrail = 16;

  /// Call after a change of the cells.
  void invalidate() { stale_ = true; }
  /// Stops tracking; the next use starts over.
  void forget();
  /// Reads the cells if they have changed. The engine must be idle.
  void follow(const FractalEngine& engine);
  /// Takes states in canonical order of `generation`. A later generation than the last ages each cell by the
  /// difference; the same generation means an edit; an earlier one starts over.
  void take(const std::vector<std::uint8_t>& states, std::uint64_t generation);

  struct Cell {
    Coord64 place;
    std::uint32_t alive = 0;  ///< generations since it was born or first seen, from 1 on; 0: dead
    std::uint32_t dead = 0;   ///< generations since it died, 1 to kTrail; 0: longer, or never
    friend bool operator==(const Cell&, const Cell&) = default;
  };
  /// All cells, including those that were never alive; empty if the field is too large or not tracked.
  const std::vector<Cell>& cells() const { return cells_; }
  /// Generations between the last two reads; births and deaths in between are not seen.
  std::uint64_t stride() const { return stride_; }

 private:
  std::vector<Cell> cells_;
  std::vector<std::uint8_t> states_;
  std::optional<NbbFractal> fractal_;
  int level_ = 0;
  std::optional<std::uint64_t> generation_;
  std::uint64_t stride_ = 1;
  bool stale_ = true;
};

/// The states of all cells of a small field by canonical index, for colouring threads and bytes.
class CellStates {
 public:
  /// Larger fields are not read.
  static constexpr std::uint64_t kMaxCells = 1 << 14;

  /// Call after a change of the cells.
  void invalidate() { stale_ = true; }
  /// Discards the states while no view uses them.
  void forget() { alive_.clear(); }
  /// Reads the states if they have changed. The engine must be idle.
  void read(const FractalEngine& engine);

  /// Empty if the states were not read.
  const std::vector<std::uint8_t>& alive() const { return alive_; }
  /// Changes with each read.
  std::uint64_t version() const { return version_; }

 private:
  std::vector<std::uint8_t> alive_;
  std::uint64_t version_ = 0;
  bool stale_ = true;
};

}  // namespace loom::app
