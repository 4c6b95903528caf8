#pragma once

#include <functional>
#include <mutex>
#include <thread>

#include "app/cli/interrupt_watch.h"

namespace loom::app {

/// What one of several processes does when it is told to end while it waits for another that is no more: MPI
/// never returns. So a thread of its own looks whether the watch notes a signal, gives the work a moment to
/// end by itself, and else saves and ends the process, with status 3.
class LastSave {
 public:
  /// `save` is called while nobody else holds lock(); what it throws is told.
  LastSave(const InterruptWatch& watch, std::function<void()> save);
  ~LastSave();
  LastSave(const LastSave&) = delete;
  LastSave& operator=(const LastSave&) = delete;

  /// To be held while what is saved changes.
  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

 private:
  void look(const std::stop_token& ended);

  const InterruptWatch& watch_;
  std::function<void()> save_;
  std::mutex mutex_;
  std::jthread looking_;
};

}  // namespace loom::app
