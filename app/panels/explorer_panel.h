#pragma once

#include "app/edit.h"
#include "app/mandelbrot/explorer_report.h"

namespace loom::app {

/// Where the explorer looks (history, tour), how the picture is coloured and what is drawn over it.
void explorer_panel(Edit& edit, const ExplorerReport& now);

}  // namespace loom::app
