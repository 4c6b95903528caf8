#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "compute/geometry/nbb_fractal.h"

namespace loom::tests {

/// A random fractal whose generators differ by level or whose replicas are turned, always the same for a
/// seed. Offsets are in any order, so that the numbers of replicas do not follow their positions.
inline NbbFractal random_level_fractal(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t end) { return static_cast<std::uint32_t>(random() % end); };
  const bool turned = seed % 2 == 0;
  std::vector<Generator> generators(turned ? 1 + below(3) : 2 + below(3));
  for (Generator& generator : generators) {
    generator.s_x = 1 + below(below(4) == 0 ? 8 : 3);
    generator.s_y = turned ? generator.s_x : 1 + below(3);
    if (generator.s_x * generator.s_y < 2) generator.s_x = generator.s_y = 2;
    for (std::uint32_t i = 0; i < generator.s_x * generator.s_y; ++i)
      generator.offsets.push_back({i % generator.s_x, i / generator.s_x});
    std::shuffle(generator.offsets.begin(), generator.offsets.end(), random);
    generator.offsets.resize(2 + below(generator.offsets.size() - 1));
    if (!turned) continue;
    for (std::size_t i = 0; i < generator.offsets.size(); ++i)
      generator.orientations.push_back(static_cast<Symmetry>(below(kSymmetryCount)));
  }
  return {"random-" + std::to_string(seed), std::move(generators)};
}

/// The highest level with at most `points` points in the square.
inline int level_of_points(const NbbFractal& fractal, std::uint64_t points) {
  int level = 0;
  while (level < fractal.max_level() && fractal.width(level + 1) <= points / fractal.height(level + 1))
    ++level;
  return level;
}

}  // namespace loom::tests
