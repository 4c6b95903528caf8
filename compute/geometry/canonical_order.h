#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

/// The canonical numbering of a fractal's cells: lambda at block size 1, row by row through the
/// k^ceil(r/2) x k^floor(r/2) orthotope. It depends on the fractal and the level alone, so starts, hashes and
/// transfers between engines use it.
template <typename Int>
class CanonicalOrder {
 public:
  explicit CanonicalOrder(const BlockedFractal& fractal)
      : transform_(fractal.shape),
        level_(fractal.level),
        orthotope_x_(power(fractal.shape.k, (fractal.level + 1) / 2)) {}

  /// The expanded coordinate of cell `index` < k^r.
  LOOM_HOST_DEVICE Coord<Int> cell(std::uint64_t index) const {
    const std::uint64_t row = orthotope_x_.divide(index);
    const std::uint64_t column = index - row * orthotope_x_.value();
    return lambda_map(transform_, level_, Coord<Int>{static_cast<Int>(column), static_cast<Int>(row)});
  }
  /// The index of a cell, or nothing (present = false) for a hole.
  struct Index {
    std::uint64_t value = 0;
    bool present = false;
  };
  LOOM_HOST_DEVICE Index index(Coord<Int> cell) const {
    const CompactCoord<Int> found = nu_map(transform_, level_, cell);
    return {std::uint64_t{found.omega.y} * orthotope_x_.value() + found.omega.x, found.present};
  }

 private:
  static FastDivisor<std::uint64_t> power(std::uint64_t base, int exponent) {
    return FastDivisor<std::uint64_t>(checked_power(base, exponent).value());
  }
  NbbTransform<Int> transform_;
  int level_ = 0;
  FastDivisor<std::uint64_t> orthotope_x_;
};

}  // namespace loom
