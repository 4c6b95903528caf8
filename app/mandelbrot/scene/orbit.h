#pragma once

#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// The orbit of c in double precision: c itself and the points after it, while |z|^2 < 4, the first point
/// outside among them; at most `limit` + 1 points and at most `most`.
std::vector<ComplexPoint> orbit_of(const ComplexPoint& c, std::uint32_t limit, std::size_t most);

}  // namespace loom::app
