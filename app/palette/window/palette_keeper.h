#pragma once

#include <optional>
#include <string>

#include "app/palette/palette_folder.h"
#include "app/shell/worker.h"

namespace loom::app {

/// Keeps the window's own palettes in the user's folder as they change, beside the frames: a disk may take
/// its time. Where there is no such folder it does nothing.
class PaletteKeeper {
 public:
  PaletteKeeper();

  /// Those that were kept. Once, first of all.
  OwnPalettes load();
  /// In each frame: the list as it is now.
  void keep(const OwnPalettes& now);
  /// The same once more, and waits until the disk has it.
  void finish(const OwnPalettes& now);
  /// What went wrong since the last call, for the user; empty most of the time.
  std::string take_problem();

 private:
  void write();

  std::optional<PaletteFolder> folder_;  ///< the worker's, while it is busy
  OwnPalettes asked_;                    ///< what was given to the worker last
  std::string problem_;
  std::string worker_problem_;  ///< the worker's, while it is busy
  Worker worker_;
};

}  // namespace loom::app
