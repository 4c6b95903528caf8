#pragma once

#include <optional>

#include "app/scene/scene_file.h"
#include "app/shell/shell_settings.h"

namespace loom::app::scene {

/// The program as scenes see it.
class SceneStage {
 public:
  virtual ~SceneStage() = default;
  /// All that is shown but the cells.
  virtual Scene describe() const = 0;
  /// Has the cells copied; advance() goes on with it and returns them once they are there. Another wish takes
  /// the place of the last. Nothing comes where the user ended it: then asked() is false.
  virtual void ask_for_cells() = 0;
  virtual bool asked() const = 0;
  virtual std::optional<FieldCells> advance() = 0;
  /// Before the workspace's frame begins: its next frame shows the scene.
  virtual void show(const Scene& scene, ShellEdit& shell) = 0;
  /// Whether a file is, by its ending, a part of a scene that open_part() takes: a pattern, a palette, a
  /// fractal.
  virtual bool is_part(const std::filesystem::path& file) const = 0;
  /// A pattern is read beside the frames and placed by the user; a palette and a fractal are chosen. Throws
  /// InputError.
  virtual void open_part(const std::filesystem::path& file, ShellEdit& shell) = 0;
  /// Whether the user has changed cells since the program began.
  virtual bool cells_changed() const = 0;
  /// Whether the backend that is chosen has room for a scene's cells.
  virtual CheckRoom room() const = 0;
};

}  // namespace loom::app::scene
