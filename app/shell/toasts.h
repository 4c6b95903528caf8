#pragma once

#include <chrono>

#include "app/gui/layout.h"
#include "app/shell/message.h"

namespace loom::app {

/// The messages over the picture: one that stays until the user closes it, and one that goes by itself. A
/// newer message takes the place of the older one of its sort.
class Toasts {
 public:
  using Clock = std::chrono::steady_clock;
  /// How long a message that goes by itself is shown.
  static constexpr std::chrono::seconds kShown{5};

  /// Empty messages are ignored.
  void show(Message message, Clock::time_point now = Clock::now());
  /// Ends what has been shown for long enough. Once a frame.
  void update(Clock::time_point now = Clock::now());
  /// Closes the message that stays.
  void dismiss() { staying_ = {}; }

  /// The message that stays until it is closed, which Esc does; empty where there is none.
  const Message& staying() const { return staying_; }
  /// The message that goes by itself; empty where there is none.
  const Message& passing() const { return passing_; }
  /// Of those that are shown the newest; empty where there is none.
  const Message& newest() const;

  /// Draws them over the bottom of the picture; false once the user closes the one that stays.
  bool draw(const Area& picture) const;

 private:
  Message staying_;
  Message passing_;
  bool passing_is_newest_ = false;
  Clock::time_point until_{};  ///< of `passing_`
};

}  // namespace loom::app
