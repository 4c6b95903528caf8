#include "app/workspaces/mandelbrot/document/zoom_path.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Length of a leg: one octave of zoom counts as much as a movement by one picture width. A minimum length
/// avoids empty legs.
double length_of(const ComplexView& from, const ComplexView& to) {
  const double octaves = std::abs(log2_width(to) - log2_width(from));
  if (from.decimal || to.decimal) {
    const bool inwards = log2_width(to) < log2_width(from);
    const DecimalOffset way =
        offset_between(decimal_of(inwards ? from : to), decimal_of(inwards ? to : from));
    return std::max(0.25, octaves + std::hypot(way.right, way.down));
  }
  const glm::dvec2 way = to.centre - from.centre;
  const double moved = std::hypot(way.x, way.y) / std::max(from.width, to.width);
  return std::max(0.25, octaves + moved);
}

/// Smoothstep: 3 t^2 - 2 t^3.
double eased(double t) {
  return t * t * (3 - 2 * t);
}

/// 2^`octaves` as a decimal number.
std::string power_text(double octaves) {
  const double whole = std::floor(octaves);
  return decimal_text({std::exp2(octaves - whole), static_cast<std::int32_t>(whole)});
}

// As below, in terms of the narrower view: its centre is at -offset * rest widths of the view between.
ComplexView between_decimal(const ComplexView& from, const ComplexView& to, double t) {
  const bool inwards = log2_width(to) < log2_width(from);
  const DecimalView wide = decimal_of(inwards ? from : to);
  const DecimalView narrow = decimal_of(inwards ? to : from);
  const DecimalOffset offset = offset_between(wide, narrow);
  if (std::abs(1 - offset.scale) < 1e-9) {
    const double share = inwards ? t : 1 - t;
    return complex_view(moved(wide, offset.right * share, offset.down * share));
  }
  const double octaves = log2_width(from) + (log2_width(to) - log2_width(from)) * t;
  const double narrower = std::exp2(std::min(log2_width(from), log2_width(to)) - octaves);
  const double rest = (1 - narrower) / (1 - offset.scale);
  return complex_view(
      moved({narrow.re, narrow.im, power_text(octaves)}, -offset.right * rest, -offset.down * rest));
}

ComplexView between(const ComplexView& from, const ComplexView& to, double t) {
  if (t <= 0) return from;
  if (t >= 1) return to;
  if (from.decimal || to.decimal) return between_decimal(from, to, t);
  const double width = from.width * std::pow(to.width / from.width, t);
  // The centre moves in proportion to the change in width, so that the point at the same position in both
  // views does not move.
  const double span = to.width - from.width;
  const bool same_width = std::abs(span) < 1e-9 * std::max(from.width, to.width);
  const double share = same_width ? t : (width - from.width) / span;
  return {from.centre + (to.centre - from.centre) * share, width};
}

}  // namespace

ZoomPath::ZoomPath(std::vector<ComplexView> keyframes) : keyframes_(std::move(keyframes)) {
  if (keyframes_.empty()) throw InputError("a flight needs at least one view");
  double all = 0;
  for (std::size_t i = 0; i + 1 < keyframes_.size(); ++i) {
    begins_.push_back(all);
    all += length_of(keyframes_[i], keyframes_[i + 1]);
  }
  for (double& begin : begins_) begin /= all;
}

const ComplexView& ZoomPath::deepest() const {
  return *std::ranges::min_element(keyframes_, {}, [](const ComplexView& view) { return log2_width(view); });
}

ComplexView ZoomPath::at(double time) const {
  if (begins_.empty() || !(time > 0)) return keyframes_.front();
  if (time >= 1) return keyframes_.back();
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), time);
  const auto leg = static_cast<std::size_t>(std::distance(begins_.begin(), next)) - 1;
  const double end = leg + 1 < begins_.size() ? begins_[leg + 1] : 1;
  return between(keyframes_[leg], keyframes_[leg + 1], eased((time - begins_[leg]) / (end - begins_[leg])));
}

}  // namespace loom::app
