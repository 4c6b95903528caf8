#pragma once

#include "app/plot/figure.h"
#include "app/plot/mandelbrot_selection.h"

namespace loom::app::plot {

/// How much faster several devices are than one, by the number of devices. In the panel "strong" the problem
/// stays: the time of one device over the time of p, at the same level (n) by the same method. In "weak" it
/// grows with them: cells (pixels) a second of p devices over those of one, whose level has as many cells as
/// each of the p has at theirs, or next to as many: within a factor of 1.75, as the levels of a fractal
/// allow. A panel that nothing was measured for is left out. Colours are levels, dashes methods; one grey
/// line is p itself. With `best`, or where there are too many lines, each method has its best block size at
/// each level and number of devices; of more levels than there are colours the highest are drawn, and the
/// caption says so. Throws InputError where nothing was measured on one device and on several, where there
/// are more methods than dashes, and as select().
Figure make_scaling_figure(const bench::Results& results, const Selection& selection);
Figure make_scaling_figure(const bench::Results& results, const MandelbrotSelection& selection);

}  // namespace loom::app::plot
