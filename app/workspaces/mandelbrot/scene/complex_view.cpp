#include "app/workspaces/mandelbrot/scene/complex_view.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vector_relational.hpp>

#include "app/workspaces/mandelbrot/scene/precision_gauge.h"

namespace loom::app {
namespace {

constexpr double kMaxCentre = 4;
// The set lies in [-2, 0.4712] x [-1.1225, 1.1225]; the sizes include a margin of one twentieth.
constexpr double kSetMiddle = -0.765;
constexpr double kSetWidth = 2.6;
constexpr double kSetHeight = 2.36;
constexpr double kMaxWidth = 16;
constexpr double kMinBox = 4;  // pixels

}  // namespace

ComplexView default_view(glm::ivec2 picture) {
  const double proportion = static_cast<double>(picture.x) / std::max(picture.y, 1);
  return {{kSetMiddle, 0}, std::max(kSetWidth, kSetHeight * proportion)};
}

glm::dvec2 point_at(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel) {
  return view.centre + (pixel - glm::dvec2(picture) / 2.0) * pixel_spacing(view, picture);
}

glm::dvec2 pixel_of(const ComplexView& view, glm::ivec2 picture, glm::dvec2 point) {
  return (point - view.centre) / pixel_spacing(view, picture) + glm::dvec2(picture) / 2.0;
}

std::optional<render::Rect<int>> place_in(const ViewedPicture& picture, const ViewedPicture& seen) {
  // Use differences: in a deep zoom, the corners themselves are not exact to a pixel.
  const double spacing = pixel_spacing(picture.view, picture.size);
  const glm::dvec2 pixels(seen.size);
  const glm::dvec2 size = pixels * (pixel_spacing(seen.view, seen.size) / spacing);
  const glm::dvec2 corner =
      (glm::dvec2(picture.size) - size) / 2.0 + (seen.view.centre - picture.view.centre) / spacing;
  constexpr double kMost = 2147483648.0;
  if (!glm::all(glm::lessThan(size * pixels, glm::dvec2(kMost)))) return std::nullopt;
  const bool overlap = glm::all(glm::lessThan(corner, glm::dvec2(picture.size))) &&
                       glm::all(glm::greaterThan(corner + size, glm::dvec2(0)));
  if (!overlap) return std::nullopt;
  const render::Rect<int> place{glm::ivec2(glm::round(corner)), glm::ivec2(glm::round(size))};
  if (intersect(place, {{}, picture.size}).empty()) return std::nullopt;
  return place;
}

bool is_outside(const ComplexView& view, glm::ivec2 picture) {
  const glm::dvec2 low = point_at(view, picture, {0, 0});
  const glm::dvec2 high = point_at(view, picture, glm::dvec2(picture));
  const glm::dvec2 nearest = glm::clamp(glm::dvec2(0), low, high);
  return std::hypot(nearest.x, nearest.y) > 2;
}

MandelbrotView mandelbrot_view(const ComplexView& view, glm::ivec2 picture, int divisor) {
  const glm::dvec2 low = point_at(view, picture, {0, 0});
  const glm::dvec2 high = point_at(view, picture, glm::dvec2(picture));
  const glm::uvec2 size((picture + divisor - 1) / divisor);
  return {{low.x, high.x, low.y, high.y}, size.x, size.y};
}

ComplexView zoomed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixel, double factor,
                   Precision precision) {
  if (!std::isfinite(factor) || factor <= 0) return view;
  // Clamp the width first, so that the point stays under the pixel at the limit too.
  const double width = clamped({view.centre, view.width / factor}, picture, precision).width;
  const double change = (view.width - width) / picture.x;
  return clamped({view.centre + (pixel - glm::dvec2(picture) / 2.0) * change, width}, picture, precision);
}

ComplexView panned(const ComplexView& view, glm::ivec2 picture, glm::dvec2 pixels, Precision precision) {
  return clamped({view.centre - pixels * pixel_spacing(view, picture), view.width}, picture, precision);
}

ComplexView boxed(const ComplexView& view, glm::ivec2 picture, glm::dvec2 from, glm::dvec2 to,
                  Precision precision) {
  const glm::dvec2 size = glm::abs(to - from);
  if (!(size.x >= kMinBox && size.y >= kMinBox)) return view;
  const glm::dvec2 middle = point_at(view, picture, (from + to) / 2.0);
  const glm::dvec2 share = size / glm::dvec2(picture);
  return clamped({middle, view.width * std::max(share.x, share.y)}, picture, precision);
}

ComplexView clamped(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!std::isfinite(view.centre.x) || !std::isfinite(view.centre.y) || !std::isfinite(view.width)) {
    return default_view(picture);
  }
  ComplexView result = view;
  result.centre = glm::clamp(view.centre, -kMaxCentre, kMaxCentre);
  const double least = min_spacing(result, precision) * picture.x;
  result.width = std::clamp(view.width, least, kMaxWidth);
  return result;
}

}  // namespace loom::app
