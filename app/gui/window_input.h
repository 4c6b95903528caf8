#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/gui/input_queue.h"

struct GLFWwindow;

namespace loom::app {

/// What is typed, clicked and dropped into a window, for ImGui and for the program's shortcuts.
class WindowInput {
 public:
  /// Null: stays empty (off screen). Uses the window's user pointer and its callbacks.
  explicit WindowInput(GLFWwindow* window);
  ~WindowInput();
  WindowInput(const WindowInput&) = delete;
  WindowInput& operator=(const WindowInput&) = delete;

  /// Gives ImGui what is this frame's. Call before ImGui::NewFrame, after the backend's.
  void begin_frame();

  /// Whether this frame was shown anything that somebody did, or a button is held.
  bool touched() const { return touched_ || buttons_.any(); }

  /// This frame's presses that are no text: none of a text field's without Ctrl.
  std::vector<KeyPress> take_presses() { return std::exchange(presses_, {}); }

  /// The files that were dropped on the window since the last call.
  std::vector<std::string> take_dropped() { return std::exchange(dropped_, {}); }

 private:
  void show(const KeyEvent& event);
  void show(const CharacterEvent& event);
  void show(const MoveEvent& event);
  void show(const ButtonEvent& event);
  void show(const WheelEvent& event);
  GLFWwindow* window_;
  InputQueue queue_;
  MoveEvent mouse_;
  MouseButtons buttons_;
  bool touched_ = false;
  std::vector<KeyPress> presses_;
  std::vector<std::string> dropped_;
};

}  // namespace loom::app
