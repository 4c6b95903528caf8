#include "app/workspaces/mandelbrot/scene/precision_gauge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace loom::app {
namespace {

/// Lower bound of the magnitude: closer to the origin, the largest coordinates are those of the picture's
/// edges, not of its centre.
constexpr double kSmallCoordinate = 1.0 / 1024;

template <typename Real>
double ulp_at(double magnitude) {
  const Real value = static_cast<Real>(magnitude);
  return static_cast<double>(std::nextafter(value, std::numeric_limits<Real>::infinity()) - value);
}

}  // namespace

double coordinate_ulp(const ComplexView& view, Precision precision) {
  const double magnitude = std::max({std::abs(view.centre.x), std::abs(view.centre.y), kSmallCoordinate});
  return precision == Precision::kFloat ? ulp_at<float>(magnitude) : ulp_at<double>(magnitude);
}

double min_spacing(const ComplexView& view, Precision precision) {
  return kMinUlps * coordinate_ulp(view, precision);
}

PrecisionGauge precision_gauge(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  const double spacing = pixel_spacing(view, picture);
  PrecisionGauge gauge;
  gauge.ulps = spacing / coordinate_ulp(view, precision);
  gauge.octaves_left = std::max(0.0, std::log2(gauge.ulps / kMinUlps));
  const double all = std::log2(4.0 / picture.x / min_spacing(view, precision));
  gauge.remaining = std::clamp(gauge.octaves_left / std::max(all, 1.0), 0.0, 1.0);
  if (gauge.octaves_left < 1) {
    gauge.state = PrecisionState::kExhausted;
  } else if (gauge.ulps < kWarnUlps) {
    gauge.state = PrecisionState::kLow;
  }
  return gauge;
}

bool fits_precision(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  // Tolerance for the rounding of a clamped width.
  return pixel_spacing(view, picture) >= min_spacing(view, precision) * (1 - 1e-9);
}

}  // namespace loom::app
