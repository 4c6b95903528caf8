#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/lessons/window/lesson_strip.h"
#include "app/program/lesson_check.h"
#include "app/program/program.h"

namespace loom::app {

/// Shows the scene with the next frame, in its workspace; the other one does not change. `shell`: the
/// program's settings, which receive what the scene defines of them.
void show_scene(const LessonScene& scene, Application& application, LifeWorkspace& life,
                MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid, ShellSettings& shell);

/// Connects lessons with the program. A snapshot covers all workspaces, as Workspace::quick_state() does.
class ProgramLessonHost final : public lessons::LessonHost {
 public:
  ProgramLessonHost(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot,
                    SolidWorkspace& solid)
      : application_(application), life_(life), mandelbrot_(mandelbrot), solid_(solid) {}

  std::shared_ptr<const lessons::SceneSnapshot> take_snapshot() override;
  void restore_snapshot(const lessons::SceneSnapshot& state) override;
  void set(const lessons::SceneSettingList& scene) override;
  void begin(ShellEdit& shell) override;
  lessons::ReportValues values() override;
  void check(const lessons::SceneSettingList& scene) const override;
  std::string changed(const lessons::SceneSettingList& scene) override;

 private:
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  SolidWorkspace& solid_;
  /// Cache of the last scene read, because reading takes longer than a frame may.
  std::optional<std::pair<lessons::SceneSettingList, LessonScene>> asked_;
  std::optional<ShellSettings> shell_;  ///< pending change of the shell's settings
};

}  // namespace loom::app
