#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/cli/lesson_scene.h"
#include "app/cli/program.h"
#include "app/lessons/window/window_stage.h"

namespace loom::app {

/// Connects lessons with the program. Its scenes cover all workspaces. Fields of up to kMostSavedCells are
/// stored cell by cell; a larger one restarts from its seed.
class ProgramStage final : public lessons::WindowStage {
 public:
  ProgramStage(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application), life_(life), mandelbrot_(mandelbrot) {}

  std::shared_ptr<const lessons::StageState> remember() override;
  void give_back(const lessons::StageState& state) override;
  void set(const lessons::SceneWords& scene) override;
  void begin(ShellEdit& shell) override;
  lessons::Figures figures() override;
  void check(const lessons::SceneWords& scene) const override;
  std::string changed(const lessons::SceneWords& scene) override;

 private:
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  /// Cache of the last scene read, because reading takes longer than a frame may.
  std::optional<std::pair<lessons::SceneWords, LessonScene>> asked_;
  std::optional<ShellSettings> shell_;  ///< pending change of the shell's settings
};

}  // namespace loom::app
