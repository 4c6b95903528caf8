#include "compute/check/reference_map.h"

#include <cstddef>
#include <vector>

namespace loom {

// Starts with the replica of the coarsest level: its number is the leading digit of omega.x if the level is
// odd, of omega.y if it is even.
Coord64 reference_lambda(const NbbFractal& fractal, int level, Coord64 omega) {
  const std::vector<Coord32> offsets = fractal.offsets();
  Coord64 place{0, 0};
  for (int mu = level; mu >= 1; --mu) {
    std::uint64_t& digits = mu % 2 == 1 ? omega.x : omega.y;
    const std::uint64_t weight = fractal.cells((mu - 1) / 2);
    const Coord32 offset = offsets[digits / weight];
    digits %= weight;
    place.x += offset.x * fractal.width(mu - 1);
    place.y += offset.y * fractal.height(mu - 1);
  }
  return place;
}

std::optional<Coord64> reference_nu(const NbbFractal& fractal, int level, Coord64 place) {
  const std::vector<Coord32> offsets = fractal.offsets();
  Coord64 omega{0, 0};
  for (int mu = level; mu >= 1; --mu) {
    const std::uint64_t tau_x = place.x / fractal.width(mu - 1);
    const std::uint64_t tau_y = place.y / fractal.height(mu - 1);
    place.x %= fractal.width(mu - 1);
    place.y %= fractal.height(mu - 1);
    std::size_t replica = 0;
    while (replica < offsets.size() && (offsets[replica].x != tau_x || offsets[replica].y != tau_y))
      ++replica;
    if (replica == offsets.size()) return std::nullopt;
    (mu % 2 == 1 ? omega.x : omega.y) += replica * fractal.cells((mu - 1) / 2);
  }
  return omega;
}

}  // namespace loom
