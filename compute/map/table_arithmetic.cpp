#include "compute/map/table_arithmetic.h"

#include <array>

#include "compute/core/integer_math.h"
#include "compute/map/shuffle_arithmetic.h"

namespace loom {
namespace {

/// Levels, or digits of one coordinate, in groups, the finest first. Does not allocate memory, because a view
/// is made at each step.
struct Groups {
  int count = 0;
  std::array<int, kMaxLevels + 2> sizes{};
};

/// Divides `levels` levels into groups whose tables stay within `limit` entries; entries_of(i) is the number
/// of entries of level i, from 0, alone. A group has at least one level. There are as few groups as the limit
/// allows, and their largest table is as small as possible, because tables share a first-level cache. If all
/// levels are `alike`, groups are as equal as possible.
template <typename EntriesOf>
Groups make_groups(int levels, bool alike, std::uint64_t limit, const EntriesOf& entries_of) {
  Groups groups;
  if (levels == 0) return groups;
  if (alike) {
    int most = 1;
    while (*checked_power(entries_of(0), most + 1) <= limit) ++most;
    groups.count = (levels + most - 1) / most;
    for (int c = 0; c < groups.count; ++c)
      groups.sizes[c] = levels * (c + 1) / groups.count - levels * c / groups.count;
    return groups;
  }
  const auto fill = [&](std::uint64_t most) {
    Groups filled;
    std::uint64_t entries = most + 1;
    for (int i = 0; i < levels; ++i) {
      entries *= entries_of(i);
      if (entries > most) {
        entries = entries_of(i);
        ++filled.count;
      }
      ++filled.sizes[filled.count - 1];
    }
    return filled;
  };
  groups = fill(limit);
  // The smallest limit that needs no more groups; a limit below a level's own entries counts as that level's.
  std::uint64_t low = 1;
  std::uint64_t high = limit;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (fill(middle).count <= groups.count) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return fill(high);
}

struct Layout {
  Groups lambda_x;  ///< digits in each group of omega_x
  Groups lambda_y;
  Groups nu;  ///< levels in each group
};

Layout make_layout(const TiledFractal& fractal, std::uint64_t limit) {
  const int levels = fractal.coarse_level;
  const bool alike = fractal.is_uniform();
  const auto replicas = [&](int mu) { return std::uint64_t{fractal.coarse_shape(mu).k}; };
  return {
      make_groups((levels + 1) / 2, alike, limit, [&](int i) { return replicas(2 * i + 1); }),
      make_groups(levels / 2, alike, limit, [&](int i) { return replicas(2 * i + 2); }),
      make_groups(levels, alike, limit,
                  [&](int i) {
                    const NbbShape& shape = fractal.coarse_shape(i + 1);
                    return std::uint64_t{shape.s_x} * shape.s_y;
                  }),
  };
}

}  // namespace

template <typename Int>
TableArithmetic<Int>::TableArithmetic(const TiledFractal& fractal, const Coord<Int>* entries) {
  const Layout layout = make_layout(fractal, kMaxEntries);
  const auto place_digits = [&](const Groups& groups, int parity, DigitGroups& tables) {
    int mu = 1 + parity;
    for (int c = 0; c < groups.count; ++c) {
      Int size = 1;
      for (int i = 0; i < groups.sizes[c]; ++i, mu += 2) size *= static_cast<Int>(fractal.coarse_shape(mu).k);
      tables.base[tables.count] = FastDivisor<Int>(size);
      tables.entries[tables.count++] = entries;
      entries += size;
    }
  };
  place_digits(layout.lambda_x, 0, lambda_x_);
  place_digits(layout.lambda_y, 1, lambda_y_);
  int mu = 1;
  for (int c = 0; c < layout.nu.count; ++c) {
    Int side_x = 1;
    Int side_y = 1;
    for (int i = 0; i < layout.nu.sizes[c]; ++i, ++mu) {
      side_x *= static_cast<Int>(fractal.coarse_shape(mu).s_x);
      side_y *= static_cast<Int>(fractal.coarse_shape(mu).s_y);
    }
    nu_.side_x[nu_.count] = FastDivisor<Int>(side_x);
    nu_.side_y[nu_.count] = FastDivisor<Int>(side_y);
    nu_.entries[nu_.count++] = entries;
    entries += side_x * side_y;
  }
}

template <typename Int>
std::vector<Coord<Int>> TableArithmetic<Int>::build(const TiledFractal& fractal) {
  const Layout layout = make_layout(fractal, kMaxEntries);
  // The weights of level mu at [mu - 1]: products over the finer levels.
  std::vector<Coord<Int>> cell_weights;
  std::vector<Int> digit_weights;
  Coord<Int> cell_weight{1, 1};
  std::array<Int, 2> digit_weight{1, 1};
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const NbbShape& shape = fractal.coarse_shape(mu);
    cell_weights.push_back(cell_weight);
    digit_weights.push_back(digit_weight[mu % 2]);
    digit_weight[mu % 2] *= static_cast<Int>(shape.k);
    cell_weight.x *= static_cast<Int>(shape.s_x);
    cell_weight.y *= static_cast<Int>(shape.s_y);
  }
  std::vector<Coord<Int>> entries;

