#pragma once

#include "app/edit.h"

namespace loom::app {

/// Life | Mandelbrot, over the panels.
void workspace_switch(Edit& edit);

}  // namespace loom::app
