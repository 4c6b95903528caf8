#pragma once

#include <glm/vec2.hpp>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// Distance of pixels in ulps at which zooming stops, and below which a warning appears. An ulp is the
/// distance of neighbouring numbers of the precision at the largest coordinate of the centre.
inline constexpr double kMinUlps = 4;
inline constexpr double kWarnUlps = 64;

/// The ulp of the larger of |re| and |im| of the centre.
double coordinate_ulp(const ComplexView& view, Precision precision);
/// kMinUlps ulps, as a distance.
double min_spacing(const ComplexView& view, Precision precision);

enum class PrecisionState {
  kSufficient,
  kLow,        ///< fewer than kWarnUlps between pixels
  kExhausted,  ///< less than one halving is left
};

/// The remaining precision at a view. Perturbed precisions have no ulps, and kPerturbedWide is always
/// sufficient.
struct PrecisionGauge {
  double ulps = 0;          ///< ulps between neighbouring pixels
  double octaves_left = 0;  ///< number of remaining halvings of the width
  double remaining = 1;     ///< remaining fraction of the halvings from a width of 4 to the end: 1 to 0
  PrecisionState state = PrecisionState::kSufficient;
};
PrecisionGauge precision_gauge(const ComplexView& view, glm::ivec2 picture, Precision precision);

/// Whether zooming in does not change the width: it is the smallest one of the precision.
bool is_narrowest(const ComplexView& view, glm::ivec2 picture, Precision precision);
/// Whether this precision can show the view without widening it.
bool fits_precision(const ComplexView& view, glm::ivec2 picture, Precision precision);

/// The evaluator of a view: for kAuto the cheapest one whose gauge is sufficient, otherwise the given one.
Precision evaluator_of(Precision precision, const ComplexView& view, glm::ivec2 picture);

/// The power of ten of the smallest width that a perturbed precision, or kAuto, shows.
int least_width_power(Precision precision);

}  // namespace loom::app
