#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {

/// lambda and nu of tile coordinates of a fractal with turned replicas, level by level or from tables that
/// cover several levels per look-up; chosen at run time, which needs half of the kernels. A group of levels
/// acts as one level: its replicas are the cells of the levels together, each with an offset and a symmetry.
/// lambda goes from the finest group up, with one entry for each cell of a group; nu from the coarsest group
/// down, with one entry for each orientation and point of a group. Exact.
///
/// This is a view: the caller owns the tables, in host or device memory.
template <typename Int>
class TurnedArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kOneThread;
  static constexpr bool kTurned = true;

  /// A view of `tables`, which is the content of build(fractal) or a copy of it; null: level by level.
  TurnedArithmetic(const TiledFractal& fractal, const void* tables);
  /// The groups and their tables.
  static std::vector<std::uint64_t> build(const TiledFractal& fractal);

  /// lambda and the orientation of the tile's content.
  LOOM_HOST_DEVICE TurnedCoord<Int> turned_lambda(Coord<Int> omega) const {
    if (groups_ == nullptr) return turned_lambda_map(transform_, levels_, omega);
    TurnedCoord<Int> result;
    for (int c = 0; c < count_; ++c) {
      const Group& group = groups_[c];
      const Int x = group.digits_x.take_digit(omega.x);
      const Int y = group.digits_y.take_digit(omega.y);
      const std::uint32_t entry = entries_[group.lambda + y * group.digits_x.value() + x];
      const auto symmetry = static_cast<Symmetry>(entry & 7u);
      const Int side = group.below.value();
      result.at = apply(symmetry, result.at, side);
      result.at.x += side * (entry >> 3 & kCoordinate);
      result.at.y += side * (entry >> (3 + kCoordinateBits));
      result.symmetry = compose(symmetry, result.symmetry);
    }
    return result;
  }
  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const { return turned_lambda(omega).at; }

  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    if (groups_ == nullptr) return turned_nu_map(transform_, levels_, place);
    CompactCoord<Int> result;
    std::uint32_t symmetry = 0;
    for (int c = count_; c-- > 0;) {
      const Group& group = groups_[c];
      const Int x = group.below.divide(place.x);
      const Int y = group.below.divide(place.y);
      place.x -= x * group.below.value();
      place.y -= y * group.below.value();
      const std::uint32_t point = static_cast<std::uint32_t>(y) * group.side + static_cast<std::uint32_t>(x);
      const std::uint32_t entry = entries_[group.nu + symmetry * group.side * group.side + point];
      if (entry == kHole) return result;
      symmetry = entry & 7u;
      result.omega.x = result.omega.x * group.digits_x.value() + (entry >> 3 & kCoordinate);
      result.omega.y = result.omega.y * group.digits_y.value() + (entry >> (3 + kCoordinateBits));
    }
    result.present = true;
    return result;
  }

 private:
  static constexpr std::uint32_t kCoordinateBits = 14;
  static constexpr std::uint32_t kCoordinate = (1u << kCoordinateBits) - 1;
  static constexpr std::uint32_t kHole = ~0u;
  /// The largest number of points of a group of several levels: tables of 8 x 256 entries of nu.
  static constexpr std::uint64_t kMaxPoints = 256;

  /// Levels that are looked up together.
  struct Group {
    FastDivisor<Int> digits_x;  ///< product of the k of its levels that belong to omega_x
    FastDivisor<Int> digits_y;
    FastDivisor<Int> below;    ///< side of the content, the product of the scales of the finer groups
    std::uint32_t side = 1;    ///< product of its scales
    std::uint32_t lambda = 0;  ///< first entry of its tables
    std::uint32_t nu = 0;
  };

  NbbTransform<Int> transform_;
  int levels_ = 0;
  const Group* groups_;  ///< the finest first
  const std::uint32_t* entries_;
  int count_ = 0;
};

extern template class TurnedArithmetic<std::uint32_t>;
extern template class TurnedArithmetic<std::uint64_t>;

}  // namespace loom
