#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

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

/// How long to wait for the end of a job.
using TaskTimeout = std::chrono::duration<double, std::milli>;
inline constexpr TaskTimeout kNoTimeout{1e12};

/// Background work.
struct Progress {
  std::string what;  ///< "building level 9 of sierpinski-carpet"; empty: no work
  double share = 0;  ///< 0..1; negative if unknown
};

/// How a job ended; empty if it returned.
struct TaskFailure {
  bool cancelled = false;
  std::string problem = {};  ///< why it failed; empty if it was cancelled
  bool failed() const { return cancelled || !problem.empty(); }
};

/// The failure that the handled exception means: OperationCancelled, InputError, MachineError or
/// std::bad_alloc, for which the problem is `out_of_memory`. Rethrows DeviceFault and other exceptions.
TaskFailure handled_failure(std::string_view out_of_memory);

/// Runs a job in the calling thread.
template <typename Job>
TaskFailure run_job(std::string_view out_of_memory, const Job& job) {
  try {
    job();
    return {};
  } catch (...) {
    return handled_failure(out_of_memory);
  }
}

/// Waits at most `timeout` for the end of a job; nothing if it still runs.
std::optional<TaskFailure> wait_for_end(Worker& worker, TaskTimeout timeout, std::string_view out_of_memory);

/// Runs one job at a time on a background thread and returns its result, or why there is none. All calls come
/// from one thread.
template <typename Result>
class Task {
 public:
  /// Ends early with OperationCancelled if the monitor says so.
  using Job = std::function<Result(ProgressMonitor&)>;
  struct Outcome : TaskFailure {
    std::optional<Result> result = {};  ///< empty if it was cancelled or failed
  };

  /// Starts a job; none may be running. Data that the job refers to must outlive this. `out_of_memory` is the
  /// problem if memory runs out. Throws MachineError.
  void start(Job job, std::string out_of_memory = "out of memory") {
    out_of_memory_ = std::move(out_of_memory);
    result_.reset();
    worker_.start([this, job = std::move(job)](ProgressMonitor& monitor) { result_.emplace(job(monitor)); });
  }
  /// A job was started and its outcome was not taken yet.
  bool running() const { return worker_.busy(); }
  /// Progress of the job, 0 to 1.
  double share() const { return worker_.watch().share(); }
  /// Requests that the job ends early.
  void cancel() {
    if (running()) worker_.watch().cancel();
  }
  /// Takes the outcome of a job that has ended, once; waits at most `timeout` for it. InputError and
  /// MachineError become the problem. Throws DeviceFault.
  std::optional<Outcome> poll(TaskTimeout timeout = {}) {
    if (!running()) return std::nullopt;
    const std::optional<TaskFailure> failure = wait_for_end(worker_, timeout, out_of_memory_);
    if (!failure) return std::nullopt;
    return Outcome{*failure, std::exchange(result_, std::nullopt)};
  }
  /// poll() without a timeout; nothing if no job was started.
  std::optional<Outcome> wait() { return poll(kNoTimeout); }

 private:
  std::string out_of_memory_;
  std::optional<Result> result_;  ///< written by the job
  Worker worker_;                 ///< last member: must end before the members it uses
};

}  // namespace loom::app