  // The entries of a digit group of one coordinate are not lambda with all other digits zero: replica 0 need
  // not be at (0, 0), so that the zeros would contribute. Levels are therefore added one by one.
  const auto add_digit_tables = [&](const Groups& groups, int parity) {
    int first = 1 + parity;
    for (int c = 0; c < groups.count; ++c) {
      const int end = first + 2 * groups.sizes[c];
      Int size = 1;
      for (int mu = first; mu < end; mu += 2) size *= static_cast<Int>(fractal.coarse_shape(mu).k);
      for (Int number = 0; number < size; ++number) {
        Coord<Int> sum{0, 0};
        Int rest = number;
        for (int mu = first; mu < end; mu += 2) {
          const NbbShape& shape = fractal.coarse_shape(mu);
          const Int beta = rest % static_cast<Int>(shape.k);
          rest /= static_cast<Int>(shape.k);
          const Coord<Int>& weight = cell_weights[static_cast<std::size_t>(mu - 1)];
          sum.x += shape.offset_x[beta] * weight.x;
          sum.y += shape.offset_y[beta] * weight.y;
        }
        entries.push_back(sum);
      }
      first = end;
    }
  };
  add_digit_tables(layout.lambda_x, 0);
  add_digit_tables(layout.lambda_y, 1);

  int first = 1;
  for (int c = 0; c < layout.nu.count; ++c) {
    const int end = first + layout.nu.sizes[c];
    Int side_x = 1;
    Int side_y = 1;
    for (int mu = first; mu < end; ++mu) {
      side_x *= static_cast<Int>(fractal.coarse_shape(mu).s_x);
      side_y *= static_cast<Int>(fractal.coarse_shape(mu).s_y);
    }
    for (Int y = 0; y < side_y; ++y) {
      for (Int x = 0; x < side_x; ++x) {
        Coord<Int> sum{0, 0};
        Coord<Int> rest{x, y};
        bool hole = false;
        for (int mu = first; mu < end; ++mu) {
          const NbbShape& shape = fractal.coarse_shape(mu);
          const auto s_x = static_cast<Int>(shape.s_x);
          const auto s_y = static_cast<Int>(shape.s_y);
          const int replica = shape.replica_at[rest.y % s_y * s_x + rest.x % s_x];
          rest = {rest.x / s_x, rest.y / s_y};
          hole = hole || replica < 0;
          (mu % 2 == 1 ? sum.x : sum.y) +=
              static_cast<Int>(replica) * digit_weights[static_cast<std::size_t>(mu - 1)];
        }
        entries.push_back(hole ? Coord<Int>{kHole, 0} : sum);
      }
    }
    first = end;
  }
  return entries;
}

template class TableArithmetic<std::uint32_t>;
template class TableArithmetic<std::uint64_t>;

template <typename Int, bool kUniform>
std::vector<ShuffleLevel<Int>> ShuffleArithmetic<Int, kUniform>::build(const TiledFractal& fractal) {
  std::vector<Level> levels;
  Int x = 1;
  Int y = 1;
  Int odd = 1;
  Int even = 1;
  for (int mu = 1; mu <= fractal.coarse_level; ++mu) {
    const NbbShape& shape = fractal.coarse_shape(mu);
    Int& weight = mu % 2 == 1 ? odd : even;
    levels.push_back({FastDivisor<Int>(weight), FastDivisor<Int>(x), FastDivisor<Int>(y)});
    weight *= static_cast<Int>(shape.k);
    x *= static_cast<Int>(shape.s_x);
    y *= static_cast<Int>(shape.s_y);
  }
  return levels;
}

template class ShuffleArithmetic<std::uint32_t, false>;
template class ShuffleArithmetic<std::uint64_t, false>;
template class ShuffleArithmetic<std::uint32_t, true>;
template class ShuffleArithmetic<std::uint64_t, true>;

}  // namespace loom
