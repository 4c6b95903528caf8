#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/document/scene/scene.h"

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

/// Ends the process if it still runs kMost after a signal: background work may not end, or the display may
/// not respond. SignalMonitor::answer() withdraws the deadline. kKeepAfter after the signal, the scene last
/// passed to set_scene() is saved; the exit status is 3. A slow disk or lock does not delay the end of the
/// process. Two threads wait for the signal.
class ExitDeadline {
 public:
  static constexpr std::chrono::seconds kMost{6};
  static constexpr std::chrono::milliseconds kKeepAfter{4750};
  /// Returns why it failed; empty on success.
  using SaveScene = std::function<std::string(const scene::Scene&)>;

  /// `save_scene` is called by one of these threads. A failure is printed.
  ExitDeadline(SignalMonitor& watch, SaveScene save_scene);
  /// Waits for a save in progress, unless the process ends first.
  ~ExitDeadline();
  ExitDeadline(const ExitDeadline&) = delete;
  ExitDeadline& operator=(const ExitDeadline&) = delete;

  /// The scene to save; empty if the program has saved everything.
  void set_scene(std::optional<scene::Scene> scene);
  /// Simulates a signal.
  void start() { watch_.note(); }

 private:
  void run(const std::stop_token& ended);
  void run_keeper(const std::stop_token& ended);
  [[noreturn]] static void end();

  SignalMonitor& watch_;
  SaveScene save_scene_;
  std::mutex mutex_;  ///< guards the following members
  std::condition_variable_any asked_;
  std::optional<scene::Scene> scene_;
  bool keep_now_ = false;
  std::jthread keeper_;
  std::jthread thread_;
};

/// Lets one of several processes end on a signal while MPI waits forever for a process that no longer exists.
/// A thread polls the signal monitor, gives the work a moment to end, then saves and ends the process with
/// status 3.
class EmergencySave {
 public:
  /// `save` is called while no other thread holds lock(); its exceptions are reported.
  EmergencySave(const SignalMonitor& watch, std::function<void()> save);
  ~EmergencySave();
  EmergencySave(const EmergencySave&) = delete;
  EmergencySave& operator=(const EmergencySave&) = delete;

  /// Hold this lock while changing what is saved.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

 private:
  void look(const std::stop_token& ended);

  const SignalMonitor& watch_;
  std::function<void()> save_;
  std::mutex mutex_;
  std::jthread thread_;
};

}  // namespace loom::app
