#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "app/cli/signal_monitor.h"
#include "app/document/scene/scene.h"

namespace loom::app {

/// Ends the window's process where a signal has asked it to end and it still runs kMost later, while nobody
/// has said that it stays: work in the background that does not end, or a display that does not answer. The
/// scene that set_scene() has told last is kept at kKeepAfter, and the status is 3. A disk or a lock that
/// keeps the scene waiting changes nothing of when the process ends. Two threads of its own, which do nothing
/// until a signal comes.
class ExitDeadline {
 public:
  static constexpr std::chrono::seconds kMost{6};
  static constexpr std::chrono::milliseconds kKeepAfter{4750};
  using SaveScene = std::function<void(const scene::Scene&)>;

  /// `keep` is called by one of those threads.
  ExitDeadline(SignalMonitor& watch, SaveScene save_scene);
  /// A keep under way ends first, or the process does.
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
  std::mutex mutex_;  ///< guards what follows
  std::condition_variable_any asked_;
  std::optional<scene::Scene> scene_;
  bool keep_now_ = false;
  std::jthread keeper_;
  std::jthread thread_;
};

}  // namespace loom::app
