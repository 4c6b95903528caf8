#pragma once

#include <string>
#include <utility>
#include <vector>

struct GLFWwindow;

namespace loom::app {

/// One key or character that was pressed. A press of a printing key gives both, one after the other:
/// shortcuts with a letter, a digit or Ctrl look at the key, those with another sign at the character, so
/// that '?' or '[' work wherever a layout puts them.
struct KeyPress {
  int key = 0;  ///< ASCII, lower case, of what the layout prints on it, else GLFW_KEY_*; 0 for a character
  unsigned character = 0;  ///< Unicode, never an ASCII letter; 0 for a key
  bool ctrl = false;
  bool shift = false;
  bool repeat = false;  ///< held down
};

/// Collects what is typed into a window while no text field has the focus (Ctrl combinations always), in
/// order and without losing taps that are shorter than a frame. Create it before the Gui, which passes events
/// on.
class KeyQueue {
 public:
  /// Null: stays empty (off screen). Uses the window's user pointer.
  explicit KeyQueue(GLFWwindow* window);
  ~KeyQueue();
  KeyQueue(const KeyQueue&) = delete;
  KeyQueue& operator=(const KeyQueue&) = delete;

  /// What came since the last call.
  std::vector<KeyPress> take();

  /// The files that were dropped on the window since the last call.
  std::vector<std::string> take_dropped() { return std::exchange(dropped_, {}); }

  /// Lets ImGui see keys that were pressed and released since the last frame, which ImGui 1.86 would miss, as
  /// down for one frame. Call once a frame, before the Gui begins it.
  void hold_taps();

 private:
  static void on_key(GLFWwindow* window, int key, int scancode, int action, int mods);
  static void on_character(GLFWwindow* window, unsigned character);
  static void on_drop(GLFWwindow* window, int count, const char** files);
  GLFWwindow* window_;
  std::vector<std::string> dropped_;
  struct Tap {
    int key = 0;  ///< GLFW_KEY_*
    bool ctrl = false;
    bool shift = false;
  };
  std::vector<KeyPress> presses_;
  std::vector<Tap> pressed_;       ///< since the last frame
  std::vector<Tap> tapped_;        ///< of these, released again
  std::vector<unsigned> delayed_;  ///< characters for the next frame
  std::vector<Tap> held_;          ///< shown to ImGui in the present frame
};

}  // namespace loom::app
