#include "app/mandelbrot/scene/view_history.h"

namespace loom::app {

void ViewHistory::go(const ComplexView& view, bool same_gesture) {
  if (view == present()) return;
  views_.resize(at_ + 1);
  if (same_gesture && at_ > 0) {
    views_[at_] = view;
    return;
  }
  views_.push_back(view);
  if (views_.size() > kKept) views_.erase(views_.begin());
  at_ = views_.size() - 1;
}

bool ViewHistory::back() {
  if (at_ == 0) return false;
  --at_;
  return true;
}

bool ViewHistory::forward() {
  if (at_ + 1 == views_.size()) return false;
  ++at_;
  return true;
}

}  // namespace loom::app
