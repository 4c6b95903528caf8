#pragma once

#include <optional>

#include "app/gui/layout.h"
#include "app/mandelbrot/explorer_report.h"
#include "app/shell/edit.h"

namespace loom::app {

struct MandelbrotTimingState {
  std::optional<bool>
      full;  ///< all figures, or the few that fit a small picture; nothing: as its size has it
};

/// What a computation costs, in the top-right corner of `picture`: median and p95, levels, ratio to the
/// exhaustive method.
void mandelbrot_timing(MandelbrotTimingState& state, const Area& picture, Edit& edit,
                       const ExplorerReport& now);

}  // namespace loom::app
