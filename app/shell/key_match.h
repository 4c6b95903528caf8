#pragma once

#include <utility>
#include <vector>

#include "app/shell/shortcuts.h"

namespace loom::app {

// What a shortcut answers to.

inline KeyMatcher key(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl && !press.repeat; };
}

inline KeyMatcher character(unsigned one, unsigned other = 0) {
  return [=](const KeyPress& press) {
    return press.character != 0 && (press.character == one || press.character == other);
  };
}

// A larger or smaller step each time the key repeats makes sense only for moving about.
inline KeyMatcher moving(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl; };
}

inline KeyMatcher with_ctrl(std::vector<int> codes) {
  return [keys = std::move(codes)](const KeyPress& press) {
    if (!press.ctrl) return false;
    for (const int code : keys) {
      if (press.key == code) return true;
    }
    return false;
  };
}

inline KeyMatcher with_ctrl_shift(int code) {
  return [=](const KeyPress& press) { return press.ctrl && press.shift && press.key == code; };
}

inline KeyMatcher any_of(KeyMatcher a, KeyMatcher b) {
  return [=](const KeyPress& press) { return a(press) || b(press); };
}

}  // namespace loom::app
