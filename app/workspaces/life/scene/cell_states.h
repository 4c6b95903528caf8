#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

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
