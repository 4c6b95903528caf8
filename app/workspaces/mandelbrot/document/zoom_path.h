#pragma once

#include <vector>

#include "app/workspaces/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// A flight through a sequence of views of the Mandelbrot set.
class ZoomPath {
 public:
  /// Requires at least one view; a single one does not move. Throws InputError for none.
  explicit ZoomPath(std::vector<ComplexView> keyframes);
  /// The view at `time` from 0 (first keyframe) to 1 (last keyframe). Each leg starts and ends slowly.
  /// Between two keyframes the width changes exponentially, and the centre moves so that the point which both
  /// views show at the same position stays there. The time of a leg is proportional to its zoom and movement.
  ComplexView at(double time) const;
  /// The keyframe with the smallest width.
  const ComplexView& deepest() const;
  std::size_t keyframes() const { return keyframes_.size(); }

 private:
  std::vector<ComplexView> keyframes_;
  std::vector<double> begins_;  ///< start time of each leg, 0 to 1
};

}  // namespace loom::app
