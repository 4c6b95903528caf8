#pragma once

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom {

// The set is symmetric about the real axis, and so is the arithmetic: the orbit of a point's conjugate is,
// bit for bit, the orbit's conjugate. Where the rows of a view are as well, row y and row height - y have the
// same dwells, and half of them need only be copied.

/// Whether DP and ASK compute only rows 0 to height / 2 of a view: with the idea `mirror`, where g and the
/// height are even (so that regions end at the axis) and every row's imaginary part is exactly that of its
/// mirror image, negated. Row 0 has none.
bool is_mirrored(const MandelbrotConfig& config, const MandelbrotView& view);

}  // namespace loom
