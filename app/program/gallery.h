#pragma once

#include <span>
#include <vector>

#include "app/lessons/lesson.h"
#include "app/program/program.h"
#include "app/shell/start_screen.h"

namespace loom::app {

/// What the start screen says first, with the launches of the three maps side by side. The arguments must
/// outlive the start screen.
StartIntroduction introduction(Application& application, LifeWorkspace& life);

/// A scene of the gallery, by the options of `fractal-loom view` that make it.
struct GalleryScene {
  const char* title;
  lessons::SceneSettingList scene;
};
std::span<const GalleryScene> gallery_scenes();

/// The gallery of the start screen. Its pictures are drawn by the CPU, as `fractal-loom shot --plain` draws
/// them. The arguments must outlive the start screen.
std::vector<StartPicture> gallery(Application& application, LifeWorkspace& life,
                                  MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid);

}  // namespace loom::app
