#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/life/scene/chronicle.h"
#include "app/life/scene/engine_host.h"

namespace loom::app {

/// The way back for the scene's cells: follows what its engine does, says what could be undone of it, and
/// gives the engine what brings it to a state of before.
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
  /// What the scene's engine has done, or that another one runs. Returns what can be undone of it.
  std::optional<Undoable> take(const LifeDone& done, const EngineHost& host);

  /// Wishes for the cells of a moment; they come with the next job of an engine of their field.
  void want(Moment moment) { wanted_ = moment; }
  /// The moment a generation before now; false where there is none.
  bool want_step_back();
  bool wants() const { return wanted_.has_value(); }
  void forget_wish() { wanted_.reset(); }
  /// Puts what leads there into a job. Returns why it cannot be done; empty where it can, or there is nothing
  /// to do.
  std::string prepare(LifeJob& job, const EngineHost& host, double step_ms);

  /// Whether doing the last generations again takes so long that a field's cells are kept before they go, or
  /// in between. Never of a field whose cells would fill the budget: there the way back begins at its start.
  bool should_keep_before(std::uint64_t cells, double step_ms) const;
  bool should_keep_now(std::uint64_t cells, double step_ms) const;
  /// Whether the cells of now should be copied, which the chronicle cannot say soon without their engine:
  /// what a window that is ended can keep is then no older than a second, of up to kMostCopied cells.
  bool should_copy(std::uint64_t cells) const;
  static constexpr std::uint64_t kMostCopied = 10'000'000;
  /// So many cells were copied.
  void noted_copy(std::uint64_t cells);

  const Chronicle& chronicle() const { return chronicle_; }

 private:
  using Clock = std::chrono::steady_clock;
  bool has_room(std::uint64_t cells) const;

  Chronicle chronicle_;
  std::optional<Moment> wanted_;
  bool written_ = false;  ///< the cells are what single write made of them
  Clock::time_point next_{};
};

}  // namespace loom::app
