#pragma once

#include <optional>
#include <string>

#include "app/palette/palette_folder.h"
#include "app/shell/worker.h"

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
  /// Saves the list and waits until it is on disk.
  void finish(const CustomPalettes& now);
  /// Takes the error message since the last call; usually empty.
  std::string take_problem();

 private:
  void write();

  std::optional<PaletteFolder> folder_;  ///< used by the worker while busy
  CustomPalettes last_requested_;        ///< the list last passed to the worker
  std::string problem_;
  std::string worker_problem_;  ///< used by the worker while busy
  Worker worker_;
};

}  // namespace loom::app
