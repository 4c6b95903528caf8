#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/cli/lesson_scene.h"
#include "app/cli/program.h"
#include "app/lessons/window/window_stage.h"

namespace loom::app {

/// The window program as the stage of a lesson: its scenes are those of all workspaces. Fields of up to
/// kMostSavedCells are remembered cell by cell; a larger one begins anew from its seed.
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
  /// The scene that was last asked about: reading one takes longer than a frame should.
  std::optional<std::pair<lessons::SceneWords, LessonScene>> asked_;
  std::optional<ShellSettings> shell_;  ///< what of the shell's settings is to change
};

}  // namespace loom::app
