#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/workspaces/life/scene/cell_history.h"
#include "app/workspaces/life/scene/life_engine.h"

namespace loom::app {

/// The history of the active pane's cells: records what its engine does, reports undo steps, and prepares the
/// requests that restore earlier states.
class EditHistory {
 public:
  /// A user edit, with the states before and after it.
  struct UndoableEdit {
    const char* what = "";
    StateId before = 0;
    StateId after = 0;
  };

  /// Begins the history with the engine's current field; this is not an undo step.
  void begin(const LifeEngine& engine, const RandomStart& start);
  /// Records what a request has changed; `engine` runs now. Returns the new undo step, if there is one.
  std::optional<UndoableEdit> take(const LifeFrameOutcome& done, const LifeEngine& engine);

  /// Requests a state; the next request of an engine of the same field restores it.
  void request(StateId state_id) { requested_ = state_id; }
  /// Requests the state one generation earlier; returns false if there is none.
  bool request_previous_generation();
  bool has_request() const { return requested_.has_value(); }
  void cancel_request() { requested_.reset(); }
  /// Adds the changes that lead to the requested state to `request`. Returns why that is not possible; empty
  /// on success or if there is nothing to do.
  std::string prepare(LifeFrameRequest& request, const LifeEngine& engine, double step_ms);

  /// True if recomputing would take so long that the cells should be stored: before a change, or while
  /// generations run. False for fields that are too large for the budget; these are recomputed from their
  /// random start.
  bool should_save_before(std::uint64_t cells, double step_ms) const;
  bool should_save_now(std::uint64_t cells, double step_ms) const;
  /// True if the cells should be copied because the history could not restore them quickly without their
  /// engine. What a terminated window can save is then at most a second old, for up to kMaxCopiedCells cells.
  bool should_copy(std::uint64_t cells) const;
  static constexpr std::uint64_t kMaxCopiedCells = 10'000'000;
  /// Call after a copy of `cells` cells.
  void record_copy(std::uint64_t cells);

  const CellHistory& cell_history() const { return cell_history_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool fits_budget(std::uint64_t cells) const;

  CellHistory cell_history_;
  std::optional<StateId> requested_;
  bool single_write_ran_ = false;  ///< the cells were written by the workload single write
  Clock::time_point next_{};
};

}  // namespace loom::app
