#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "compute/engine/progress_monitor.h"

namespace loom::app {

/// A background thread that runs one job at a time. The job owns the data that it uses until it has ended;
/// the starting thread waits with wait_for().
class Worker {
 public:
  /// A job reports its progress to the monitor and ends early when the monitor is cancelled.
  using Job = std::function<void(ProgressMonitor&)>;

  Worker() = default;
  /// Cancels the running job and waits for its end.
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// Starts a job. No other job may be running.
  void start(Job job);
  /// True from start() until wait() or wait_for() has seen the end of the job.
  bool busy() const { return busy_; }
  /// Waits for the end of the job for at most `most`. Returns true if no job runs any more. Rethrows the
  /// job's exception.
  bool wait_for(std::chrono::duration<double, std::milli> most);
  /// wait_for() with a timeout of zero.
  bool has_ended() { return wait_for(std::chrono::duration<double, std::milli>{0}); }
  /// wait_for() without a timeout.
  void wait();
  /// Progress of the current job.
  ProgressMonitor& watch() { return watch_; }
  const ProgressMonitor& watch() const { return watch_; }

 private:
  void make_thread();
  void run();
  void finish();

  ProgressMonitor watch_;
  bool busy_ = false;  // used only by the thread that starts jobs
  std::mutex mutex_;   // guards the members below
  std::condition_variable changed_;
  Job job_;
  bool done_ = false;
  bool ends_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace loom::app
