#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "app/gui/layout.h"

namespace loom::app {

/// Kind of a message. kSuccess: done. kWarning: done in part, or not possible now. kError: failed.
enum class MessageKind { kSuccess, kWarning, kError };

/// "success", "warning", "error".
constexpr const char* name_of(MessageKind kind) {
  return std::array{"success", "warning", "error"}[static_cast<std::size_t>(kind)];
}

/// A message for the user. Empty text means no message.
struct Message {
  MessageKind kind = MessageKind::kWarning;
  std::string text = {};
  bool is_transient = false;  ///< disappears after some seconds and does not capture Esc

  static Message success(std::string text) { return {MessageKind::kSuccess, std::move(text), true}; }
  /// A warning that needs no answer, such as a key that has no effect here.
  static Message hint(std::string text) { return {MessageKind::kWarning, std::move(text), true}; }
  static Message warning(std::string text) { return {MessageKind::kWarning, std::move(text), false}; }
  static Message error(std::string text) { return {MessageKind::kError, std::move(text), false}; }

  bool empty() const { return text.empty(); }
};

/// Messages over the picture: one persistent message, which stays until the user closes it, and one transient
/// message. A new message replaces the older persistent or transient one.
class Toasts {
 public:
  using Clock = std::chrono::steady_clock;
  /// Display time of a transient message.
  static constexpr std::chrono::seconds kShown{5};

  /// Shows a message; empty messages are ignored. `workspace`: the message belongs to this workspace and is
  /// shown only there; nothing: it is shown everywhere.
  void show(Message message, std::optional<std::size_t> workspace = std::nullopt,
            Clock::time_point now = Clock::now());
  /// Sets the workspace on screen. A persistent message of another workspace waits until that workspace is on
  /// screen again; transient messages are dropped. While a persistent message without a workspace is shown,
  /// waiting ones are delayed until it is closed.
  void set_workspace(std::size_t workspace, Clock::time_point now = Clock::now());
  /// Removes an expired transient message. Call once per frame.
  void update(Clock::time_point now = Clock::now());
  /// Closes the persistent message and shows the next one that waits for this workspace.
  void dismiss(Clock::time_point now = Clock::now());

  /// The persistent message, which Esc closes; empty if there is none.
  const Message& persistent() const { return persistent_; }
  /// The transient message; empty if there is none.
  const Message& transient() const { return transient_; }
  /// The newest message on screen; empty if there is none.
  const Message& newest() const;

  /// Draws the messages at the bottom of the picture, or at its upper right; at another edge or corner where
  /// they would cover something of `marked`. Returns false when the user closes the persistent message.
  bool draw(const Area& picture, bool at_top, std::span<const Area> marked = {});
  /// Where the last messages were drawn, as one box; empty without a message.
  const Area& area() const { return area_; }

 private:
  void show_waiting(Clock::time_point now);

  Message persistent_;
  std::optional<std::size_t> persistent_owner_;  ///< the workspace of `persistent_`
  Message transient_;
  std::optional<std::size_t> transient_owner_;
  std::size_t workspace_ = 0;
  std::map<std::size_t, Message> waiting_;  ///< by workspace
  bool transient_is_newest_ = false;
  Area area_;
  Clock::time_point until_{};  ///< expiry time of `transient_`
};

}  // namespace loom::app
