#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// A background thread that runs one job at a time. Data used by a job belongs to it until it has ended; the
/// starting thread waits with wait_for().
class Worker {
 public:
  /// Reports to the watch, and ends early where that is cancelled.
  using Job = std::function<void(ProgressMonitor&)>;

  Worker() = default;
  /// Cancels the job under way and waits for its end.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Begins a job; none may be under way.
  void start(Job job);
  /// A job was started and its end was not seen yet.
  bool busy() const { return busy_; }
  /// Waits for the end of the job for at most `most`. Returns true if no job runs any more. Rethrows the
  /// job's exception.
  bool wait_for(std::chrono::duration<double, std::milli> most);
  /// The same without waiting.
  bool has_ended() { return wait_for(std::chrono::duration<double, std::milli>{0}); }
  /// The same without a limit.
  void wait();
  /// Of the job under way.
  ProgressMonitor& watch() { return watch_; }
  const ProgressMonitor& watch() const { return watch_; }

 private:
  void make_thread();
  void run();
  void finish();

  ProgressMonitor watch_;
  bool busy_ = false;  // of the thread that starts jobs
  std::mutex mutex_;   // guards what follows
  std::condition_variable changed_;
  Job job_;
  bool done_ = false;
  bool ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace loom::app
