#pragma once

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {

// The Mandelbrot set is symmetric about the real axis, as other sets are (EscapeTimeSet::mirrors_rows()), and
// so is the arithmetic: the orbit of a conjugate point is, bit for bit, the conjugate orbit. If the rows of a
// view are symmetric as well, row y and row height - y have the same dwells, and half of them only need to be
// copied.

/// Whether DP and ASK compute only rows 0 to height / 2 of a view: with the optimisation `mirror`, if the set
/// is symmetric, g and the height are even (so that regions end at the axis) and every row's imaginary part
/// is exactly the negated one of its mirror row. Row 0 has no mirror row.
bool is_mirrored(const MandelbrotConfig& config, const MandelbrotView& view);

}  // namespace loom
