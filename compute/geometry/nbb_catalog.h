#pragma once

#include <string_view>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The nine built-in fractals, in the order of the catalogue in docs/reference/fractals.md; sierpinski-gasket
/// first.
const std::vector<NbbFractal>& catalog();

/// The built-in fractal of that name. Throws InputError that lists the names.
const NbbFractal& find_fractal(std::string_view name);

}  // namespace loom
