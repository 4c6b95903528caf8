#include "app/cli/program_pictures.h"

namespace loom::app {

picture::PicturePlace ProgramPictures::place() const {
  if (shows_life()) return {life_.picture_area(), life_.picture_scale(), !life_.settings().beside.empty()};
  return {mandelbrot_.picture_area(), mandelbrot_.picture_scale(), false};
}

scene::Scene ProgramPictures::exact_scene() const {
  scene::Scene scene = scenes_.describe();
  if (!life_.opened()) scene.life_view = life_.sights();
  if (!mandelbrot_.opened() && !mandelbrot_.picture_area().empty())
    scene.mandelbrot_view = mandelbrot_.view();
  return scene;
}

BackendSelection ProgramPictures::backend() const {
  return life_.host().backend();
}

}  // namespace loom::app
