#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_shape.h"

namespace loom {

/// A named fractal that satisfies the NBB conditions: k >= 2; 1 <= s <= 8 on each axis, and not 1 on both;
/// offsets are within the scale box and pairwise different. Immutable.
class NbbFractal {
 public:
  /// Throws InputError that states what is wrong and what is allowed. The order of the offsets is kept: it
  /// numbers the replicas and thereby defines the canonical index.
  NbbFractal(std::string name, std::uint32_t s_x, std::uint32_t s_y, const std::vector<Coord32>& offsets);

  const std::string& name() const { return name_; }
  const NbbShape& shape() const { return shape_; }
  std::vector<Coord32> offsets() const;

  /// The largest level for which n_x, n_y and k^r all fit in 64 bits.
  int max_level() const { return max_level_; }
  /// s_x^r, s_y^r and k^r. They throw InputError with max_level() for a level outside 0..max_level().
  std::uint64_t width(int level) const;
  std::uint64_t height(int level) const;
  std::uint64_t cells(int level) const;
  /// The Hausdorff dimension log k / log s. For unequal scales, log s is the mean of log s_x and log s_y.
  double dimension() const;

  friend bool operator==(const NbbFractal&, const NbbFractal&) = default;

 private:
  void check_level(int level) const;
  std::string name_;
  NbbShape shape_;
  int max_level_ = 0;
};

}  // namespace loom
