#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "app/tasks/task.h"

namespace loom::app::lessons {

/// For each bundled lesson by name: the steps, from 1, whose question was answered correctly.
using SolvedSteps = std::map<std::string, std::set<std::size_t>>;

/// The text of the file with the solved steps. The reader throws InputError and skips unknown members.
std::string progress_text(const SolvedSteps& solved);
SolvedSteps read_solved_steps(std::string_view text);

/// The solved steps of the user, kept across starts in the state folder ("lessons.json"). Written in the
/// background; a file that cannot be written is ignored, since nothing else depends on it.
class LessonProgress {
 public:
  /// Reads the file. One that cannot be read is kept under another name, and nothing counts as solved.
  LessonProgress();
  std::size_t solved(const std::string& lesson) const;
  /// Also adds what another window has solved meanwhile.
  void add(const std::string& lesson, std::size_t step);
  void clear();
  bool empty() const { return steps_.empty(); }
  /// Call once per frame: starts the writing.
  void update();

 private:
  SolvedSteps steps_;
  bool changed_ = false;
  bool replaces_ = false;  ///< the file is replaced, not extended
  Task<bool> writing_;
};

}  // namespace loom::app::lessons
