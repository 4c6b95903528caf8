#include "app/gui/input_queue.h"

#include <GLFW/glfw3.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <utility>

#include "app/gui/imgui_compat.h"

namespace loom::app {
namespace {

// A key opens a text field in its own frame or in the next one; ImGui gives it the keyboard focus one frame
// later, and it gets keys from the frame after that on.
constexpr int kFramesToSettle = 3;
// A search field that has no focus by then is hidden: the window is too small.
constexpr int kFramesForSearch = kFramesToSettle + 1;

bool contains(const std::vector<int>& some, int one) {
  return std::find(some.begin(), some.end(), one) != some.end();
}

bool is_modifier(int key) {
  return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
}

bool prints(const KeyEvent& event) {
  return event.key < GLFW_KEY_ESCAPE || (event.key >= GLFW_KEY_KP_0 && event.key <= GLFW_KEY_KP_ADD);
}

bool holds_ctrl(const KeyEvent& event) {
  return (event.mods & GLFW_MOD_CONTROL) != 0;
}

/// Whether two positions are so close that the mouse counts as still while the wheel turns. Deferring each
/// small move would delay the events behind it.
bool near(const MoveEvent& one, const MoveEvent& other) {
  constexpr double kUnits = 4;
  return std::abs(one.x - other.x) <= kUnits && std::abs(one.y - other.y) <= kUnits;
}

/// Keys after which another widget may have the keyboard focus.
bool moves_focus(const KeyEvent& event) {
  switch (event.key) {
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
    case GLFW_KEY_ESCAPE:
    case GLFW_KEY_TAB:
      return true;
    default:
      return holds_ctrl(event);
  }
}

}  // namespace

/// Fills one frame.
class InputQueue::FrameBuilder {
 public:
  FrameBuilder(InputQueue& queue, KeyTarget key_target) : queue_(queue), key_target_(key_target) {
    for (const KeyEvent& release : std::exchange(queue_.deferred_releases_, {})) {
      changed_keys_.push_back(release.key);
      frame_.events.push_back(release);
    }
  }

  /// Returns false if the event, and all events after it, must wait for the next frame.
  bool take(const InputEvent& event) {
    return std::visit([this](const auto& one) { return take_one(one); }, event);
  }
  bool settle() const { return settle_; }
  Frame frame() && { return std::move(frame_); }

 private:
  // Whether ImGui must see this press in a frame without other presses.
  bool counts(const KeyEvent& event) const {
    if (holds_ctrl(event)) return true;  // some dialogs query ImGui for Ctrl shortcuts
    if (key_target_ == KeyTarget::kTextField) return !prints(event);
    return key_target_ == KeyTarget::kNavigation;
  }

  bool unsettled() const { return queue_.frames_to_settle_ > 0 || settle_; }

  bool take_one(const KeyEvent& event) {
    // A Space that activates a control is not typed into it if the control is a text field.
    if (event.key == GLFW_KEY_SPACE && event.action != GLFW_REPEAT)
      queue_.space_held_on_control_ = event.action == GLFW_PRESS && key_target_ == KeyTarget::kNavigation;
    if (is_modifier(event.key)) return take_modifier(event);
    if (event.action == GLFW_RELEASE) return take_release(event);
    if (unsettled() && !(holds_ctrl(event) && event.key == queue_.ctrl_key_)) return false;
    if (key_target_ == KeyTarget::kSearchable && prints(event) && !holds_ctrl(event)) {
      frame_.wants_search = ++queue_.frames_for_search_ <= kFramesForSearch;
      return !frame_.wants_search;
    }
    queue_.frames_for_search_ = 0;
    if (event.action == GLFW_PRESS) {
      const bool seen = contains(changed_keys_, event.key);
      if (counts(event)) {
        if (counted_ || changed_buttons_.any() || seen) return false;
        counted_ = true;
      }
      pressed_ |= key_target_ != KeyTarget::kTextField || counted_;
      if (moves_focus(event)) settle_ = true;
      queue_.ctrl_key_ = holds_ctrl(event) ? event.key : 0;
      if (!seen) show(event);
    }
    // A field of one line has no use for the keys of a presenter's remote control, F1 is help anywhere, and
    // F6 leaves any field.
    const bool passes =
        event.key == GLFW_KEY_PAGE_UP || event.key == GLFW_KEY_PAGE_DOWN ||
        ((event.key == GLFW_KEY_F1 || event.key == GLFW_KEY_F6) && event.action == GLFW_PRESS);
    if (key_target_ != KeyTarget::kTextField || holds_ctrl(event) || passes) {
      frame_.presses.push_back({.key = event.printed,
                                .ctrl = holds_ctrl(event),
                                .shift = (event.mods & GLFW_MOD_SHIFT) != 0,
                                .repeat = event.action == GLFW_REPEAT});
    }
    return true;
  }

