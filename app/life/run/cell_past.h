#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/life/scene/chronicle.h"
#include "app/life/scene/engine_host.h"

namespace loom::app {

/// The history of the active pane's cells: follows its engine, reports what can be undone, and prepares the
/// jobs that restore earlier states.
class CellPast {
 public:
  /// Cells of before and after a change that the user made.
  struct Undoable {
    const char* what = "";
    Moment before = 0;
    Moment after = 0;
  };

  /// The engine's first field, or one that is no user's doing.
  void begin(const EngineHost& host, const RandomStart& start);
  /// Records what the engine has done, or that another engine runs. Returns the new undo step, if there is
  /// one.
  std::optional<Undoable> take(const LifeDone& done, const EngineHost& host);

  /// Requests a state; the next job of an engine of the same field restores it.
  void want(Moment moment) { wanted_ = moment; }
  /// Requests the state one generation earlier; returns false if there is none.
  bool want_step_back();
  bool wants() const { return wanted_.has_value(); }
  void forget_wish() { wanted_.reset(); }
  /// Puts what leads there into a job. Returns why it cannot be done; empty where it can, or there is nothing
  /// to do.
  std::string prepare(LifeJob& job, const EngineHost& host, double step_ms);

  /// True if recomputing the last generations would take so long that cells are stored first, or in between.
  /// Never for a field whose cells would fill the budget; its history starts at its random start.
  bool should_keep_before(std::uint64_t cells, double step_ms) const;
  bool should_keep_now(std::uint64_t cells, double step_ms) const;
  /// True if the current cells should be copied because the history cannot restore them quickly without their
  /// engine: what a terminated window can save is then at most a second old, for up to kMostCopied cells.
  bool should_copy(std::uint64_t cells) const;
  static constexpr std::uint64_t kMostCopied = 10'000'000;
  /// Call after a copy of `cells` cells.
  void noted_copy(std::uint64_t cells);

  const Chronicle& chronicle() const { return chronicle_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool has_room(std::uint64_t cells) const;

  Chronicle chronicle_;
  std::optional<Moment> wanted_;
  bool written_ = false;  ///< the cells were written by the workload single write
  Clock::time_point next_{};
};

}  // namespace loom::app
