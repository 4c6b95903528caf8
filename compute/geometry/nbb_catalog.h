#pragma once

#include <string_view>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The nine built-in fractals, in the order of the catalogue in docs/reference/fractals.md. The first one is
/// sierpinski-gasket.
const std::vector<NbbFractal>& catalog();

/// The built-in fractal with this name. Throws InputError with the list of names.
const NbbFractal& find_fractal(std::string_view name);

}  // namespace loom
