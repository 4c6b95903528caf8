#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/layout.h"
#include "app/lessons/window/lesson_panel.h"
#include "app/tasks/task.h"

namespace loom::app::lessons {

/// For each bundled lesson by name: the steps, from 1, whose question was answered correctly.
using SolvedSteps = std::map<std::string, std::set<std::size_t>>;

/// The text of the file with the solved steps. The reader throws InputError and skips unknown members.
std::string progress_text(const SolvedSteps& solved);
SolvedSteps read_solved_steps(std::string_view text);

/// The solved steps of the user, kept across starts in the state folder ("lessons.json"). Written in the
/// background.
class LessonProgress {
 public:
  /// Reads the file. One that cannot be read is kept under another name, and nothing counts as solved.
  LessonProgress();
  std::size_t solved(const std::string& lesson) const;
  /// Also adds what another window has solved meanwhile.
  void add(const std::string& lesson, std::size_t step);
  void clear();
  bool empty() const { return steps_.empty(); }
  /// Call once per frame: starts the writing. Returns why it failed, once; empty otherwise.
  std::string update();
  /// Writes what is not written yet, and waits. Returns why it failed; empty on success.
  std::string finish();

 private:
  void start();
  std::string take_outcome(TaskTimeout timeout);

  SolvedSteps steps_;
  bool changed_ = false;
  bool failed_ = false;     ///< the last attempt to write failed
  bool replaces_ = false;   ///< the file is replaced, not extended
  bool replacing_ = false;  ///< the running or last attempt does so
  Task<bool> writing_;
};

/// The list of lessons, over `area`. `plays`: a lesson is open, and the list offers to return to it.
void lesson_list(const Area& area, const std::vector<LessonListEntry>& lessons, bool plays,
                 const std::string& message, LessonPanelState& state, LessonRequests& requests);

}  // namespace loom::app::lessons
