#pragma once

#include "app/mandelbrot/explorer_report.h"
#include "app/shell/edit.h"

namespace loom::app {

/// Where the explorer looks (history, tour), how the picture is coloured and what is drawn over it.
void explorer_panel(Edit& edit, const ExplorerReport& now);

}  // namespace loom::app
