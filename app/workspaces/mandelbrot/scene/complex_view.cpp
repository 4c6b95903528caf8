#include "app/workspaces/mandelbrot/scene/complex_view.h"

#include <algorithm>
#include <cmath>

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

ComplexView default_view(render::Extent picture) {
  const double proportion = static_cast<double>(picture.width) / std::max(picture.height, 1);
  return {kSetMiddle, 0, std::max(kSetWidth, kSetHeight * proportion)};
}

ComplexPoint point_at(const ComplexView& view, render::Extent picture, double pixel_x, double pixel_y) {
  const double spacing = pixel_spacing(view, picture);
  return {view.re + (pixel_x - picture.width / 2.0) * spacing,
          view.im + (pixel_y - picture.height / 2.0) * spacing};
}

ComplexPoint pixel_of(const ComplexView& view, render::Extent picture, const ComplexPoint& point) {
  const double spacing = pixel_spacing(view, picture);
  return {(point.re - view.re) / spacing + picture.width / 2.0,
          (point.im - view.im) / spacing + picture.height / 2.0};
}

std::optional<render::Rect> place_in(const ViewedPicture& picture, const ViewedPicture& seen) {
  // Use differences: in a deep zoom, the corners themselves are not exact to a pixel.
  const double spacing = pixel_spacing(picture.view, picture.size);
  const double times = pixel_spacing(seen.view, seen.size) / spacing;
  const double width = seen.size.width * times;
  const double height = seen.size.height * times;
  const double x = (picture.size.width - width) / 2 + (seen.view.re - picture.view.re) / spacing;
  const double y = (picture.size.height - height) / 2 + (seen.view.im - picture.view.im) / spacing;
  constexpr double kMost = 2147483648.0;
  if (!(width * seen.size.width < kMost && height * seen.size.height < kMost)) return std::nullopt;
  if (!(x < picture.size.width && y < picture.size.height && x + width > 0 && y + height > 0))
    return std::nullopt;
  const auto whole = [](double pixels) { return static_cast<int>(std::lround(pixels)); };
  const render::Rect place{whole(x), whole(y), whole(width), whole(height)};
  if (empty(intersect(place, {0, 0, picture.size.width, picture.size.height}))) return std::nullopt;
  return place;
}

bool is_outside(const ComplexView& view, render::Extent picture) {
  const ComplexPoint low = point_at(view, picture, 0, 0);
  const ComplexPoint high = point_at(view, picture, picture.width, picture.height);
  return std::hypot(std::clamp(0.0, low.re, high.re), std::clamp(0.0, low.im, high.im)) > 2;
}

MandelbrotView mandelbrot_view(const ComplexView& view, render::Extent picture, int divisor) {
  const ComplexPoint low = point_at(view, picture, 0, 0);
  const ComplexPoint high = point_at(view, picture, picture.width, picture.height);
  const auto side = [&](int pixels) { return static_cast<std::uint32_t>((pixels + divisor - 1) / divisor); };
  return {{low.re, high.re, low.im, high.im}, side(picture.width), side(picture.height)};
}

ComplexView zoomed(const ComplexView& view, render::Extent picture, double pixel_x, double pixel_y,
                   double factor, Precision precision) {
  if (!std::isfinite(factor) || factor <= 0) return view;
  // Clamp the width first, so that the point stays under the pixel at the limit too.
  const double width = clamped({view.re, view.im, view.width / factor}, picture, precision).width;
  const double change = (view.width - width) / picture.width;
  return clamped({view.re + (pixel_x - picture.width / 2.0) * change,
                  view.im + (pixel_y - picture.height / 2.0) * change, width},
                 picture, precision);
}

ComplexView panned(const ComplexView& view, render::Extent picture, double pixels_x, double pixels_y,
                   Precision precision) {
  const double spacing = pixel_spacing(view, picture);
  return clamped({view.re - pixels_x * spacing, view.im - pixels_y * spacing, view.width}, picture,
                 precision);
}

ComplexView boxed(const ComplexView& view, render::Extent picture, double x0, double y0, double x1, double y1,
                  Precision precision) {
  const double width = std::abs(x1 - x0);
  const double height = std::abs(y1 - y0);
  if (!(width >= kMinBox && height >= kMinBox)) return view;
  const ComplexPoint middle = point_at(view, picture, (x0 + x1) / 2, (y0 + y1) / 2);
  const double share = std::max(width / picture.width, height / picture.height);
  return clamped({middle.re, middle.im, view.width * share}, picture, precision);
}

ComplexView clamped(const ComplexView& view, render::Extent picture, Precision precision) {
  if (!std::isfinite(view.re) || !std::isfinite(view.im) || !std::isfinite(view.width)) {
    return default_view(picture);
  }
  ComplexView result = view;
  result.re = std::clamp(view.re, -kMaxCentre, kMaxCentre);
  result.im = std::clamp(view.im, -kMaxCentre, kMaxCentre);
  const double least = min_spacing(result, precision) * picture.width;
  result.width = std::clamp(view.width, least, kMaxWidth);
  return result;
}

}  // namespace loom::app
