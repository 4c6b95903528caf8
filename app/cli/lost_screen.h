#pragma once

#include <functional>

namespace loom::app {

/// While it lives, the end of the X server's connection calls `keep` before the program ends with status 3:
/// Xlib lets nobody go on after that. Does nothing under Wayland. At most one lives at a time.
class LostScreen {
 public:
  explicit LostScreen(std::function<void()> keep);
  ~LostScreen();
  LostScreen(const LostScreen&) = delete;
  LostScreen& operator=(const LostScreen&) = delete;
};

}  // namespace loom::app
