#pragma once

#include "app/document/image/window/image_host.h"
#include "app/program/program_scene_host.h"

namespace loom::app {

/// Connects image export with the program.
class ProgramImageHost final : public picture::ImageHost {
 public:
  ProgramImageHost(Application& application, LifeWorkspace& life, MandelbrotWorkspace& mandelbrot)
      : application_(application),
        life_(life),
        mandelbrot_(mandelbrot),
        scenes_(application, life, mandelbrot) {}

  scene::SceneHost& scenes() override { return scenes_; }
  picture::PictureArea place() const override;
  scene::Scene exact_scene() const override;
  BackendSelection backend() const override;
  void hide_insets(bool leave_out) override { mandelbrot_.hide_inset(leave_out); }

 private:
  bool shows_life() const { return application_.settings().workspace == 0; }
  Application& application_;
  LifeWorkspace& life_;
  MandelbrotWorkspace& mandelbrot_;
  ProgramSceneHost scenes_;
};

}  // namespace loom::app
