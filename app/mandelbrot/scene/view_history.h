#pragma once

#include <cstddef>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"

namespace loom::app {

/// The views that were looked at, the last `kKept` of them; one is the present one.
class ViewHistory {
 public:
  static constexpr std::size_t kKept = 1000;

  explicit ViewHistory(const ComplexView& first) : views_{first} {}

  const ComplexView& present() const { return views_[at_]; }
  /// A new view after the present one; those that came after it are forgotten. With `same_gesture` it takes
  /// the place of the present view, so that a drag or a turn of the wheel is one step back.
  void go(const ComplexView& view, bool same_gesture = false);
  /// False where there is none.
  bool back();
  bool forward();
  std::size_t views_behind() const { return at_; }
  std::size_t views_ahead() const { return views_.size() - 1 - at_; }

 private:
  std::vector<ComplexView> views_;
  std::size_t at_ = 0;
};

}  // namespace loom::app
