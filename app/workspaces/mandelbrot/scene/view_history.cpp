#include "app/workspaces/mandelbrot/scene/view_history.h"

namespace loom::app {

void ViewHistory::go(const ComplexView& view, bool same_gesture) {
  if (view == present()) return;  // a click without movement keeps a fitted view fitted
  go_to({view, false}, same_gesture);
}

void ViewHistory::replace_present(const ComplexView& view) {
  if (view == present()) return;
  views_.resize(at_ + 1);
  if (at_ > 0 && views_[at_ - 1].view == view) {
    views_.pop_back();
    --at_;
  } else {
    views_[at_] = {view, false};
  }
}

void ViewHistory::fit(glm::ivec2 picture) {
  const Entry all{default_view(picture), true};
  if (views_[at_] == all) return;
  go_to(all, present() == all.view);
}

void ViewHistory::resize(glm::ivec2 picture) {
  for (Entry& entry : views_) {
    if (entry.fitted) entry.view = default_view(picture);
  }
}

void ViewHistory::go_to(const Entry& entry, bool same_gesture) {
  views_.resize(at_ + 1);
  if (same_gesture && at_ > 0) {
    views_[at_] = entry;
    return;
  }
  views_.push_back(entry);
  if (views_.size() > kMaxViews) views_.erase(views_.begin());
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
