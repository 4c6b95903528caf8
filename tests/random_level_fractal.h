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

/// A random mixed fractal whose low levels are often one generator: a list of one to three generators, then
/// up to eight levels of the same one.
inline NbbFractal random_low_level_fractal(std::uint64_t seed) {
  const NbbFractal mixed = random_level_fractal(2 * seed + 1);
  std::mt19937_64 random(seed);
  std::vector<Generator> generators = mixed.generators();
  const Generator low = generators[random() % generators.size()];
  const NbbFractal uniform("low", low.s_x, low.s_y, low.offsets);
  const auto most = static_cast<std::uint64_t>(std::min(uniform.max_level() / 2, 8));
  for (std::uint64_t i = random() % (most + 1); i > 0; --i) generators.push_back(low);
  return {"low-" + std::to_string(seed), std::move(generators), random() % 2 == 0};
}

/// The highest level with at most `points` points in the square.
inline int level_of_points(const NbbFractal& fractal, std::uint64_t points) {
  int level = 0;
  while (level < fractal.max_level() && fractal.width(level + 1) <= points / fractal.height(level + 1))
    ++level;
  return level;
}

}  // namespace loom::tests
