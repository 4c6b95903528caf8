#pragma once

#include <optional>

#include "app/document/scene/scene_file.h"
#include "app/shell/shell_settings.h"
#include "app/shell/undo_history.h"

namespace loom::app::scene {

/// The interface through which scene files access the program.
class SceneHost {
 public:
  virtual ~SceneHost() = default;
  /// The current scene without cells.
  virtual Scene describe() const = 0;
  /// Starts copying the cells; advance() continues and returns them when finished. A new request replaces the
  /// previous one. If the user cancels, asked() becomes false.
  virtual void request_cells() = 0;
  virtual bool asked() const = 0;
  virtual std::optional<FieldCells> advance() = 0;
  /// Shows the scene with the next frame. Call before the workspace's frame begins.
  virtual void show(const Scene& scene, ShellEdit& shell) = 0;
  /// Whether the ending of a file is one that open_asset() takes: pattern, palette or fractal.
  virtual bool is_asset(const std::filesystem::path& file) const = 0;
  /// Opens a part: a pattern is read in the background and placed by the user; a palette or fractal is
  /// selected. Throws InputError.
  virtual void open_asset(const std::filesystem::path& file, ShellEdit& shell) = 0;
  /// The undo history, which determines whether the scene equals its file.
  virtual UndoHistory& undo() = 0;
  /// The memory check for the selected backend.
  virtual CapacityCheck capacity_check() const = 0;
};

}  // namespace loom::app::scene
