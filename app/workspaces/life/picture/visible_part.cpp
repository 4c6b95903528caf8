#include "app/workspaces/life/picture/visible_part.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::app {
namespace {

/// `(x, y)`: the corner of a replica of `level`.
bool has_replicas(const NbbFractal& fractal, int level, int of, double x, double y, const FieldPart& part) {
  const auto width = static_cast<double>(fractal.width(level));
  const auto height = static_cast<double>(fractal.height(level));
  const bool apart =
      x >= part.x + part.width || y >= part.y + part.height || x + width <= part.x || y + height <= part.y;
  if (apart) return false;
  const bool within =
      x >= part.x && y >= part.y && x + width <= part.x + part.width && y + height <= part.y + part.height;
  if (within || level == of) return true;
  const NbbShape& shape = fractal.shape();
  for (std::uint32_t replica = 0; replica < shape.k; ++replica) {
    const double replica_x = x + shape.offset_x[replica] * width / shape.s_x;
    const double replica_y = y + shape.offset_y[replica] * height / shape.s_y;
    if (has_replicas(fractal, level - 1, of, replica_x, replica_y, part)) return true;
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
  const auto [x, right] = range(camera.field_x(0), camera.field_x(camera.picture().width), width);
  const auto [y, bottom] = range(camera.field_y(0), camera.field_y(camera.picture().height), height);
  if (x == 0 && y == 0 && right == width && bottom == height) return std::nullopt;
  return explain::UnitRect{{x, y}, {right - x, bottom - y}};
}

// Fast: at each level, only the few replicas on the part's edges are subdivided.
bool has_replicas(const NbbFractal& fractal, int level, int of, const FieldPart& part) {
  return has_replicas(fractal, level, of, 0, 0, part);
}

}  // namespace loom::app
