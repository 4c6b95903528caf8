#pragma once

#include "app/plot/figure.h"
#include "app/plot/mandelbrot_selection.h"

namespace loom::app::plot {

/// Time, memory or speedup over the fastest exhaustive form of the same image, by log2 n; a line is a method,
/// scheme (colour) and set of ideas (dash), and a g, r and B where there are several. The points' levels are
/// log2 n. Throws InputError where the selection leaves nothing, holds several backends, too many lines or an
/// n that is no power of two, and for the kind efficiency.
Figure make_figure(const bench::Results& results, Kind kind, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
