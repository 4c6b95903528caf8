#pragma once

#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app::film {

/// A flight through views of the Mandelbrot set, one after the other.
class ZoomPath {
 public:
  /// One view at least; a single one stands still. Throws InputError for none.
  explicit ZoomPath(std::vector<ComplexView> stops);
  /// From 0, the first stop, to 1, the last one. Each leg begins and ends slowly; between two stops the width
  /// changes by the same factor in equal times, and the middle goes so that the point of both views that both
  /// show in the same place stays there. Legs take times in proportion to how far they zoom and move.
  ComplexView at(double time) const;
  std::size_t stops() const { return stops_.size(); }

 private:
  std::vector<ComplexView> stops_;
  std::vector<double> begins_;  ///< when each leg begins, in 0 .. 1
};

}  // namespace loom::app::film
