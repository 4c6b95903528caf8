#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/life/scene/field_cells.h"

namespace loom::app {

/// A state of the cells, by number: later ones have larger numbers, and no number is used twice.
using Moment = std::uint64_t;

/// How to make a state again: cells to begin with, and what is done to them.
struct Replay {
  struct Part {
    std::vector<CellEdit> edits;  ///< first
    std::uint64_t times = 0;      ///< of `work`, then
    Work work = {};
    Moment first = 0;  ///< the state after the first time
  };
  FieldCells base;
  std::vector<Part> parts;
  /// Where it ends early the cells of before come back; they are copied first. Else those of `base` are left.
  bool comes_back = true;
  std::uint64_t keep = 0;  ///< of the last generations before the end, the cells of so many are kept
  /// Of all parts.
  std::uint64_t times() const {
    std::uint64_t all = 0;
    for (const Part& part : parts) all += part.times;
    return all;
  }
};

/// Cells of a field that are copied so that they can come back: some seconds, half a gibibyte.
inline constexpr std::uint64_t kMostComingBack = std::uint64_t{1} << 32;

/// Cells of a moment.
struct KeptCells {
  Moment moment = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const CellBits> bits;
};

}  // namespace loom::app
