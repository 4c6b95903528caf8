#include "app/workspaces/mandelbrot/document/zoom_path.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Length of a leg: one octave of zoom counts as much as a movement by one picture width. A minimum length
/// avoids empty legs.
double length_of(const ComplexView& from, const ComplexView& to) {
  const double octaves = std::abs(std::log2(to.width / from.width));
  const glm::dvec2 way = to.centre - from.centre;
  const double moved = std::hypot(way.x, way.y) / std::max(from.width, to.width);
  return std::max(0.25, octaves + moved);
}

/// Smoothstep: 3 t^2 - 2 t^3.
double eased(double t) {
  return t * t * (3 - 2 * t);
}

ComplexView between(const ComplexView& from, const ComplexView& to, double t) {
  if (t <= 0) return from;
  if (t >= 1) return to;
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

ComplexView ZoomPath::at(double time) const {
  if (begins_.empty() || !(time > 0)) return keyframes_.front();
  if (time >= 1) return keyframes_.back();
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), time);
  const auto leg = static_cast<std::size_t>(std::distance(begins_.begin(), next)) - 1;
  const double end = leg + 1 < begins_.size() ? begins_[leg + 1] : 1;
  return between(keyframes_[leg], keyframes_[leg + 1], eased((time - begins_[leg]) / (end - begins_[leg])));
}

}  // namespace loom::app
