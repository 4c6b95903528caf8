#pragma once

#include "app/plot/figure.h"
#include "app/plot/mandelbrot_figure.h"

namespace loom::app::plot {

/// A plot of the speedup of several devices over one, against the number of devices. Panel "strong": the time
/// of one device over that of p at the same level (n) with the same method. Panel "weak": cells (pixels) per
/// second of p devices over those of one, at a level with equally many cells per device within a factor of
/// 1.75, as far as the levels of a fractal permit. A panel without measurements is left out. Colours are
/// levels, dashes are methods; one grey line is ideal. With `best`, or with too many lines, each method has
/// its best tile size at each level and number of devices; if there are more levels than colours, the highest
/// are drawn, and the caption says so. Throws InputError if nothing was measured on both one and several
/// devices, if there are more methods than dashes, and as select().
Figure make_scaling_figure(const bench::Results& results, const Selection& selection);
Figure make_scaling_figure(const bench::Results& results, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
