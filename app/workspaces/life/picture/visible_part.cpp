#include "app/workspaces/life/picture/visible_part.h"

#include <algorithm>
#include <cmath>
#include <glm/vector_relational.hpp>
#include <utility>

namespace loom::app {
namespace {

/// A replica of `level` of a fractal of level `whole`.
struct Replica {
  int level = 0;
  glm::dvec2 corner{0, 0};
  glm::dvec2 size;
  loom::Symmetry symmetry = loom::Symmetry::kIdentity;
};

bool has_replicas(const NbbFractal& fractal, int whole, int of, const Replica& replica,
                  const render::Rect<double>& part) {
  const glm::dvec2 corner = replica.corner;
  const glm::dvec2 size = replica.size;
  const glm::dvec2 end = corner + size;
  const bool apart =
      glm::any(glm::greaterThanEqual(corner, part.end())) || glm::any(glm::lessThanEqual(end, part.corner));
  if (apart) return false;
  const bool within =
      glm::all(glm::greaterThanEqual(corner, part.corner)) && glm::all(glm::lessThanEqual(end, part.end()));
  if (within || replica.level == of) return true;
  const Generator& generator = fractal.generator(whole, replica.level);
  const glm::dvec2 inner = size / glm::dvec2(generator.s_x, generator.s_y);
  for (std::size_t b = 0; b < generator.offsets.size(); ++b) {
    const Coord32 offset = apply(replica.symmetry, generator.offsets[b], generator.s_x);
    const auto symmetry = generator.orientations.empty()
                              ? replica.symmetry
                              : compose(replica.symmetry, generator.orientations[b]);
    const Replica next{replica.level - 1, corner + glm::dvec2(offset.x, offset.y) * inner, inner, symmetry};
    if (has_replicas(fractal, whole, of, next, part)) return true;
  }
  return false;
}

}  // namespace

std::optional<explain::UnitRect> visible_part(const render::Camera& camera, std::uint64_t width,
                                              std::uint64_t height) {
  const auto range = [](double low, double high, std::uint64_t size) {
    const double last = static_cast<double>(size);
    const double begin = std::floor(std::clamp(low, 0.0, last - 1));
    return std::pair(static_cast<std::uint64_t>(begin),
                     static_cast<std::uint64_t>(std::ceil(std::clamp(high, begin + 1, last))));
  };
  const glm::dvec2 low = camera.field_at({0, 0});
  const glm::dvec2 high = camera.field_at(glm::dvec2(camera.picture()));
  const auto [x, right] = range(low.x, high.x, width);
  const auto [y, bottom] = range(low.y, high.y, height);
  if (x == 0 && y == 0 && right == width && bottom == height) return std::nullopt;
  return explain::UnitRect{{x, y}, {right - x, bottom - y}};
}

// Fast: at each level, only the few replicas on the part's edges are subdivided.
bool has_replicas(const NbbFractal& fractal, int level, int of, const render::Rect<double>& part) {
  const glm::dvec2 size(fractal.width(level), fractal.height(level));
  return has_replicas(fractal, level, of, {.level = level, .size = size}, part);
}

}  // namespace loom::app
