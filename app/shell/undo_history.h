#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/document/scene/workspace_state.h"

namespace loom::app {

/// The undo history of all workspaces. Changes of one user action, a click or a drag, form one step.
class UndoHistory {
 public:
  /// Maximum number of steps; the oldest are dropped.
  static constexpr std::size_t kMaxSteps = 1000;
  /// View changes that follow each other within this time form one step.
  static constexpr std::chrono::milliseconds kMergeInterval{700};
  using Clock = std::chrono::steady_clock;

  struct Change {
    std::string what = {};             ///< shown with Undo and Redo: "level", "painted cells"
    bool view = false;                 ///< only the view changes
    bool modifies_scene = true;        ///< the change affects the scene's file; view changes never count
    std::function<void()> back = {};   ///< undoes the change; takes effect in the next frame
    std::function<void()> again = {};  ///< redoes the change; takes effect in the next frame
    std::function<bool()> holds = {};  ///< whether the change can still be undone or redone; nothing: always
    bool cells = false;                ///< cells were changed: painted, cleared, restarted
    bool accompanies = false;          ///< the step is named after another change, if it has one
  };

  /// Starts a new action of this workspace; the next records belong to it.
  void begin_action(std::size_t workspace) {
    if (!std::exchange(action_continues_, false)) ++action_;
    workspace_ = workspace;
  }
  /// What this action changes takes effect in the next frame too, which belongs to it.
  void continue_action() { action_continues_ = true; }
  std::uint64_t action() const { return action_; }
  /// Records a change. `action`: the value of action() when the change began. Discards undone steps.
  void record(Change change, std::uint64_t action, Clock::time_point now = Clock::now());

  /// Undoes the last step, or redoes the last undone one. Returns it, or null if there is none.
  struct Step {
    std::size_t workspace = 0;  ///< workspace to show for this step
    std::vector<Change> parts;
    std::uint64_t action = 0;
    Clock::time_point at = {};
    std::uint64_t number = 0;  ///< unique
  };
  const Step* undo();
  const Step* redo();
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ < steps_.size(); }
  std::size_t size() const { return steps_.size(); }
  /// Whether cells were ever changed, even if all changes were undone since.
  bool changed_cells() const { return changed_cells_; }
  std::size_t undo_count() const { return at_; }
  /// The name of the step that undo() or redo() would take; empty if there is none.
  const std::string& undo_label() const;
  const std::string& redo_label() const;

  /// Identifies the scene by the last completed step that changed it; equal numbers mean the same scene. View
  /// changes, settings that are not part of a scene file, and computed generations do not count.
  std::uint64_t scene_state() const;
  /// The scene with this number was saved to a file.
  void mark_saved(std::uint64_t scene_state) { saved_state_ = scene_state; }
  /// The scene was opened from a file: changes of the current action do not count as unsaved.
  void mark_opened();
  /// Whether the scene differs from the one saved or opened last.
  bool modified() const { return scene_state() != saved_state_; }
  /// Whether a completed step changed the scene or a view, as opposed to settings of the window.
  bool has_scene_steps() const;

 private:
  void add(Change change, std::uint64_t action, Clock::time_point now);
  static bool modifies_scene_file(const Step& step);
  static bool holds(const Step& step);
  std::deque<Step> steps_;
  std::size_t at_ = 0;  ///< steps before this index are done, the others are undone
  bool changed_cells_ = false;
  std::uint64_t action_ = 0;
  bool action_continues_ = false;
  std::size_t workspace_ = 0;
  std::uint64_t last_number_ = 0;
  std::uint64_t last_dropped_ = 0;  ///< last step dropped because of kMaxSteps that changed the scene
  std::uint64_t saved_state_ = 0;
  std::optional<std::uint64_t> opened_in_;  ///< the action that opened a file
};

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
  void request(Change change) {
    requested_ = std::move(change);
    undo_.continue_action();
  }
  /// Queues a state; replaces a requested change.
  void restore(scene::StatePtr state) {
    restored_ = std::dynamic_pointer_cast<const State>(std::move(state));
    requested_ = nullptr;
    undo_.continue_action();
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
