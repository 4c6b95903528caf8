#include "compute/map/turned_arithmetic.h"

#include <cstring>
#include <type_traits>

namespace loom {
namespace {

/// The end of the group of levels of the tile coordinates that begins at level `first`.
int end_of_group(const TiledFractal& fractal, int first, std::uint64_t most_points) {
  std::uint64_t points = 1;
  int mu = first;
  while (mu <= fractal.coarse_level) {
    const std::uint64_t scale = fractal.coarse_shape(mu).s_x;
    points *= scale * scale;
    if (mu > first && points > most_points) break;
    ++mu;
  }
  return mu;
}

int count_groups(const TiledFractal& fractal, std::uint64_t most_points) {
  int count = 0;
  for (int first = 1; first <= fractal.coarse_level; ++count)
    first = end_of_group(fractal, first, most_points);
  return count;
}

}  // namespace

template <typename Int>
TurnedArithmetic<Int>::TurnedArithmetic(const TiledFractal& fractal, const void* tables)
    : transform_(fractal.shape, fractal.levels, fractal.coarse_level),
      levels_(fractal.coarse_level),
      groups_(static_cast<const Group*>(tables)),
      entries_(nullptr),
      count_(count_groups(fractal, kMaxPoints)) {
  if (groups_ != nullptr) entries_ = reinterpret_cast<const std::uint32_t*>(groups_ + count_);
}

template <typename Int>
std::vector<std::uint64_t> TurnedArithmetic<Int>::build(const TiledFractal& fractal) {
  static_assert(std::is_trivially_copyable_v<Group> && alignof(Group) <= alignof(std::uint64_t));
  std::vector<Group> groups;
  std::vector<std::uint32_t> entries;
  Int below = 1;
  for (int first = 1; first <= fractal.coarse_level;) {
    const int end = end_of_group(fractal, first, kMaxPoints);
    Int digits_x = 1;
    Int digits_y = 1;
    std::uint32_t side = 1;
    for (int mu = first; mu < end; ++mu) {
      (mu % 2 == 1 ? digits_x : digits_y) *= static_cast<Int>(fractal.coarse_shape(mu).k);
      side *= fractal.coarse_shape(mu).s_x;
    }
    Group group;
    group.digits_x = FastDivisor<Int>(digits_x);
    group.digits_y = FastDivisor<Int>(digits_y);
    group.below = FastDivisor<Int>(below);
    group.side = side;
    group.lambda = static_cast<std::uint32_t>(entries.size());
    group.nu = group.lambda + static_cast<std::uint32_t>(digits_x * digits_y);
    entries.resize(group.nu + std::size_t{8} * side * side, kHole);
    for (Int y = 0; y < digits_y; ++y) {
      for (Int x = 0; x < digits_x; ++x) {
        Coord<Int> rest{x, y};
        Coord32 at{0, 0};
        std::uint32_t inner = 1;
        Symmetry symmetry = Symmetry::kIdentity;
        for (int mu = first; mu < end; ++mu) {
          const NbbShape& shape = fractal.coarse_shape(mu);
          Int& digits = mu % 2 == 1 ? rest.x : rest.y;
          const auto beta = static_cast<std::uint32_t>(digits % static_cast<Int>(shape.k));
          digits /= static_cast<Int>(shape.k);
          const Symmetry own = fractal.coarse_symmetry(mu, beta);
          at = apply(own, at, inner);
          at.x += inner * shape.offset_x[beta];
          at.y += inner * shape.offset_y[beta];
          symmetry = compose(own, symmetry);
          inner *= shape.s_x;
        }
        entries[group.lambda + y * digits_x + x] =
            static_cast<std::uint32_t>(symmetry) | at.x << 3 | at.y << (3 + kCoordinateBits);
        for (std::uint32_t q = 0; q < kSymmetryCount; ++q) {
          const auto outer = static_cast<Symmetry>(q);
          const Coord32 point = apply(outer, at, side);
          entries[group.nu + (q * side + point.y) * side + point.x] =
              static_cast<std::uint32_t>(compose(outer, symmetry)) | static_cast<std::uint32_t>(x) << 3 |
              static_cast<std::uint32_t>(y) << (3 + kCoordinateBits);
        }
      }
    }
    groups.push_back(group);
    below *= static_cast<Int>(side);
    first = end;
  }
  const std::size_t group_bytes = groups.size() * sizeof(Group);
  const std::size_t bytes = group_bytes + entries.size() * sizeof(std::uint32_t);
  std::vector<std::uint64_t> words((bytes + 7) / 8 + 1);  // never empty, so that a view can always be made
  auto* const to = reinterpret_cast<unsigned char*>(words.data());
  if (!groups.empty()) std::memcpy(to, groups.data(), group_bytes);
  if (!entries.empty()) std::memcpy(to + group_bytes, entries.data(), bytes - group_bytes);
  return words;
}

template class TurnedArithmetic<std::uint32_t>;
template class TurnedArithmetic<std::uint64_t>;

}  // namespace loom
