#pragma once

#include <string>

#include "app/program/lesson_scene.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// Names what the user changed compared with the scene of a lesson, so that its text may no longer apply:
/// "map, tile size"; empty if nothing. Changes of the view (zoom, colours, another pinned point, more
/// generations) do not count. `workspace` is the index of the active workspace.
std::string describe_changes(const LessonScene& scene, std::size_t workspace, const LifeSettings& life,
                             const MandelbrotSettings& mandelbrot, const SolidSettings& solid);

}  // namespace loom::app
