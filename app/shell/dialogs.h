#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gui/layout.h"
#include "app/shell/shortcuts.h"
#include "compute/device/device.h"
#include "render/context/graphics_context.h"

namespace loom::app {

/// A modal dialog that asks whether to quit although something would be lost. It stays open until the user
/// answers or a timeout expires.
class QuitDialog {
 public:
  using Clock = std::chrono::steady_clock;
  enum class Answer { kNone, kSave, kQuit, kCancel };

  /// What would be lost, and whether it can be saved.
  struct UnsavedWork {
    std::string text = {};  ///< description; empty: nothing is unsaved, and the dialog closes
    bool can_save = false;  ///< something can be saved to a file; else work only completes or is dropped
  };

  /// Opens the dialog. `timeout`: quits without an answer after this time, for a shutdown request while
  /// nobody is present; nothing: waits without limit.
  void ask(std::optional<std::chrono::seconds> timeout);
  void cancel_request();
  bool asked() const { return asked_; }
  /// True if the program quits without an answer when the timeout expires.
  bool has_timeout() const { return deadline_.has_value(); }

  /// While the dialog is open, Enter activates the focused button, Esc cancels, and Tab and the arrow keys
  /// move the focus. Returns whether the key was one of these. With a timeout, the dialog appears while the
  /// user works, so it takes no answer until keys and clicks have paused for half a second.
  bool press(const KeyPress& press);
  /// Draws the dialog; call in every frame. Returns the answer once. If nothing is unsaved any more, closes
  /// the dialog and returns kQuit if it had a timeout.
  Answer show(const UnsavedWork& unsaved_work);

  /// Label of the focused button, and areas of the buttons by label, for tests; empty while the dialog is
  /// closed. No button is focused while no answer is taken.
  std::string_view focused() const { return takes_answers() ? focused_label_ : std::string_view(); }
  const std::map<std::string, Area, std::less<>>& areas() const { return areas_; }

 private:
  static constexpr std::size_t kButtons = 3;
  struct Button {
    const char* label;
    Answer answer;
  };
  static std::array<Button, kButtons> buttons_for(const UnsavedWork& unsaved_work);
  Answer draw_buttons(const UnsavedWork& unsaved_work);
  bool takes_answers() const { return asked_ && Clock::now() >= takes_answers_at_; }

  bool asked_ = false;
  std::optional<Clock::time_point> deadline_;
  Clock::time_point takes_answers_at_;
  std::size_t focus_ = 0;  ///< index of the button that Enter activates
  bool entered_ = false;
  std::string_view focused_label_;
  std::map<std::string, Area, std::less<>> areas_;
};

/// The versions of the program and its libraries, and the devices that it found.
class AboutDialog {
 public:
  AboutDialog(const std::string& version, const CudaStatus& cuda, const render::GlInfo& opengl);
  void open() { begin_ = true; }
  /// Draws the dialog while it is open.
  void show();

 private:
  std::vector<std::pair<std::string, std::string>> rows_;  ///< name, value
  std::map<std::string, Area, std::less<>> areas_;
  bool begin_ = false;
};

}  // namespace loom::app
