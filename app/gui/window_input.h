#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/gui/input_queue.h"

struct GLFWwindow;

namespace loom::app {

/// Keyboard, mouse and drop events of a window, for ImGui and for shortcuts.
class WindowInput {
 public:
  /// Null: stays empty (off screen). Uses the window's user pointer and its callbacks.
  explicit WindowInput(GLFWwindow* window);
  ~WindowInput();
  WindowInput(const WindowInput&) = delete;
  WindowInput& operator=(const WindowInput&) = delete;

  /// Sends this frame's events to ImGui. Call before ImGui::NewFrame, after the backend's NewFrame.
  void begin_frame();

  /// Whether a page with a search field is shown, which printing keys are for.
  void set_searchable(bool searchable) { searchable_ = searchable; }
  /// True if a printing key waits until the search field has the keyboard focus.
  bool wants_search() const { return wants_search_; }

  /// True if this frame has input events or a button is held.
  bool had_input() const { return had_input_ || buttons_.any(); }

  /// This frame's key presses that are not text input: without those of a text field, except with Ctrl.
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
  bool searchable_ = false;
  bool wants_search_ = false;
  bool had_input_ = false;
  std::vector<KeyPress> presses_;
  std::vector<std::string> dropped_;
};

}  // namespace loom::app
