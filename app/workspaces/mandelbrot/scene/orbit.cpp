#include "app/workspaces/mandelbrot/scene/orbit.h"

#include "compute/mandelbrot/dwell.h"

namespace loom::app {

std::vector<glm::dvec2> orbit_of(glm::dvec2 c, std::uint32_t limit, std::size_t most) {
  std::vector<glm::dvec2> points;
  const Complex<double> start{c.x, c.y};
  Complex<double> z = start;
  while (points.size() <= limit && points.size() < most) {
    points.push_back({z.re, z.im});
    const double square_x = z.re * z.re;
    const double square_y = z.im * z.im;
    if (!(square_x + square_y < 4)) break;
    z = next_point(z, square_x, square_y, start);
  }
  return points;
}

}  // namespace loom::app
