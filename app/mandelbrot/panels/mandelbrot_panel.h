#pragma once

#include "app/mandelbrot/explorer_report.h"
#include "app/shell/edit.h"

namespace loom::app {

/// How dwells are computed: method, scheme, parameters, precision, backend; and the check against exhaustive.
void mandelbrot_panel(Edit& edit, const ExplorerReport& now);

}  // namespace loom::app
