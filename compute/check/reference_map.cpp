#include "compute/check/reference_map.h"

#include <cstddef>
#include <vector>

namespace loom {
namespace {

/// The levels of a fractal with the products over the finer ones, level mu at [mu - 1].
struct Level {
  const Generator* generator;
  std::uint64_t width = 1;  ///< of the content
  std::uint64_t height = 1;
  std::uint64_t weight = 1;  ///< of the level's digit in omega
};
std::vector<Level> levels_of(const NbbFractal& fractal, int level) {
  std::vector<Level> levels;
  std::uint64_t width = 1;
  std::uint64_t height = 1;
  std::uint64_t weights[2] = {1, 1};
  for (int mu = 1; mu <= level; ++mu) {
    const Generator& generator = fractal.generator(level, mu);
    levels.push_back({&generator, width, height, weights[mu % 2]});
    width *= generator.s_x;
    height *= generator.s_y;
    weights[mu % 2] *= generator.offsets.size();
  }
  return levels;
}

Symmetry symmetry_of(const Generator& generator, std::size_t replica) {
  return generator.orientations.empty() ? Symmetry::kIdentity : generator.orientations[replica];
}

}  // namespace

// The replica of the finest level is placed first, and its content turned and moved by each coarser level.
// The number of a level's replica is its digit of omega.x if the level is odd, of omega.y if it is even.
Coord64 reference_lambda(const NbbFractal& fractal, int level, Coord64 omega) {
  Coord64 place{0, 0};
  for (int mu = 1; const Level& at : levels_of(fractal, level)) {
    const std::uint64_t digits = mu % 2 == 1 ? omega.x : omega.y;
    const std::size_t replica = digits / at.weight % at.generator->offsets.size();
    const Coord32 offset = at.generator->offsets[replica];
    place = reference_turn(symmetry_of(*at.generator, replica), place, at.width);
    place = {place.x + offset.x * at.width, place.y + offset.y * at.height};
    ++mu;
  }
  return place;
}

// The replica of the coarsest level that contains the point is found first; turned back, the point is one of
// its content.
std::optional<Coord64> reference_nu(const NbbFractal& fractal, int level, Coord64 place) {
  const std::vector<Level> levels = levels_of(fractal, level);
  Coord64 omega{0, 0};
  for (int mu = level; mu >= 1; --mu) {
    const Level& at = levels[static_cast<std::size_t>(mu - 1)];
    const std::vector<Coord32>& offsets = at.generator->offsets;
    const std::uint64_t tau_x = place.x / at.width;
    const std::uint64_t tau_y = place.y / at.height;
    std::size_t replica = 0;
    while (replica < offsets.size() && (offsets[replica].x != tau_x || offsets[replica].y != tau_y))
      ++replica;
    if (replica == offsets.size()) return std::nullopt;
    place = {place.x % at.width, place.y % at.height};
    place = reference_turn_back(symmetry_of(*at.generator, replica), place, at.width);
    (mu % 2 == 1 ? omega.x : omega.y) += replica * at.weight;
  }
  return omega;
}

}  // namespace loom
