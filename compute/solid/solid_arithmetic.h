#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/map/arithmetic.h"
#include "compute/solid/tiled_solid.h"

namespace loom {

/// An entry of SolidTableArithmetic: a sum of lambda or nu, aligned so that it is loaded at once.
struct alignas(16) SolidEntry {
  Coord3 sum;
  std::uint32_t hole = 0;  ///< nu: 1 if some level has no replica at this point
};

/// lambda and nu of tile coordinates from tables that cover several levels' digits per look-up, as
/// TableArithmetic in two dimensions: lambda(omega) is a sum of one entry for each group of digits of each
/// axis of omega; nu's tables have one entry for each point of a box of several levels. A table has at most
/// 1024 entries. Exact.
///
/// This is a view: the caller owns the entries, in host or device memory.
class SolidTableArithmetic {
 public:
  SolidTableArithmetic() = default;
  /// A view of `entries`, which is the content of build(tiled) or a copy of it.
  SolidTableArithmetic(const TiledSolid& tiled, const SolidEntry* entries);
  static std::vector<SolidEntry> build(const TiledSolid& tiled);

  LOOM_HOST_DEVICE Coord3 lambda(Coord3 omega) const {
    Coord3 place;
    axes_[0].add(omega.x, place);
    axes_[1].add(omega.y, place);
    axes_[2].add(omega.z, place);
    return place;
  }
  LOOM_HOST_DEVICE CompactCoord3 nu(Coord3 place) const {
    CompactCoord3 result;
    std::uint32_t holes = 0;
    for (int c = 0; c < nu_.count; ++c) {
      const SolidEntry entry = nu_.take(c, place);
      holes |= entry.hole;
      add_to(result.omega, entry.sum);
    }
    result.present = holes == 0;
    return result;
  }

 private:
  static constexpr int kMaxDigitGroups = 6;
  static constexpr int kMaxBoxGroups = 16;

  LOOM_HOST_DEVICE static void add_to(Coord3& sum, Coord3 term) {
    sum.x += term.x;
    sum.y += term.y;
    sum.z += term.z;
  }

  /// Groups of base-k digits of one axis of omega, the finest first; the last group is the remaining quotient
  /// and needs no division.
  struct DigitGroups {
    int count = 0;
    FastDivisor<std::uint32_t> base[kMaxDigitGroups];
    const SolidEntry* entries[kMaxDigitGroups] = {};
    LOOM_HOST_DEVICE void add(std::uint32_t digits, Coord3& place) const {
      for (int c = 0; c < count; ++c) {
        const std::uint32_t digit = c + 1 < count ? base[c].take_digit(digits) : digits;
        const SolidEntry entry = entries[c][digit];
        add_to(place, entry.sum);
      }
    }
  };
  /// Groups of levels, the finest first.
  struct BoxGroups {
    int count = 0;
    FastDivisor<std::uint32_t> side_x[kMaxBoxGroups];
    FastDivisor<std::uint32_t> side_y[kMaxBoxGroups];
    FastDivisor<std::uint32_t> side_z[kMaxBoxGroups];
    const SolidEntry* entries[kMaxBoxGroups] = {};
    LOOM_HOST_DEVICE SolidEntry take(int c, Coord3& place) const {
      Coord3 at = place;
      if (c + 1 < count) {
        at.x = side_x[c].take_digit(place.x);
        at.y = side_y[c].take_digit(place.y);
        at.z = side_z[c].take_digit(place.z);
      }
      return entries[c][(at.z * side_y[c].value() + at.y) * side_x[c].value() + at.x];
    }
  };

  DigitGroups axes_[3];
  BoxGroups nu_;
};

/// lambda and nu of tile coordinates with the arithmetic chosen at run time; all threads take the same
/// branch.
class SolidArithmetic {
 public:
  SolidArithmetic() = default;
  /// `entries` as for SolidTableArithmetic; only kTable reads them.
  SolidArithmetic(MapArithmetic kind, const TiledSolid& tiled, const SolidEntry* entries)
      : by_table_(kind == MapArithmetic::kTable), levels_(tiled.coarse_level) {
    if (by_table_) table_ = SolidTableArithmetic(tiled, entries);
  }
  LOOM_HOST_DEVICE Coord3 lambda(const TiledSolid& tiled, Coord3 omega) const {
    if (by_table_) return table_.lambda(omega);
    return lambda_map(tiled.transform, levels_, omega);
  }
  LOOM_HOST_DEVICE CompactCoord3 nu(const TiledSolid& tiled, Coord3 place) const {
    if (by_table_) return table_.nu(place);
    return nu_map(tiled.transform, levels_, place);
  }

 private:
  bool by_table_ = false;
  int levels_ = 0;
  SolidTableArithmetic table_;
};

}  // namespace loom
