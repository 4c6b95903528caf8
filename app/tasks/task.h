#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "app/tasks/worker.h"

namespace loom::app {

/// How long to wait for the end of a job.
using TaskTimeout = std::chrono::duration<double, std::milli>;

/// How a job ended that returned no result.
struct TaskFailure {
  bool cancelled = false;
  std::string problem = {};  ///< why it failed; empty if it was cancelled
};

/// Waits at most `timeout` for the end of a job; nothing if it still runs, an empty failure if it returned.
std::optional<TaskFailure> wait_for_end(Worker& worker, TaskTimeout timeout,
                                        const std::string& out_of_memory);

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
  /// The same, without a limit; nothing if no job was started.
  std::optional<Outcome> wait() { return poll(TaskTimeout{1e12}); }

 private:
  std::string out_of_memory_;
  std::optional<Result> result_;  ///< written by the job
  Worker worker_;                 ///< last member: must end before the members it uses
};

}  // namespace loom::app
