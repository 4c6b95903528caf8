#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/palette/palette_folder.h"
#include "app/tasks/task.h"

namespace loom::app {

/// Saves the custom palettes to the user's folder in the background as they change. Does nothing if there is
/// no folder.
class PaletteAutosave {
 public:
  PaletteAutosave();

  /// Loads the saved palettes. Call once, before anything else.
  CustomPalettes load();
  /// Call in each frame with the current list.
  void save(const CustomPalettes& now);
  /// Options or the file that they open added palettes to the list: they are not the user's until edited.
  void exclude(const CustomPalettes& with_options);
  /// Saves the list and waits until it is on disk. Returns why it failed; empty on success.
  std::string finish(const CustomPalettes& now);
  /// Takes the error message since the last call; usually empty.
  std::string take_problem();

 private:
  void start(const CustomPalettes& now);
  void take_outcome(const Task<std::monostate>::Outcome& outcome);

  std::optional<PaletteFolder> folder_;  ///< used by the task while it runs
  CustomPalettes last_requested_;        ///< the list last passed to the task
  std::string problem_;
  bool failed_ = false;        ///< the last attempt to save failed
  Task<std::monostate> task_;  ///< last member: must end before the members it uses
};

}  // namespace loom::app
