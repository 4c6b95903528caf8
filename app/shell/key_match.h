#pragma once

#include <utility>
#include <vector>

#include "app/shell/shortcuts.h"

namespace loom::app {

// Predicates that decide which key press a shortcut matches.

inline KeyMatcher key(int code) {
  return [=](const KeyPress& press) { return press.key == code && !press.ctrl && !press.repeat; };
}

inline KeyMatcher character(unsigned one, unsigned other = 0) {
  return [=](const KeyPress& press) {
    return press.character != 0 && (press.character == one || press.character == other);
  };
}

// Also matches key repeats, which make sense only for movement and zoom.
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

inline KeyMatcher without_shift(KeyMatcher matches) {
  return [=](const KeyPress& press) { return !press.shift && matches(press); };
}

inline KeyMatcher with_shift(int code) {
  return
      [=](const KeyPress& press) { return press.shift && !press.ctrl && press.key == code && !press.repeat; };
}

inline KeyMatcher with_ctrl_shift(int code) {
  return [=](const KeyPress& press) { return press.ctrl && press.shift && press.key == code; };
}

inline KeyMatcher any_of(KeyMatcher a, KeyMatcher b) {
  return [=](const KeyPress& press) { return a(press) || b(press); };
}

}  // namespace loom::app
