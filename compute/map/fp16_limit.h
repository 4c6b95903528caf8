#pragma once

#include <optional>

#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// The two directions of the map of blocks: compact -> expanded and back.
enum class MapDirection { kLambda, kNu };

/// The first block level r_b at which the papers' plain FP16 weights (TensorWeights::kPlain) give some block
/// of the fractal a wrong coordinate; nothing where all levels up to max_level() are right. With plain
/// weights a map is right as long as each weight of a level that moves some block is an FP16 number: an
/// integer of at most 11 significant bits, at most 65504. nu of the Sierpinski gasket fails at 15 (3^7), its
/// lambda at 17 (2^16), lambda of every fractal of scale 3 at 8 (3^7).
std::optional<int> first_wrong_level(const NbbFractal& fractal, MapDirection direction);

}  // namespace loom
