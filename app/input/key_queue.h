#pragma once

#include <vector>

struct GLFWwindow;

namespace loom::app {

/// One key or character that was pressed. A press of a printing key gives both, one after the other: shortcuts with
/// a letter, a digit or Ctrl look at the key, those with another sign at the character, so that '?' or '[' work
/// wherever a layout puts them.
struct KeyPress {
  int key = 0;             ///< ASCII, lower case, of what the layout prints on it, else GLFW_KEY_*; 0 for a character
  unsigned character = 0;  ///< Unicode, never an ASCII letter; 0 for a key
  bool ctrl = false;
  bool shift = false;
  bool repeat = false;  ///< held down
};

/// Collects what is typed into a window while no text field has the focus (Ctrl combinations always), in order and
/// without losing taps that are shorter than a frame. Create it before the Gui, which passes events on.
class KeyQueue {
 public:
  /// Null: stays empty (off screen). Uses the window's user pointer.
  explicit KeyQueue(GLFWwindow* window);
  ~KeyQueue();
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;

  /// What came since the last call.
  std::vector<KeyPress> take();

 private:
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void on_character(GLFWwindow* window, unsigned character);
  GLFWwindow* window_;
  std::vector<KeyPress> presses_;
};

}  // namespace loom::app
