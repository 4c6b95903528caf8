#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include "app/cli/signal_monitor.h"

namespace loom::app {

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
