#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "app/tasks/task.h"

namespace loom::app {

/// For each bundled lesson or exercise by name: the steps, from 1, that are solved. An exercise has one step.
using SolvedSteps = std::map<std::string, std::set<std::size_t>>;

/// The text of the file with the solved steps. The reader throws InputError and skips unknown members.
/// `what`: "lesson" or "exercise", of which the file must be.
std::string progress_text(std::string_view what, const SolvedSteps& solved);
SolvedSteps read_solved_steps(std::string_view what, std::string_view text);

/// The solved steps of the user, kept across starts in the state folder ("lessons.json", "exercises.json").
/// Written in the background.
class LearningProgress {
 public:
  /// Reads the file. One that cannot be read is kept under another name, and nothing counts as solved.
  explicit LearningProgress(std::string what);
  std::size_t solved(const std::string& name) const;
  bool has(const std::string& name, std::size_t step) const;
  /// Also adds what another window has solved meanwhile.
  void add(const std::string& name, std::size_t step);
  void clear();
  bool empty() const { return steps_.empty(); }
  /// Call once per frame: starts the writing. Returns why it failed, once; empty otherwise.
  std::string update();
  /// Writes what is not written yet, and waits. Returns why it failed; empty on success.
  std::string finish();

 private:
  void start();
  std::string take_outcome(TaskTimeout timeout);

  std::string what_;  ///< "lesson" or "exercise"
  SolvedSteps steps_;
  bool changed_ = false;
  bool failed_ = false;     ///< the last attempt to write failed
  bool replaces_ = false;   ///< the file is replaced, not extended
  bool replacing_ = false;  ///< the running or last attempt does so
  Task<bool> writing_;
};

}  // namespace loom::app
