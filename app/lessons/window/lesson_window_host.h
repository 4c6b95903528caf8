#pragma once

#include <string>

#include "app/lessons/lesson_file.h"
#include "app/lessons/lesson_session.h"
#include "app/shell/shell_settings.h"

namespace loom::app::lessons {

/// The window as a host, with what the strip needs in addition to scenes.
class LessonWindowHost : public LessonHost {
 public:
  /// Begins a frame: applies the scene's settings of the shell.
  virtual void begin(ShellEdit& shell) = 0;
  /// The current report of the program.
  virtual ReportValues values() = 0;
  /// Checks that set() accepts a scene; see CheckScene.
  virtual void check(const SceneSettingList& scene) const = 0;
  /// Names of the settings that differ from a scene; empty if there are none.
  virtual std::string changed(const SceneSettingList& scene) = 0;
};

}  // namespace loom::app::lessons
