#pragma once

#include <string>

#include "app/lessons/lesson_file.h"
#include "app/lessons/play.h"
#include "app/shell/shell_settings.h"

namespace loom::app::lessons {

/// The window as a stage: what the strip needs of it besides its scenes.
class WindowStage : public Stage {
 public:
  /// A frame begins: what a scene wants of the shell's settings.
  virtual void begin(ShellEdit& shell) = 0;
  /// The program's report of the moment.
  virtual Figures figures() = 0;
  /// Looks at a scene as set() would take it; see CheckScene.
  virtual void check(const SceneWords& scene) const = 0;
  /// What of a scene is otherwise now, in words; empty where nothing is.
  virtual std::string changed(const SceneWords& scene) = 0;
};

}  // namespace loom::app::lessons