  bool take_modifier(const KeyEvent& event) {
    if (counted_ || changed_buttons_.any() || wheel_turned_)
      return false;  // earlier events of this frame happened without the modifier
    show(event);
    return true;
  }

  bool take_release(const KeyEvent& event) {
    if (!contains(changed_keys_, event.key)) {
      show(event);
      return true;
    }
    if (counted_) return false;
    queue_.deferred_releases_.push_back(event);
    return true;
  }

  bool take_one(const CharacterEvent& event) {
    if (queue_.space_held_on_control_ && event.character == ' ') return true;
    if (unsettled() || counted_) return false;
    if (key_target_ == KeyTarget::kTextField) {
      frame_.events.push_back(event);
    } else if (event.character >= 128 || !std::isalpha(static_cast<int>(event.character))) {
      frame_.presses.push_back({.character = event.character});
    }
    return true;
  }

  bool take_one(const MoveEvent& event) {
    if (changed_buttons_.any() || pressed_) return false;
    if (wheel_turned_ && !near(event, queue_.mouse_)) return false;
    if (!wheel_turned_) queue_.mouse_ = event;
    moved_ = true;
    frame_.events.push_back(event);
    return true;
  }

  bool take_one(const ButtonEvent& event) {
    const auto button = static_cast<std::size_t>(event.button);
    if (pressed_ || changed_buttons_[button]) return false;
    // The release waits for the next frame, so that a drag sees its end position while the button is down.
    if (!event.down && moved_ && queue_.buttons_down_[button]) return false;
    if (event.down) {
      settle_ = true;
      queue_.ctrl_key_ = 0;
    }
    queue_.buttons_down_[button] = event.down;
    changed_buttons_.set(button);
    frame_.events.push_back(event);
    return true;
  }

  bool take_one(const WheelEvent& event) {
    wheel_turned_ = true;
    frame_.events.push_back(event);
    return true;
  }

  void show(const KeyEvent& event) {
    changed_keys_.push_back(event.key);
    frame_.events.push_back(event);
  }

  InputQueue& queue_;
  KeyTarget key_target_;
  Frame frame_;
  std::vector<int> changed_keys_;
  MouseButtons changed_buttons_;
  bool counted_ = false;  ///< the frame has a press that excludes others
  bool pressed_ = false;  ///< the frame has a press whose handler may query the mouse position
  bool moved_ = false;
  bool wheel_turned_ = false;
  bool settle_ = false;
};

InputQueue::Frame InputQueue::next(KeyTarget key_target) {
  FrameBuilder builder(*this, key_target);
  while (!pending_.empty() && builder.take(pending_.front())) pending_.pop_front();
  if (frames_to_settle_ > 0) --frames_to_settle_;
  if (builder.settle()) frames_to_settle_ = kFramesToSettle - 1;
  return std::move(builder).frame();
}

}  // namespace loom::app

namespace loom::app::clipboard {
namespace {

// Static, because only one ImGui context exists at a time; see `Gui`.
imgui_compat::ClipboardReader read_whole = nullptr;  ///< the backend's reader
std::optional<std::size_t> refused;

const char* read_for_field(imgui_compat::ClipboardContext context) {
  const char* const text = read_whole(context);
  if (text == nullptr) return nullptr;
  const std::size_t size = std::strlen(text);
  if (size <= kMostFieldBytes) return text;
  refused = size;
  return "";
}

}  // namespace

void limit_text_fields() {
  imgui_compat::ClipboardReader& reader = imgui_compat::clipboard_reader();
  if (reader == nullptr || reader == &read_for_field) return;
  read_whole = std::exchange(reader, &read_for_field);
  refused.reset();
}

std::string text() {
  const imgui_compat::ClipboardReader reader = imgui_compat::clipboard_reader();
  if (reader == nullptr) return {};
  const char* const text =
      (reader == &read_for_field ? read_whole : reader)(imgui_compat::clipboard_context());
  return text == nullptr ? std::string() : std::string(text);
}

std::optional<std::size_t> take_refused() {
  return std::exchange(refused, std::nullopt);
}

}  // namespace loom::app::clipboard
