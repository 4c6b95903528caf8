#pragma once

#include "app/plot/figure.h"
#include "app/plot/mandelbrot_selection.h"

namespace loom::app::plot {

/// A plot of time, memory or speedup over the fastest exhaustive form of the same image, against log2 n, or
/// against the depth if the selection has several widths. A line is a method, scheme, precision if there are
/// several (colour) and set of optimizations (dash), and g, r, B if there are several. Throws InputError if
/// the selection is empty, has several backends, too many lines, an n that is not a power of two, or both
/// several n and several widths, and for the kind utilization.
Figure make_figure(const bench::Results& results, Quantity kind, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
