#pragma once

#include "app/shell/shortcuts.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

/// The keys of the Mandelbrot workspace, and the help for its mouse gestures.
Shortcuts<MandelbrotEdit> mandelbrot_shortcuts();
std::span<const KeyHelp> mandelbrot_gestures();

}  // namespace loom::app
