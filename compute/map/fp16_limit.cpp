#include "compute/map/fp16_limit.h"

#include <algorithm>
#include <cstdint>

#include "compute/core/half.h"
#include "compute/core/integer_math.h"

namespace loom {

std::optional<int> first_wrong_level(const NbbFractal& fractal, MapDirection direction) {
  if (!fractal.is_uniform()) return std::nullopt;
  const NbbShape& shape = fractal.shape();
  // An axis on which no replica is offset has sums of zeros, for any weights.
  const bool moves_x =
      std::any_of(shape.offset_x, shape.offset_x + shape.k, [](auto tau) { return tau > 0; });
  const bool moves_y =
      std::any_of(shape.offset_y, shape.offset_y + shape.k, [](auto tau) { return tau > 0; });
  const auto fits = [](std::uint64_t base, int exponent) { return is_half(*checked_power(base, exponent)); };
  for (int mu = 1; mu <= fractal.max_level(); ++mu) {
    const bool right = direction == MapDirection::kNu
                           ? fits(shape.k, (mu - 1) / 2)
                           : (!moves_x || fits(shape.s_x, mu - 1)) && (!moves_y || fits(shape.s_y, mu - 1));
    if (!right) return mu;
  }
  return std::nullopt;
}

}  // namespace loom
