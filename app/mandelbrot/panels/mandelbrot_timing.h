#pragma once

#include <optional>

#include "app/gui/layout.h"
#include "app/mandelbrot/scene/mandelbrot_facts.h"
#include "app/mandelbrot/scene/mandelbrot_settings.h"

namespace loom::app {

struct MandelbrotTimingState {
  std::optional<bool>
      full;  ///< all figures, or the few that fit a small picture; nothing: as its size has it
};

/// What a computation costs, in the top-right corner of `picture`: median and p95, levels, ratio to the
/// exhaustive method.
void mandelbrot_timing(MandelbrotTimingState& state, const Area& picture, MandelbrotEdit& edit,
                       const MandelbrotFacts& now);

}  // namespace loom::app
