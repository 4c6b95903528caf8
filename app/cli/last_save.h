#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include "app/cli/interrupt_watch.h"

namespace loom::app {

/// Lets one of several processes end on a signal while it waits for a process that no longer exists, because
/// MPI never returns then. A thread polls the watch for a signal, gives the work a moment to end by itself,
/// then saves and ends the process with status 3.
class LastSave {
 public:
  /// `save` is called while nobody else holds lock(); its exceptions are reported.
  LastSave(const InterruptWatch& watch, std::function<void()> save);
  ~LastSave();
  LastSave(const LastSave&) = delete;
  LastSave& operator=(const LastSave&) = delete;

  /// Hold this lock while changing what is saved.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

 private:
  void look(const std::stop_token& ended);

  const InterruptWatch& watch_;
  std::function<void()> save_;
  std::mutex mutex_;
  std::jthread looking_;
};

}  // namespace loom::app
