#include "app/program/program_image_host.h"

namespace loom::app {

picture::PictureArea ProgramImageHost::place() const {
  if (shows_life())
    return {life_.picture_area(), life_.picture_scale(), !life_.settings().secondary_panes.empty()};
  return {mandelbrot_.picture_area(), mandelbrot_.picture_scale(), false};
}

scene::Scene ProgramImageHost::exact_scene() const {
  scene::Scene scene = scenes_.describe();
  if (!life_.opened()) scene.life_view = life_.sights();
  if (!mandelbrot_.opened() && !mandelbrot_.picture_area().empty())
    scene.mandelbrot_view = mandelbrot_.view();
  return scene;
}

BackendSelection ProgramImageHost::backend() const {
  return life_.async_engine().backend();
}

}  // namespace loom::app
