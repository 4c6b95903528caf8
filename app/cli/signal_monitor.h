#pragma once

#include <chrono>
#include <csignal>
#include <optional>

namespace loom::app {

/// While an object exists, Ctrl-C (SIGINT), SIGTERM and SIGHUP do not end the process; they are recorded, and
/// the work polls for them. A second Ctrl-C ends the program immediately; a second SIGTERM or SIGHUP does
/// not, since a closed terminal or a shutdown sends several. Signals that were ignored before (nohup) stay
/// ignored. At most one object may exist.
class SignalMonitor {
 public:
  using Clock = std::chrono::steady_clock;

  SignalMonitor();
  ~SignalMonitor();
  SignalMonitor(const SignalMonitor&) = delete;
  SignalMonitor& operator=(const SignalMonitor&) = delete;
  /// The first recorded signal.
  std::optional<int> interrupted() const;
  /// Returns the first recorded signal and clears it.
  std::optional<int> take();
  /// Time of the first signal that answer() has not acknowledged.
  std::optional<Clock::time_point> pending_since() const;
  /// Records a signal that take() does not return.
  void note();
  /// Acknowledges the signal: the user decided that the program continues.
  void answer();
  /// Waits until a signal arrives or wake() is called; for one thread. Each earlier signal or call makes one
  /// wait return immediately.
  void wait();
  void wake();
  /// The exit status that a shell reports for this signal.
  static int status_of(int signal) { return 128 + signal; }

 private:
  struct sigaction before_[3];
};

}  // namespace loom::app
