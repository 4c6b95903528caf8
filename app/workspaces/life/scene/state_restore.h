#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/workspaces/life/scene/field_cells.h"

namespace loom::app {

/// A state of the cells, by number: later ones have larger numbers, and no number is used twice.
using StateId = std::uint64_t;

/// How to recompute a state: initial cells, and changes to apply to them.
struct StateRestore {
  struct Part {
    std::vector<CellEdit> edits;  ///< first
    std::uint64_t times = 0;      ///< of `work`, then
    Work work = {};
    StateId first = 0;  ///< the state after the first time
  };
  FieldCells base;
  std::vector<Part> parts;
  /// On cancellation the previous cells are restored; they are copied first. Otherwise the cells of `base`
  /// are left.
  bool restores_on_cancel = true;
  std::uint64_t keep = 0;  ///< number of last generations whose cells are stored
  /// Sum over all steps.
  std::uint64_t times() const {
    std::uint64_t all = 0;
    for (const Part& part : parts) all += part.times;
    return all;
  }
};

/// The largest field whose cells are copied for restoring: some seconds, half a gibibyte.
inline constexpr std::uint64_t kMaxRestorableCells = std::uint64_t{1} << 32;

/// The cells of one state.
struct CellSnapshot {
  StateId state_id = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const CellBits> bits;
};

}  // namespace loom::app
