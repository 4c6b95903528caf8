#include "app/workspaces/mandelbrot/scene/point_under_cursor.h"

#include <algorithm>

#include "compute/cpu/mandelbrot/formula_lanes.h"
#include "compute/mandelbrot/dwell.h"

namespace loom::app {

std::optional<std::uint32_t> PointUnderCursor::read_dwell(const HoveredPoint& point, glm::ivec2 picture,
                                                          const DwellRunner& runner) {
  const glm::ivec2 image = runner.image_size();
  row_.resize(static_cast<std::size_t>(image.x));
  // Selects the same texel as the shader.
  const auto texel = [](int pixel, int texels, int pixels) {
    return static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(std::int64_t{pixel} * texels / pixels, 0, texels - 1));
  };
  runner.engine().read_dwells(texel(point.pixel.y, image.y, picture.y), row_);
  return row_[texel(point.pixel.x, image.x, picture.x)];
}

void PointUnderCursor::look(const std::optional<glm::dvec2>& pixel, const ComplexView& view,
                            glm::ivec2 picture, const DwellRunner& runner) {
  if (!pixel) {
    hovered_.reset();
    if (!shows_point(view, picture, last_)) last_ = view.centre;
    return;
  }
  HoveredPoint found;
  found.point = point_at(view, picture, *pixel);
  found.pixel = glm::ivec2(*pixel);
  last_ = found.point;
  const bool of_view =
      runner.has_picture() && runner.request().view == view && runner.request().picture == picture;
  const bool same_pixel = hovered_ && hovered_->pixel == found.pixel;
  if (of_view && same_pixel && !stale_) {
    found.dwell = hovered_->dwell;
  } else if (of_view && !runner.busy()) {
    found.dwell = read_dwell(found, picture, runner);
    stale_ = false;
  }
  const glm::uvec2 at(found.pixel);
  for (const MandelbrotRegion& region : of_view ? runner.regions() : std::span<const MandelbrotRegion>()) {
    const bool inside = at.x - region.x < region.width && at.y - region.y < region.height;
    if (inside && (!found.region || region.level > found.region->level)) found.region = region;
  }
  hovered_ = found;
}

std::vector<glm::dvec2> orbit_of(const EscapeTimeSet& set, glm::dvec2 point, std::uint32_t limit,
                                 std::size_t most) {
  const JuliaPoint parameter = set.julia.value_or(JuliaPoint{point.x, point.y});
  const Complex<double> c{parameter.re, parameter.im};
  if (set.formula == Formula::kCustom) {
    std::vector<glm::dvec2> points;
    const std::size_t count = std::min<std::size_t>(most, std::size_t{limit} + 1);
    for (const Complex<double> one : cpu::orbit_of(set.custom, {point.x, point.y}, c, count))
      points.push_back({one.re, one.im});
    return points;
  }
  return with_step(set.formula, set.power, [&](auto step) {
    std::vector<glm::dvec2> points;
    Complex<double> z{point.x, point.y};
    while (points.size() <= limit && points.size() < most) {
      points.push_back({z.re, z.im});
      const double square_x = z.re * z.re;
      const double square_y = z.im * z.im;
      if (!(square_x + square_y < 4)) break;
      z = step.next(z, square_x, square_y, c);
    }
    return points;
  });
}

}  // namespace loom::app
