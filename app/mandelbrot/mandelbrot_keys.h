#pragma once

#include "app/mandelbrot/scene/mandelbrot_settings.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// The keys of the Mandelbrot workspace, and the help for its mouse gestures.
Shortcuts<MandelbrotEdit> mandelbrot_shortcuts();
std::span<const KeyHelp> mandelbrot_gestures();

}  // namespace loom::app
