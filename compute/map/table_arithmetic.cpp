#include "compute/map/table_arithmetic.h"

#include <algorithm>

#include "compute/core/integer_math.h"

namespace loom {
namespace {

/// `levels` divided into `count` groups as equal as possible, the finest first. Does not allocate memory,
/// because a view is made at each step.
struct Groups {
  int levels;
  int count;
  int size(int c) const { return levels * (c + 1) / count - levels * c / count; }
};

Groups balanced_groups(int levels, int most) {
  return {levels, (levels + most - 1) / most};
}

/// The largest number of levels whose tables of `entries_a_level` per level stay within `limit`; at least 1.
int levels_within(std::uint64_t entries_a_level, std::uint64_t limit) {
  int levels = 1;
  while (*checked_power(entries_a_level, levels + 1) <= limit) ++levels;
  return levels;
}

struct Layout {
  Groups lambda_x;  ///< digits in each group of omega_x
  Groups lambda_y;
  Groups nu;  ///< levels in each group
};

Layout make_layout(const TiledFractal& fractal, std::uint64_t limit) {
  const NbbShape& shape = fractal.shape;
  const int digits = levels_within(shape.k, limit);
  const int levels = levels_within(std::uint64_t{shape.s_x} * shape.s_y, limit);
  return {balanced_groups((fractal.coarse_level + 1) / 2, digits),
          balanced_groups(fractal.coarse_level / 2, digits), balanced_groups(fractal.coarse_level, levels)};
}

template <typename Int>
Int power(std::uint64_t base, int exponent) {
  return static_cast<Int>(*checked_power(base, exponent));
}

}  // namespace

template <typename Int>
TableArithmetic<Int>::TableArithmetic(const TiledFractal& fractal, const Coord<Int>* entries) {
  const NbbShape& shape = fractal.shape;
  const Layout layout = make_layout(fractal, kMaxEntries);
  const auto place_digits = [&](const Groups& groups, DigitGroups& tables) {
    for (int c = 0; c < groups.count; ++c) {
      const int digits = groups.size(c);
      const Int size = power<Int>(shape.k, digits);
      tables.base[tables.count] = FastDivisor<Int>(size);
      tables.entries[tables.count++] = entries;
      entries += size;
    }
  };
  place_digits(layout.lambda_x, lambda_x_);
  place_digits(layout.lambda_y, lambda_y_);
  for (int c = 0; c < layout.nu.count; ++c) {
    const int levels = layout.nu.size(c);
    const Int side_x = power<Int>(shape.s_x, levels);
    const Int side_y = power<Int>(shape.s_y, levels);
    nu_.side_x[nu_.count] = FastDivisor<Int>(side_x);
    nu_.side_y[nu_.count] = FastDivisor<Int>(side_y);
    nu_.entries[nu_.count++] = entries;
    entries += side_x * side_y;
  }
}

template <typename Int>
std::vector<Coord<Int>> TableArithmetic<Int>::build(const TiledFractal& fractal) {
  const NbbShape& shape = fractal.shape;
  const NbbTransform<Int> transform(shape);
  const Layout layout = make_layout(fractal, kMaxEntries);
  std::vector<Coord<Int>> entries;

  // The entries of a digit group of one coordinate are not lambda with all other digits zero: replica 0 need
  // not be at (0, 0), so that the zeros would contribute. Levels are therefore added one by one.
  const auto add_digit_tables = [&](const Groups& groups, int parity) {
    int first = 0;
    for (int c = 0; c < groups.count; ++c) {
      const int digits = groups.size(c);
      const Int size = power<Int>(shape.k, digits);
      for (Int number = 0; number < size; ++number) {
        Coord<Int> sum{0, 0};
        Int rest = number;
        for (int i = first; i < first + digits; ++i) {
          const Int beta = transform.k.take_digit(rest);
          const int mu = 2 * i + 1 + parity;
          sum.x += shape.offset_x[beta] * power<Int>(shape.s_x, mu - 1);
          sum.y += shape.offset_y[beta] * power<Int>(shape.s_y, mu - 1);
        }
        entries.push_back(sum);
      }
      first += digits;
    }
  };
  add_digit_tables(layout.lambda_x, 0);
  add_digit_tables(layout.lambda_y, 1);

  int first = 0;
  for (int c = 0; c < layout.nu.count; ++c) {
    const int levels = layout.nu.size(c);
    const Int side_x = power<Int>(shape.s_x, levels);
    const Int side_y = power<Int>(shape.s_y, levels);
    for (Int y = 0; y < side_y; ++y) {
      for (Int x = 0; x < side_x; ++x) {
        Coord<Int> sum{0, 0};
        Coord<Int> rest{x, y};
        bool hole = false;
        for (int m = first; m < first + levels; ++m) {
          const Int tau_x = transform.s_x.take_digit(rest.x);
          const Int tau_y = transform.s_y.take_digit(rest.y);
          const int replica = shape.replica_at[tau_y * shape.s_x + tau_x];
          hole = hole || replica < 0;
          (m % 2 == 0 ? sum.x : sum.y) += static_cast<Int>(replica) * power<Int>(shape.k, m / 2);
        }
        entries.push_back(hole ? Coord<Int>{kHole, 0} : sum);
      }
    }
    first += levels;
  }
  return entries;
}

template class TableArithmetic<std::uint32_t>;
template class TableArithmetic<std::uint64_t>;

}  // namespace loom
