#pragma once

#include <bitset>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace loom::app {

/// One key or character that was pressed. A press of a printing key gives both, one after the other:
/// shortcuts with a letter, a digit or Ctrl look at the key, those with another sign at the character, so
/// that '?' or '[' work wherever a layout puts them.
struct KeyPress {
  int key = 0;  ///< lower-case ASCII as printed by the layout, otherwise GLFW_KEY_*; 0 for a character
  unsigned character = 0;  ///< Unicode, never an ASCII letter; 0 for a key
  bool ctrl = false;
  bool shift = false;
  bool repeat = false;  ///< key repeat
};

// Window events, in GLFW's terms.

struct KeyEvent {
  int key = 0;  ///< GLFW_KEY_*
  int scancode = 0;
  int action = 0;   ///< GLFW_PRESS, GLFW_REPEAT or GLFW_RELEASE
  int mods = 0;     ///< GLFW_MOD_*
  int printed = 0;  ///< KeyPress::key
};
struct CharacterEvent {
  unsigned character = 0;  ///< Unicode
};
struct MoveEvent {
  double x = 0;
  double y = 0;
};
struct ButtonEvent {
  int button = 0;  ///< 0 to 7
  bool down = false;
};
struct WheelEvent {
  double x = 0;
  double y = 0;
};
using MouseButtons = std::bitset<8>;  ///< the buttons that are down
using InputEvent = std::variant<KeyEvent, CharacterEvent, MoveEvent, ButtonEvent, WheelEvent>;

/// The receiver of key presses.
enum class KeyTarget {
  kShortcuts,   ///< the program's shortcuts
  kTextField,   ///< a text field
  kNavigation,  ///< an open list, or controls that are operated by keyboard
  kSearchable,  ///< a page with a search field, which gets the keyboard focus for printing keys
};

/// The events of a window in order, distributed over frames so that none is lost or changes its meaning in
/// slow frames. ImGui 1.86 sees one state per frame: it would miss a key or button that goes down and up
/// within a frame, and would place a click where the mouse is at the end of the frame. Events that do not fit
/// into a frame wait for the next; events that only shortcuts use do not wait for their own release.
class InputQueue {
 public:
  /// The input of one frame.
  struct Frame {
    std::vector<InputEvent> events;  ///< for ImGui, in order
    std::vector<KeyPress> presses;   ///< for shortcuts, in order
    bool wants_search = false;       ///< a printing key waits for the search field to have the focus
  };

  void add(const InputEvent& event) { pending_.push_back(event); }
  /// Call once a frame.
  Frame next(KeyTarget key_target);

 private:
  class FrameBuilder;
  std::deque<InputEvent> pending_;
  std::vector<KeyEvent> deferred_releases_;  ///< of keys tapped within the last frame
  MoveEvent mouse_;                          ///< position before the first wheel event of the frame
  MouseButtons buttons_down_;                ///< as seen by the frames so far
  bool space_held_on_control_ = false;       ///< Space is held and was sent to a control
  int ctrl_key_ = 0;           ///< of the last press, if Ctrl was held: repetitions need not wait to settle
  int frames_for_search_ = 0;  ///< frames for which a printing key has waited for the search field
  int frames_to_settle_ = 0;  ///< frames until it is known whether the last event opened or left a text field
};

}  // namespace loom::app

namespace loom::app::clipboard {

/// ImGui lays out the whole text of a field in every frame: 10 MB take most of a second.
inline constexpr std::size_t kMostFieldBytes = std::size_t{1} << 16;

/// Makes text fields refuse clipboard texts of more than kMostFieldBytes. Call once per ImGui context, after
/// its backend is initialised.
void limit_text_fields();
/// The whole text of the clipboard, of any length; empty if there is none.
std::string text();
/// The size of the text that a field has refused since the last call.
std::optional<std::size_t> take_refused();

}  // namespace loom::app::clipboard
