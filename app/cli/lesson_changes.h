#pragma once

#include <string>

#include "app/cli/lesson_scene.h"
#include "app/life/scene/life_settings.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// What of a lesson's scene is otherwise now, so that the lesson's words may no longer be true of what is
/// seen: "map, block size"; empty where it is the scene. What is only looked at in another way (zoom,
/// colours, another pinned point, generations that went on) does not count. `workspace`: the number of the
/// one that is shown.
std::string changed_since(const LessonScene& scene, std::size_t workspace, const LifeSettings& life,
                          const MandelbrotSettings& mandelbrot);

}  // namespace loom::app
