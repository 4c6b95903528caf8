#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "app/workspaces/life/scene/field_cells.h"
#include "compute/geometry/nbb_fractal.h"

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

/// The history of changes of the cells, from which every state can be recomputed, because life is
/// deterministic. Generations need no memory, edits little; cells stored in between shorten the
/// recomputation. Undone states stay until another change is made.
class CellHistory {
 public:
  /// Budget in bytes for stored cells and edits.
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  explicit CellHistory(std::uint64_t budget = kBudget) : budget_(budget) {}

  // The following calls record a change; states that were undone before are discarded.
  void begin(const NbbFractal& fractal, int level, const FieldCells& cells);
  /// `before`: the previous states of the same cells.
  void edit(const std::vector<CellEdit>& edits, const std::vector<CellEdit>& before);
  void run(std::uint64_t times, const Work& work);
  /// Stores the cells of a state if there is room.
  void keep(CellSnapshot cells);

  /// Makes an existing state the current one.
  void set_current(StateId state_id) { current_ = state_id; }
  StateId now() const { return current_; }
  bool exists(StateId state_id) const { return find(state_id) != nullptr; }
  std::uint64_t generation_of(StateId state_id) const;
  bool is_of(StateId state_id, const NbbFractal& fractal, int level) const;
  const NbbFractal& fractal_of(StateId state_id) const { return *field_of(state_id).fractal; }
  int level_of(StateId state_id) const { return field_of(state_id).level; }

  /// The last state before `state_id` whose generation is one less; nothing if there is none or the state was
  /// discarded.
  std::optional<StateId> previous_generation(StateId state_id) const;
  /// The edits that lead from the current state to `to`, if only edits lie between them; nothing otherwise.
  std::optional<std::vector<CellEdit>> patch_to(StateId to) const;
  StateRestore restore_of(StateId state_id) const;
  /// Generations between the last stored cells before `state_id` and `state_id`.
  std::uint64_t generations_to_recompute(StateId state_id) const;
  /// The current cells as a random start and a number of generations of one workload; nothing if they have
  /// another origin.
  std::optional<FieldCells> recomputable() const;
  /// The last stored cells up to the current state; `bits` is null if only a random start is known.
  std::optional<CellSnapshot> newest_snapshot() const;

  /// True if edits use so much of the budget that cells should be stored, so that older edits can be
  /// discarded.
  bool overflows() const { return edit_bytes_ > budget_ / 2; }
  std::uint64_t bytes() const { return edit_bytes_ + snapshot_bytes_; }
  std::uint64_t budget() const { return budget_; }

 private:
  struct Field {
    std::shared_ptr<const NbbFractal> fractal;
    int level = 0;
  };
  enum class Kind { kBegin, kEdit, kRun };
  struct Change {
    Kind kind = Kind::kBegin;
    StateId first = 0;             ///< the state after the change; of a run, after its first generation
    std::uint64_t times = 1;       ///< generations of a run; 1 for other changes
    std::uint64_t generation = 0;  ///< of the state `first`
    Field field = {};
    FieldCells cells = {};  ///< kBegin
    std::vector<CellEdit> edits = {};
    std::vector<CellEdit> before = {};
    Work work = {};
    StateId last() const { return first + times - 1; }
  };
  const Change* find(StateId state_id) const;
  std::size_t index_of(StateId state_id) const;
  const Field& field_of(StateId state_id) const { return find(state_id)->field; }
  std::size_t first_change_of(std::size_t change) const;
  const CellSnapshot* snapshot_before(StateId state_id, StateId earliest) const;
  std::uint64_t bytes_of(const Change& change) const;
  Change& add(Change change);
  void discard_redo_states();
  void make_room();

  std::uint64_t budget_;
  std::deque<Change> changes_;
  std::vector<CellSnapshot> snapshots_;  ///< sorted by state
  StateId current_ = 0;
  StateId last_ = 0;  ///< the largest id that was assigned
  std::uint64_t edit_bytes_ = 0;
  std::uint64_t snapshot_bytes_ = 0;
};

}  // namespace loom::app
