#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace loom::app {

/// What was changed, by whichever workspace, so that it can be undone and done again, step by step. What
/// belongs to one action of the user, a click or a drag, is one step.
class UndoHistory {
 public:
  /// Of steps; more than anybody goes back.
  static constexpr std::size_t kKept = 1000;
  /// Changes of a view that come faster after one another than this are one step.
  static constexpr std::chrono::milliseconds kOneMove{700};
  using Clock = std::chrono::steady_clock;

  struct Part {
    std::string what = {};             ///< "level", "painted cells": as a hint says it
    bool view = false;                 ///< a view and nothing else
    std::function<void()> back;        ///< what the next frame is to do
    std::function<void()> again;       ///< likewise
    std::function<bool()> holds = {};  ///< whether it can still be done; nothing: it always can
    bool cells = false;                ///< cells were changed: painted, cleared, started anew
  };

  /// Another action begins with what is recorded from now on, by this workspace.
  void begin_action(std::size_t workspace) {
    ++action_;
    workspace_ = workspace;
  }
  std::uint64_t action() const { return action_; }
  /// `action`: which one it belongs to, action() of then. Steps that were undone are forgotten.
  void record(Part part, std::uint64_t action, Clock::time_point now = Clock::now());

  /// Undoes the last step, or does the one again that was undone last. Returns it, null where there is none.
  struct Step {
    std::size_t workspace = 0;  ///< that must be shown for it
    std::vector<Part> parts;
    std::uint64_t action = 0;
    Clock::time_point at = {};
  };
  const Step* undo();
  const Step* redo();
  bool can_undo() const { return at_ > 0; }
  bool can_redo() const { return at_ < steps_.size(); }
  std::size_t size() const { return steps_.size(); }
  /// Whether cells were ever changed, be it that all of that was undone.
  bool changed_cells() const { return changed_cells_; }
  std::size_t behind() const { return at_; }
  /// What the step that undo() or redo() would take changes; empty where there is none.
  const std::string& undoes() const;
  const std::string& does_again() const;

 private:
  static bool holds(const Step& step);
  std::deque<Step> steps_;
  std::size_t at_ = 0;  ///< steps before it are done, those from it on undone
  bool changed_cells_ = false;
  std::uint64_t action_ = 0;
  std::size_t workspace_ = 0;
};

}  // namespace loom::app
