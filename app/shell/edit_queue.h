#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "app/document/scene/workspace_state.h"
#include "app/shell/undo_history.h"

namespace loom::app {

/// The changes that wait for a workspace's next frame: a restored state, a requested change, and steps of
/// undo and redo. The frame applies them to its edit as if the user had made them. `Edit` is the workspace's
/// edit of a frame, `State` its state in scenes.
template <typename Edit, typename State>
class EditQueue {
 public:
  using Change = std::function<void(Edit&)>;

  /// `undo` must outlive it.
  explicit EditQueue(UndoHistory& undo) : undo_(undo) {}

  /// Queues a change; replaces a requested one.
  void request(Change change) { requested_ = std::move(change); }
  /// Queues a state; replaces a requested change.
  void restore(scene::StatePtr state) {
    restored_ = std::dynamic_pointer_cast<const State>(std::move(state));
    requested_ = nullptr;
  }
  /// The queued state, which is not shown yet but is the current one; null: none.
  const std::shared_ptr<const State>& restored() const { return restored_; }
  /// Takes it for the frame that begins, before apply().
  std::shared_ptr<const State> take_restored() { return std::exchange(restored_, nullptr); }

  /// Records a change of the user for undo: `back` and `again` are queued when it is undone or redone.
  void record(UndoHistory::Change change, Change back, Change again, std::uint64_t action) {
    change.back = queueing(std::move(back));
    change.again = queueing(std::move(again));
    undo_.record(std::move(change), action);
  }
  /// The change belongs to the current action.
  void record(UndoHistory::Change change, Change back, Change again) {
    record(std::move(change), std::move(back), std::move(again), undo_.action());
  }

  /// Applies the queued changes. Returns true if undo or redo made some, which must not be recorded again.
  bool apply(Edit& edit) {
    if (requested_) std::exchange(requested_, nullptr)(edit);
    const bool undone = !undone_.empty();
    for (const Change& change : undone_) change(edit);
    undone_.clear();
    return undone;
  }

 private:
  std::function<void()> queueing(Change change) {
    return [this, change = std::move(change)] { undone_.push_back(change); };
  }

  UndoHistory& undo_;
  std::shared_ptr<const State> restored_;
  Change requested_;
  std::vector<Change> undone_;
};

}  // namespace loom::app
