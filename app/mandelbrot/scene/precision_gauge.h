#pragma once

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// Zooming stops where pixels are this many ulps apart, and a warning shows below the second number. An ulp
/// is the distance between neighbouring numbers of the arithmetic at the largest coordinate of the picture's
/// middle.
inline constexpr double kLeastUlps = 4;
inline constexpr double kWarnUlps = 64;

/// The ulp of the larger of |re| and |im| of the view's middle.
double coordinate_ulp(const ComplexView& view, Precision precision);
/// kLeastUlps ulps.
double least_spacing(const ComplexView& view, Precision precision);

enum class PrecisionState {
  kFine,
  kNear,  ///< fewer than kWarnUlps between pixels
  kEnd,   ///< no deeper: less than a halving is left
};

/// How much of an arithmetic a view leaves.
struct PrecisionGauge {
  double ulps = 0;          ///< between neighbouring pixels
  double octaves_left = 0;  ///< how often the view can still be halved
  double room = 1;  ///< share left of the octaves from a width of 4 down to the end: 1 at the start, 0 there
  PrecisionState state = PrecisionState::kFine;
};
PrecisionGauge precision_gauge(const ComplexView& view, render::Extent picture, Precision precision);

/// Whether the view can be shown in an arithmetic without being widened.
bool has_room(const ComplexView& view, render::Extent picture, Precision precision);

}  // namespace loom::app
