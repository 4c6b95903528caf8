#pragma once

#include "app/shell/edit.h"

namespace loom::app {

/// Life | Mandelbrot, over the panels.
void workspace_switch(Edit& edit);

}  // namespace loom::app
