#pragma once

#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app::film {

/// A flight through a sequence of views of the Mandelbrot set.
class ZoomPath {
 public:
  /// Requires at least one view; a single one does not move. Throws InputError for none.
  explicit ZoomPath(std::vector<ComplexView> stops);
  /// The view at `time` from 0 (first stop) to 1 (last stop). Each leg starts and ends slowly. Between two
  /// stops the width changes exponentially, and the centre moves so that the point which both views show at
  /// the same position stays there. The time of a leg is proportional to its zoom and movement.
  ComplexView at(double time) const;
  std::size_t stops() const { return stops_.size(); }

 private:
  std::vector<ComplexView> stops_;
  std::vector<double> begins_;  ///< start of each leg, 0 to 1
};

}  // namespace loom::app::film
