#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "app/workspaces/life/scene/cell_source.h"

namespace loom::app {

/// The states of the active pane's cells, those of undo and redo among them, and the bits of some of them,
/// which shorten recomputing. Undone states stay until another change is made.
class EditHistory {
 public:
  /// Budget in bytes for stored cells and edits.
  static constexpr std::uint64_t kBudget = std::uint64_t{256} << 20;
  explicit EditHistory(std::uint64_t budget = kBudget) : budget_(budget) {}

  /// The engine has these cells now: those of a state of the history, or others, which are the newest from
  /// then on.
  void follow(const CellSource& cells);
  /// Stores the bits of cells of the history if there is room.
  void keep(CellSnapshot snapshot);

  const CellSource& now() const { return now_; }
  /// The last snapshot that leads to these cells; null if there is none.
  const CellSnapshot* nearest(const CellSource& cells) const;
  /// Generations between the last stored cells before the current ones and these.
  std::uint64_t generations_to_recompute() const;
  /// True if edits use so much of the budget that the history must begin anew with stored cells.
  bool overflows() const { return edit_bytes_ > budget_ / 2; }
  std::uint64_t bytes() const { return edit_bytes_ + snapshot_bytes_; }
  std::uint64_t budget() const { return budget_; }
  /// The number of last generations to store while these cells are made by `generations` generations.
  std::uint64_t kept_of(std::uint64_t generations, std::uint64_t cells, std::uint32_t states,
                        double step_ms) const;

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

 private:
  using Clock = std::chrono::steady_clock;
  bool fits_budget(std::uint64_t cells) const;
  void make_room();

  std::uint64_t budget_;
  CellSource now_;
  CellSource newest_;                    ///< from which the current ones may be undone
  std::vector<CellSnapshot> snapshots_;  ///< sorted by depth
  std::uint64_t edit_bytes_ = 0;         ///< of `newest_`
  std::uint64_t snapshot_bytes_ = 0;
  Clock::time_point next_{};
};

}  // namespace loom::app
