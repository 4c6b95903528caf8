#pragma once

#include "app/cli/program_scenes.h"
#include "app/picture/window/picture_stage.h"

namespace loom::app {

/// Connects image export with the program.
class ProgramPictures final : public picture::PictureStage {
 public:
  ProgramPictures(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application),
        life_(life),
        mandelbrot_(mandelbrot),
        scenes_(application, life, mandelbrot) {}

  scene::SceneStage& scenes() override { return scenes_; }
  picture::PicturePlace place() const override;
  scene::Scene exact_scene() const override;
  BackendSelection backend() const override;
  void leave_out_insets(bool leave_out) override { mandelbrot_.leave_out_inset(leave_out); }

 private:
  bool shows_life() const { return application_.settings().workspace == 0; }
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  ProgramScenes scenes_;
};

}  // namespace loom::app
