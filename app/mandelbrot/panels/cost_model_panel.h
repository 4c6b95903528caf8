#pragma once

#include "app/gui/layout.h"
#include "app/mandelbrot/explorer_report.h"
#include "app/shell/edit.h"
#include "render/palette.h"

namespace loom::app {

/// The cost model beside the measurement, and both as landscapes over g, r and B, at the left of `picture`.
void cost_model_panel(const Area& picture, Edit& edit, const ExplorerReport& now,
                      const render::Palette& palette);

}  // namespace loom::app
