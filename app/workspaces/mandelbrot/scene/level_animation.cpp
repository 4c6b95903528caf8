#include "app/workspaces/mandelbrot/scene/level_animation.h"

#include <algorithm>

namespace loom::app {

void LevelAnimation::toggle_playing() {
  playing_ = !playing_;
  since_.reset();
  if (playing_) shown_ = 0;
}

void LevelAnimation::step(int direction) {
  playing_ = false;
  const int last = std::max(levels_ - 1, 0);
  shown_ = std::clamp(shown_.value_or(direction > 0 ? -1 : last + 1) + direction, 0, last);
}

void LevelAnimation::show_all() {
  playing_ = false;
  shown_.reset();
}

void LevelAnimation::update(double seconds, int levels) {
  levels_ = levels;
  if (shown_) shown_ = std::clamp(*shown_, 0, std::max(levels - 1, 0));
  if (!playing_) return;
  if (!since_) since_ = seconds;
  if (seconds - *since_ < kSecondsPerLevel) return;
  shown_ = levels > 0 ? (*shown_ + 1) % levels : 0;
  since_ = seconds;
}

}  // namespace loom::app
