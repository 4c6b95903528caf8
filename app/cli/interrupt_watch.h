#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace loom::app {

/// While it lives, Ctrl-C (SIGINT), SIGTERM and SIGHUP end nothing: they are noted, and the work asks for
/// them at a good moment. A second Ctrl-C ends the program at once; a second of the others does not, since a
/// terminal that is closed and a machine that shuts down send several. What was ignored before (nohup) still
/// is. At most one lives at a time.
class InterruptWatch {
 public:
  using Clock = std::chrono::steady_clock;

  InterruptWatch();
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;
  /// The first signal that came.
  std::optional<int> interrupted() const;
  /// The same, and waits for another one from now on.
  std::optional<int> take();
  /// When the first signal came that answer() has not answered.
  std::optional<Clock::time_point> waits_since() const;
  /// As if a signal had come that nobody takes.
  void note();
  /// The user has decided: the program stays.
  void answer();
  /// Waits until a signal comes, or wake() is called; of one thread. Returns at once for each that came
  /// before.
  void wait();
  void wake();
  /// What a shell reports for a program that this signal ended.
  static int status_of(int signal) { return 128 + signal; }

 private:
  struct sigaction before_[3];
};

}  // namespace loom::app
