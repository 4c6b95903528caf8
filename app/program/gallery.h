#pragma once

#include <vector>

#include "app/program/program.h"
#include "app/shell/start_screen.h"

namespace loom::app {

/// What the start screen says first, with the launches of the three maps side by side. The arguments must
/// outlive the start screen.
StartIntroduction introduction(Application& application, LifeWorkspace& life);

/// The gallery of the start screen: assets/gallery.toml, with its pictures. The arguments must outlive the
/// start screen.
std::vector<StartPicture> gallery(Application& application, LifeWorkspace& life,
                                  MandelbrotWorkspace& mandelbrot, SolidWorkspace& solid);

}  // namespace loom::app
