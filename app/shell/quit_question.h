#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace loom::app {

/// Whether to end the program although something would be lost: asked over everything, until it is answered
/// or nobody has answered for too long.
class QuitQuestion {
 public:
  using Clock = std::chrono::steady_clock;

  /// From now on it is asked. `patience`: how long it waits for an answer, for who may not be there to give
  /// one; nothing: as long as it takes.
  void ask(std::optional<std::chrono::seconds> patience);
  void stay();
  bool asked() const { return asked_; }
  /// Whether it ends by itself.
  bool counts_down() const { return until_.has_value(); }

  /// While it is asked, in every frame: draws it. `lost`: what would be lost, in words; empty: nothing any
  /// more, and nothing is left to ask, which quits where the question has an end of its own. Returns whether
  /// to quit.
  bool show(const std::string& lost);

 private:
  bool asked_ = false;
  std::optional<Clock::time_point> until_;
};

}  // namespace loom::app
