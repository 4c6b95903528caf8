#pragma once

#include <optional>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The directions of the map of tiles: compact -> expanded (lambda) and expanded -> compact (nu).
enum class MapDirection { kLambda, kNu };

/// The first tile level r_b at which the papers' plain FP16 weights (TensorWeights::kPlain) give a wrong
/// coordinate for some tile; nothing if all levels up to max_level() are right, or if the fractal is not
/// uniform and has no such weights. Plain weights are exact while the weight of every level that moves some
/// tile is an FP16 number, that is an integer of at most 11 significant bits and at most 65504. nu of the
/// Sierpinski gasket fails at 15 (3^7), its lambda at 17 (2^16), lambda of every fractal of scale 3 at 8
/// (3^7).
std::optional<int> first_wrong_level(const NbbFractal& fractal, MapDirection direction);

}  // namespace loom
