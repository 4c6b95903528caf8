#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"

namespace loom {

/// The canonical numbering of a fractal's cells: lambda at tile size 1, row by row through the k^ceil(r/2) x
/// k^floor(r/2) orthotope. It depends only on the fractal and the level. Random starts, state hashes and
/// transfers between engines use it.
template <typename Int>
class CanonicalOrder {
 public:
  explicit CanonicalOrder(const TiledFractal& fractal)
      : transform_(fractal.shape, fractal.levels, fractal.level),
        level_(fractal.level),
        orthotope_x_(extent_x(fractal)),
        holds_all_(fractal.holds_all()) {
    if (holds_all_) {
      held_x_ = orthotope_x_;
      held_ = fractal.cells;
      return;
    }
    // Only uniform fractals are partitioned.
    // The digits of a tile row are every second digit of a cell above the digits within the tile. They select
    // a canonical row, or a canonical column if a tile has an odd number of levels.
    const std::uint64_t k = fractal.shape.k;
    const int within = fractal.tile_level;
    const std::uint64_t in_row = power(k, (within + 1) / 2).value();
    const std::uint64_t first = fractal.held.first * in_row;
    const std::uint64_t size = fractal.held.count * in_row;
    const bool in_columns = within % 2 == 1;
    first_x_ = in_columns ? first : 0;
    first_y_ = in_columns ? 0 : first;
    held_x_ = FastDivisor<std::uint64_t>(in_columns ? size : orthotope_x_.value());
    held_ = held_x_.value() * (in_columns ? power(k, fractal.level / 2).value() : size);
  }

  /// The number of cells in the tiles that are held (TiledFractal::held).
  std::uint64_t held() const { return held_; }
  /// The canonical index of the held cell with this number.
  LOOM_HOST_DEVICE std::uint64_t held_index(std::uint64_t number) const {
    if (holds_all_) return number;
    const std::uint64_t row = held_x_.divide(number);
    return (first_y_ + row) * orthotope_x_.value() + first_x_ + (number - row * held_x_.value());
  }
  /// The number of held cells with consecutive canonical indices from this one on.
  std::uint64_t held_together(std::uint64_t number) const {
    return holds_all_ ? held_ - number : held_x_.value() - number % held_x_.value();
  }

  /// The expanded coordinate of cell `index` < k^r.
  LOOM_HOST_DEVICE Coord<Int> cell(std::uint64_t index) const {
    const std::uint64_t row = orthotope_x_.divide(index);
    const std::uint64_t column = index - row * orthotope_x_.value();
    return lambda_map(transform_, level_, Coord<Int>{static_cast<Int>(column), static_cast<Int>(row)});
  }
  /// The index of a cell; present is false for a hole.
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
  /// The width of compact space at tile size 1: the product of the k of the odd levels.
  static FastDivisor<std::uint64_t> extent_x(const TiledFractal& fractal) {
    std::uint64_t extent = 1;
    for (int mu = 1; mu <= fractal.level; mu += 2) extent *= fractal.level_shape(mu).k;
    return FastDivisor<std::uint64_t>(extent);
  }
  NbbTransform<Int> transform_;
  int level_ = 0;
  FastDivisor<std::uint64_t> orthotope_x_;
  bool holds_all_ = true;
  // The rectangle of the orthotope that contains the held cells.
  std::uint64_t first_x_ = 0;
  std::uint64_t first_y_ = 0;
  FastDivisor<std::uint64_t> held_x_;
  std::uint64_t held_ = 0;
};

}  // namespace loom
