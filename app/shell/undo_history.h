#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace loom::app {

/// The undo history of all workspaces. Changes of one user action, a click or a drag, form one step.
class UndoHistory {
 public:
  /// Of steps; more than anybody goes back.
  static constexpr std::size_t kMaxSteps = 1000;
  /// Changes of a view that come faster after one another than this are one step.
  static constexpr std::chrono::milliseconds kMergeInterval{700};
  using Clock = std::chrono::steady_clock;

  struct Change {
    std::string what = {};             ///< "level", "painted cells": undo name
    bool view = false;                 ///< a view and nothing else
    bool modifies_scene = true;        ///< a scene's file would differ by it; views do not count
    std::function<void()> back;        ///< undoes the change in the next frame
    std::function<void()> again;       ///< redoes it in the next frame
    std::function<bool()> holds = {};  ///< whether it can still be done; nothing: it always can
    bool cells = false;                ///< cells were changed: painted, cleared, restarted
  };

  /// Starts a new action of this workspace; the next records belong to it.
  void begin_action(std::size_t workspace) {
    ++action_;
    workspace_ = workspace;
  }
  std::uint64_t action() const { return action_; }
  /// `action`: which one it belongs to, action() of then. Steps that were undone are forgotten.
  void record(Change change, std::uint64_t action, Clock::time_point now = Clock::now());

  /// Undoes the last step, or does the one again that was undone last. Returns it, null where there is none.
  struct Step {
    std::size_t workspace = 0;  ///< that must be shown for it
    std::vector<Change> parts;
    std::uint64_t action = 0;
    Clock::time_point at = {};
    std::uint64_t number = 0;  ///< no other step has it
  };
  const Step* undo();
  const Step* redo();
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ < steps_.size(); }
  std::size_t size() const { return steps_.size(); }
  /// Whether cells were ever changed, be it that all of that was undone.
  bool changed_cells() const { return changed_cells_; }
  std::size_t undo_count() const { return at_; }
  /// The name of the step that undo() or redo() would take; empty if there is none.
  const std::string& undo_label() const;
  const std::string& redo_label() const;

  /// What changed the scene last, of the steps that are done: equal numbers mean the same scene. Views, and
  /// what no scene's file has, do not count; nor do generations that pass by the rule.
  std::uint64_t scene_state() const;
  /// A file has the scene of then.
  void mark_saved(std::uint64_t scene_state) { saved_state_ = scene_state; }
  /// The scene was opened from a file: changes of the current action do not count as unsaved.
  void mark_opened();
  /// Whether the scene is another than the one that was saved or opened last.
  bool modified() const { return scene_state() != saved_state_; }

 private:
  void add(Change change, std::uint64_t action, Clock::time_point now);
  static bool modifies_scene_file(const Step& step);
  static bool holds(const Step& step);
  std::deque<Step> steps_;
  std::size_t at_ = 0;  ///< steps before it are done, those from it on undone
  bool changed_cells_ = false;
  std::uint64_t action_ = 0;
  std::size_t workspace_ = 0;
  std::uint64_t last_number_ = 0;
  std::uint64_t last_dropped_ = 0;  ///< last discarded step that counts as a change
  std::uint64_t saved_state_ = 0;
  std::optional<std::uint64_t> opened_in_;  ///< the action that opened a file
};

}  // namespace loom::app
