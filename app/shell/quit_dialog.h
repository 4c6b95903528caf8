#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/gui/layout.h"
#include "app/shell/shortcuts.h"

namespace loom::app {

/// Whether to end the program although something would be lost: asked over everything, until it is answered
/// or nobody has answered for too long.
class QuitDialog {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Answer { kNone, kSave, kQuit, kCancel };

  /// What would be lost, in words, and what can be done about it.
  struct UnsavedWork {
    std::string text = {};  ///< empty: nothing any more, and nothing is left to ask
    bool can_save = false;  ///< something can be saved to a file; otherwise everything ends without saving
  };

  /// From now on it is asked. `timeout`: how long it waits for an answer, for who may not be there to give
  /// one; nothing: as long as it takes.
  void ask(std::optional<std::chrono::seconds> timeout);
  void cancel_request();
  bool asked() const { return asked_; }
  /// True if the program quits without an answer.
  bool has_timeout() const { return deadline_.has_value(); }

  /// While it is asked: Enter takes the focused button, Esc cancels, Tab and the arrow keys move the focus.
  /// Whether the key was one of these.
  bool press(const KeyPress& press);
  /// While it is asked, in every frame: draws it. Returns the answer, once. Where nothing would be lost any
  /// more it is no longer asked, and the answer is kQuit if a signal had asked the program to end.
  Answer show(const UnsavedWork& unsaved_work);

  /// The label of the focused button, and where the buttons are, for tests; empty while it is not asked.
  std::string_view focused() const { return asked_ ? focused_label_ : std::string_view(); }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }

 private:
  static constexpr std::size_t kButtons = 3;
  struct Button {
    const char* label;
    Answer answer;
  };
  static std::array<Button, kButtons> buttons_for(const UnsavedWork& unsaved_work);
  Answer draw_buttons(const UnsavedWork& unsaved_work);

  bool asked_ = false;
  std::optional<Clock::time_point> deadline_;
  std::size_t focus_ = 0;  ///< which button Enter takes
  bool entered_ = false;
  std::string_view focused_label_;
  std::map<std::string, Area, std::less<>> areas_;
};

}  // namespace loom::app
