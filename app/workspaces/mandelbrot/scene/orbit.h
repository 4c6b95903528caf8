#pragma once

#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// The orbit of c in double precision: c and the following points while |z|^2 < 4, including the first point
/// outside. At most `limit` + 1 points, and at most `most`.
std::vector<ComplexPoint> orbit_of(const ComplexPoint& c, std::uint32_t limit, std::size_t most);

}  // namespace loom::app
