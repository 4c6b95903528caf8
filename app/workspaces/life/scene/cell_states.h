#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The states of all cells of a small field, by canonical index: what threads and bytes are coloured by.
class CellStates {
 public:
  /// Fields of more cells have none.
  static constexpr std::uint64_t kMaxCells = 1 << 14;

  /// The cells changed.
  void invalidate() { stale_ = true; }
  /// Nobody looks at them.
  void forget() { alive_.clear(); }
  /// Reads the states if they have changed. The engine must be idle.
  void read(const FractalEngine& engine);

  /// Empty while there are none.
  const std::vector<std::uint8_t>& alive() const { return alive_; }
  /// Another one each time they were read.
  std::uint64_t version() const { return version_; }

 private:
  std::vector<std::uint8_t> alive_;
  std::uint64_t version_ = 0;
  bool stale_ = true;
};

}  // namespace loom::app
