#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/workspaces/life/scene/field_cells.h"

namespace loom::app {

/// Identifies a state of the cells: later states have larger ids, and no id is reused.
using StateId = std::uint64_t;

/// How to recompute a state: initial cells, and changes to apply to them.
struct StateRestore {
  struct Part {
    std::vector<CellEdit> edits;  ///< applied before the work
    std::uint64_t times = 0;      ///< number of repetitions of `work`
    Work work = {};
    StateId first = 0;  ///< the state after the first repetition
  };
  FieldCells base;
  std::vector<Part> parts;
  /// True: the previous cells are copied first and restored on cancellation. False: the cells of `base`
  /// remain.
  bool restores_on_cancel = true;
  std::uint64_t keep = 0;  ///< number of last generations whose cells are stored
  /// Sum over all parts.
  std::uint64_t times() const {
    std::uint64_t all = 0;
    for (const Part& part : parts) all += part.times;
    return all;
  }
};

/// The largest field whose cells are copied for restoring: half a gibibyte, which takes some seconds.
inline constexpr std::uint64_t kMaxRestorableCells = std::uint64_t{1} << 32;

/// The cells of one state.
struct CellSnapshot {
  StateId state_id = 0;
  std::uint64_t generation = 0;
  std::shared_ptr<const CellBits> bits;
};

}  // namespace loom::app
