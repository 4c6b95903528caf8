#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/tasks/worker.h"

namespace loom::app {

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
