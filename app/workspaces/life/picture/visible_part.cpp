#include "app/workspaces/life/picture/visible_part.h"

#include <algorithm>
#include <cmath>
#include <glm/vector_relational.hpp>
#include <utility>

namespace loom::app {
namespace {

/// `corner`: of a replica of `level`.
bool has_replicas(const NbbFractal& fractal, int level, int of, glm::dvec2 corner,
                  const render::Rect<double>& part) {
  const glm::dvec2 size(fractal.width(level), fractal.height(level));
  const glm::dvec2 end = corner + size;
  const bool apart =
      glm::any(glm::greaterThanEqual(corner, part.end())) || glm::any(glm::lessThanEqual(end, part.corner));
  if (apart) return false;
  const bool within =
      glm::all(glm::greaterThanEqual(corner, part.corner)) && glm::all(glm::lessThanEqual(end, part.end()));
  if (within || level == of) return true;
  const NbbShape& shape = fractal.shape();
  const glm::dvec2 scale(shape.s_x, shape.s_y);
  for (std::uint32_t replica = 0; replica < shape.k; ++replica) {
    const glm::dvec2 offset(shape.offset_x[replica], shape.offset_y[replica]);
    if (has_replicas(fractal, level - 1, of, corner + offset * size / scale, part)) return true;
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
  return has_replicas(fractal, level, of, {0, 0}, part);
}

}  // namespace loom::app
