#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>

#include "app/gui/layout.h"
#include "app/shell/message.h"

namespace loom::app {

/// Messages over the picture: one that stays until the user closes it, and one that disappears. A new message
/// replaces the older one of its kind.
class Toasts {
 public:
  using Clock = std::chrono::steady_clock;
  /// How long a disappearing message is shown.
  static constexpr std::chrono::seconds kShown{5};

  /// Empty messages are ignored. `workspace`: the one that it speaks of, where it is shown; none: everywhere.
  void show(Message message, std::optional<std::size_t> workspace = std::nullopt,
            Clock::time_point now = Clock::now());
  /// The workspace on screen: messages of another one wait until it is on screen again, and those that go by
  /// themselves are dropped. Where a message that belongs to no workspace stays, they wait until it is
  /// closed.
  void set_workspace(std::size_t workspace, Clock::time_point now = Clock::now());
  /// Ends what has been shown for long enough. Once a frame.
  void update(Clock::time_point now = Clock::now());
  /// Closes the message that stays; one that waits for this workspace comes next.
  void dismiss(Clock::time_point now = Clock::now());

  /// The message that stays until it is closed, which Esc does; empty where there is none.
  const Message& persistent() const { return persistent_; }
  /// The disappearing message; empty if there is none.
  const Message& transient() const { return transient_; }
  /// Of those that are shown the newest; empty where there is none.
  const Message& newest() const;

  /// Draws them over the bottom of the picture; false once the user closes the one that stays.
  bool draw(const Area& picture) const;

 private:
  void show_waiting(Clock::time_point now);

  Message persistent_;
  std::optional<std::size_t> persistent_owner_;  ///< the workspace of `persistent_`
  Message transient_;
  std::optional<std::size_t> transient_owner_;
  std::size_t workspace_ = 0;
  std::map<std::size_t, Message> waiting_;  ///< by the workspace that they wait for
  bool transient_is_newest_ = false;
  Clock::time_point until_{};  ///< of `transient_`
};

}  // namespace loom::app
