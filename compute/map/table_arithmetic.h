#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/computed_by.h"

namespace loom {

/// lambda and nu of block coordinates from tables of several levels' digits at a time.
///
/// lambda is a sum over levels, and each level's digit comes from omega_x or omega_y alone, so lambda(omega)
/// is a sum of table entries: one for each group of digits of omega_x, one for each of omega_y. nu needs both
/// coordinates of a level at once, so its tables have an entry for each square of s_x^t x s_y^t points.
/// Tables hold at most kMaxEntries entries, which the first-level cache keeps; the gasket's lambda at block
/// level 12 takes two look-ups, its nu three. Exact, like the loop.
///
/// This is a view: the entries lie in memory that the caller owns, on the host or on the device.
template <typename Int>
class TableArithmetic {
 public:
  static constexpr ComputedBy kComputedBy = ComputedBy::kOneThread;

  /// A view over `entries`, the content of build(fractal) wherever it was copied to.
  TableArithmetic(const BlockedFractal& fractal, const Coord<Int>* entries);
  /// The entries of all tables.
  static std::vector<Coord<Int>> build(const BlockedFractal& fractal);

  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    Coord<Int> place{0, 0};
    for (int c = 0; c < lambda_x_.count; ++c) add(place, lambda_x_.at(c, omega.x));
    for (int c = 0; c < lambda_y_.count; ++c) add(place, lambda_y_.at(c, omega.y));
    return place;
  }

  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    CompactCoord<Int> result;
    bool hole = false;
    for (int c = 0; c < nu_.count; ++c) {
      Int x = place.x;
      Int y = place.y;
      if (c + 1 < nu_.count) {
        x = nu_.side_x[c].take_digit(place.x);
        y = nu_.side_y[c].take_digit(place.y);
      }
      const Coord<Int> entry = nu_.entries[c][y * nu_.side_x[c].value() + x];
      hole = hole || entry.x == kHole;
      add(result.omega, entry);
    }
    result.present = !hole;
    return result;
  }

 private:
  static constexpr Int kHole = ~Int{0};
  static constexpr std::uint64_t kMaxEntries = 1024;
  static constexpr int kMaxGroups = 24;  ///< 64 bits of levels where a group holds a single one

  LOOM_HOST_DEVICE static void add(Coord<Int>& sum, Coord<Int> term) {
    sum.x += term.x;
    sum.y += term.y;
  }

  /// Groups of base-k digits, the finest first; the last takes what is left without a division.
  struct DigitGroups {
    int count = 0;
    FastDivisor<Int> base[6];
    const Coord<Int>* entries[6] = {};
    LOOM_HOST_DEVICE Coord<Int> at(int c, Int& digits) const {
      const Int digit = c + 1 < count ? base[c].take_digit(digits) : digits;
      return entries[c][digit];
    }
  };
  /// Groups of levels, the finest first.
  struct SquareGroups {
    int count = 0;
    FastDivisor<Int> side_x[kMaxGroups];
    FastDivisor<Int> side_y[kMaxGroups];
    const Coord<Int>* entries[kMaxGroups] = {};
  };

  DigitGroups lambda_x_;
  DigitGroups lambda_y_;
  SquareGroups nu_;
};

extern template class TableArithmetic<std::uint32_t>;
extern template class TableArithmetic<std::uint64_t>;

}  // namespace loom
