#include "app/life/picture/seen_part.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::app {

std::optional<teach::UnitBox> seen_part(const render::Camera& camera, std::uint64_t width,
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
  return teach::UnitBox{{x, y}, {right - x, bottom - y}};
}

}  // namespace loom::app
