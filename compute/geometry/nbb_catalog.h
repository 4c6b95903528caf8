#pragma once

#include <string_view>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The nine built-in fractals of one generator, in the order of the catalogue in docs/reference/fractals.md.
/// The first one is sierpinski-gasket.
const std::vector<NbbFractal>& catalog();

/// The built-in fractals whose generators differ by level or whose replicas are turned, in the order of
/// docs/reference/fractals.md.
const std::vector<NbbFractal>& level_catalog();

/// All built-in fractals: catalog(), then level_catalog().
const std::vector<NbbFractal>& built_in_fractals();

/// What a built-in fractal that is not uniform consists of, as one sentence; empty for any other name.
std::string_view description_of(std::string_view name);

/// The built-in fractal with this name. Throws InputError with the list of names.
const NbbFractal& find_fractal(std::string_view name);

}  // namespace loom
