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

// Distances of smaller views are out of the range of the type.
constexpr int kLeastDoublePower = -289;
constexpr int kLeastFloatPower = -31;

/// Tolerance for the rounding of a clamped width.
constexpr double kRoundingOctaves = 1e-6;

/// Halvings of the width until it is 10^`power`.
double octaves_until(const ComplexView& view, double power) {
  return log2_width(view) - power * std::log2(10.0);
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
  constexpr double kWhole = 4;  // width of the whole set
  PrecisionGauge gauge;
  if (!is_direct(precision)) {
    const double all = octaves_until({{}, kWhole}, least_width_power(precision));
    gauge.octaves_left = std::max(0.0, octaves_until(view, least_width_power(precision)));
    gauge.remaining = std::clamp(gauge.octaves_left / all, 0.0, 1.0);
    if (gauge.octaves_left < 1) gauge.state = PrecisionState::kExhausted;
    return gauge;
  }
  const double spacing = pixel_spacing(view, picture);
  gauge.ulps = spacing / coordinate_ulp(view, precision);
  gauge.octaves_left = std::max(0.0, std::log2(gauge.ulps / kMinUlps));
  const double all = std::log2(kWhole / picture.x / min_spacing(view, precision));
  gauge.remaining = std::clamp(gauge.octaves_left / std::max(all, 1.0), 0.0, 1.0);
  if (gauge.octaves_left < 1) {
    gauge.state = PrecisionState::kExhausted;
  } else if (gauge.ulps < kWarnUlps) {
    gauge.state = PrecisionState::kLow;
  }
  return gauge;
}

bool is_narrowest(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!is_direct(precision)) return octaves_until(view, least_width_power(precision)) <= kRoundingOctaves;
  return pixel_spacing(view, picture) <= min_spacing(view, precision) * (1 + 1e-9);
}

bool fits_precision(const ComplexView& view, glm::ivec2 picture, Precision precision) {
  if (!is_direct(precision)) return octaves_until(view, least_width_power(precision)) >= -kRoundingOctaves;
  return pixel_spacing(view, picture) >= min_spacing(view, precision) * (1 - 1e-9);
}

Precision evaluator_of(Precision precision, const ComplexView& view, glm::ivec2 picture) {
  if (precision != Precision::kAuto) return precision;
  for (const Precision direct : kDirectPrecisions) {
    if (precision_gauge(view, picture, direct).state == PrecisionState::kSufficient) return direct;
  }
  const PrecisionGauge gauge = precision_gauge(view, picture, Precision::kPerturbedDouble);
  return gauge.state == PrecisionState::kSufficient ? Precision::kPerturbedDouble : Precision::kPerturbedWide;
}

int least_width_power(Precision precision) {
  switch (precision) {
    case Precision::kPerturbedFloat:
      return kLeastFloatPower;
    case Precision::kPerturbedDouble:
      return kLeastDoublePower;
    default:
      return kLeastWidthPower;
  }
}

}  // namespace loom::app
