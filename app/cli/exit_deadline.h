#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/cli/signal_monitor.h"
#include "app/document/scene/scene.h"

namespace loom::app {

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

}  // namespace loom::app
