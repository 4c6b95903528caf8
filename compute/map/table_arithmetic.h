#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {

/// lambda and nu of tile coordinates from tables that cover several levels' digits per look-up.
///
/// lambda is a sum over levels, and each level's digit comes from either omega_x or omega_y, so that
/// lambda(omega) is a sum of table entries: one for each group of digits of omega_x and one for each group of
/// digits of omega_y. nu needs both coordinates of a level together, so that its tables have one entry for
/// each point of a square of s_x^t x s_y^t points. A table has at most kMaxEntries entries and stays in the
/// first-level cache. The gasket's lambda at tile level 12 needs two look-ups, its nu three. Exact, equal to
/// LoopArithmetic.
///
/// This is a view: the caller owns the entries, in host or device memory.
template <typename Int>
class TableArithmetic {
 public:
  static constexpr ExecutionScope kExecutionScope = ExecutionScope::kOneThread;

  /// A view of `entries`, which is the content of build(fractal) or a copy of it.
  TableArithmetic(const TiledFractal& fractal, const Coord<Int>* entries);
  /// The entries of all tables.
  static std::vector<Coord<Int>> build(const TiledFractal& fractal);

  LOOM_HOST_DEVICE Coord<Int> lambda(Coord<Int> omega) const {
    Coord<Int> place{0, 0};
    for (int c = 0; c < lambda_x_.count; ++c) add(place, load(lambda_x_.take(c, omega.x)));
    for (int c = 0; c < lambda_y_.count; ++c) add(place, load(lambda_y_.take(c, omega.y)));
    return place;
  }

  LOOM_HOST_DEVICE CompactCoord<Int> nu(Coord<Int> place) const {
    CompactCoord<Int> result;
    bool hole = false;
    for (int c = 0; c < nu_.count; ++c) {
      const Coord<Int> entry = load(nu_.take(c, place));
      hole = hole || is_hole(entry);
      add(result.omega, entry);
    }
    result.present = !hole;
    return result;
  }

  /// Whether an entry of nu's tables represents points that are holes at some level.
  LOOM_HOST_DEVICE static bool is_hole(const Coord<Int>& entry) { return entry.x == kHole; }

  /// One look-up, for explanations in the window.
  struct LookUp {
    int group = 0;    ///< digit group of its coordinate (lambda) or of all levels (nu), the finest first
    Coord<Int> size;  ///< entries of the group's table: a row for lambda, a rectangle for nu
    std::size_t first = 0;  ///< index of the table's first entry in build()
    Coord<Int> number;      ///< coordinate of the entry in its table
    Coord<Int> entry;       ///< content of the entry
  };
  /// Calls `use(is_y, LookUp)` with the look-ups of lambda(omega) in order: those of omega_x, then those of
  /// omega_y.
  template <typename Use>
  void for_each_lambda_look_up(Coord<Int> omega, const Use& use) const {
    for (int c = 0; c < lambda_x_.count; ++c) use(false, look_up_of(lambda_x_, c, omega.x));
    for (int c = 0; c < lambda_y_.count; ++c) use(true, look_up_of(lambda_y_, c, omega.y));
  }
  /// Calls `use(LookUp)` with the look-ups of nu(place) in order.
  template <typename Use>
  void for_each_nu_look_up(Coord<Int> place, const Use& use) const {
    for (int c = 0; c < nu_.count; ++c) {
      const Coord<Int>* const entry = nu_.take(c, place);
      const auto at = static_cast<Int>(entry - nu_.entries[c]);
      const Int wide = nu_.side_x[c].value();
      use(LookUp{c, {wide, nu_.side_y[c].value()}, first_of(nu_.entries[c]), {at % wide, at / wide}, *entry});
    }
  }

 private:
  static constexpr Int kHole = ~Int{0};
  static constexpr std::uint64_t kMaxEntries = 1024;
  static constexpr int kMaxGroups = 26;  ///< 64 bits of digits with one level per group; mixed: 124 bits of
                                         ///< both axes, more than 10 bits in two successive groups
  static constexpr int kMaxDigitGroups = 10;  ///< 6 if uniform; mixed: 62 bits, one of them in each level of
                                              ///< the other coordinate

  /// Loads both halves with one instruction. Tables begin at the start of an allocation and contain only
  /// entries, so that they are aligned.
  LOOM_HOST_DEVICE static Coord<Int> load(const Coord<Int>* entry) {
#if defined(__CUDA_ARCH__)
    if constexpr (sizeof(Int) == 4) {
      const uint2 both = *reinterpret_cast<const uint2*>(entry);
      return {both.x, both.y};
    } else {
      const ulonglong2 both = *reinterpret_cast<const ulonglong2*>(entry);
      return {both.x, both.y};
    }
#else
    return *entry;
#endif
  }
  LOOM_HOST_DEVICE static void add(Coord<Int>& sum, Coord<Int> term) {
    sum.x += term.x;
    sum.y += term.y;
  }

  /// Groups of base-k digits, the finest first; the last group is the remaining quotient and needs no
  /// division.
  struct DigitGroups {
    int count = 0;
    FastDivisor<Int> base[kMaxDigitGroups];
    const Coord<Int>* entries[kMaxDigitGroups] = {};
    /// The entry of group `c`; removes the group's digits from `digits`.
    LOOM_HOST_DEVICE const Coord<Int>* take(int c, Int& digits) const {
      const Int digit = c + 1 < count ? base[c].take_digit(digits) : digits;
      return entries[c] + digit;
    }
  };
  /// Groups of levels, the finest first.
  struct SquareGroups {
    int count = 0;
    FastDivisor<Int> side_x[kMaxGroups];
    FastDivisor<Int> side_y[kMaxGroups];
    const Coord<Int>* entries[kMaxGroups] = {};
    LOOM_HOST_DEVICE const Coord<Int>* take(int c, Coord<Int>& place) const {
      Int x = place.x;
      Int y = place.y;
      if (c + 1 < count) {
        x = side_x[c].take_digit(place.x);
        y = side_y[c].take_digit(place.y);
      }
      return entries[c] + (y * side_x[c].value() + x);
    }
  };

  LookUp look_up_of(const DigitGroups& groups, int c, Int& digits) const {
    const Coord<Int>* const entry = groups.take(c, digits);
    const auto at = static_cast<Int>(entry - groups.entries[c]);
    return {c, {groups.base[c].value(), 1}, first_of(groups.entries[c]), {at, 0}, *entry};
  }
  /// The tables follow each other, lambda's tables for omega_x first; with no levels there are no tables.
  std::size_t first_of(const Coord<Int>* table) const {
    return static_cast<std::size_t>(table - (lambda_x_.count > 0 ? lambda_x_.entries[0] : table));
  }

  DigitGroups lambda_x_;
  DigitGroups lambda_y_;
  SquareGroups nu_;
};

extern template class TableArithmetic<std::uint32_t>;
extern template class TableArithmetic<std::uint64_t>;

}  // namespace loom
