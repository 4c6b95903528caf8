#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
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

/// Work that is expected to take longer runs in the background.
inline constexpr double kWithinFrameMs = 12;
/// Work that takes longer, or is expected to, shows its progress.
inline constexpr double kProgressMs = 100;
/// How long a frame waits for background work.
inline constexpr TaskTimeout kFrameWait{2};

/// A request and its result. If the request was cancelled or failed, the result has what was completed
/// before.
template <typename RequestType, typename ResultType>
struct EngineOutcome : TaskFailure {
  using Request = RequestType;
  using Result = ResultType;
  Request request = {};
  Result result = {};
  bool in_background = false;  ///< executed on the background thread, not within a frame
};

/// Owns the engine of a picture and executes one request at a time: within the frame when it is short,
/// otherwise on a background thread while the window shows the previous state. All calls must come from one
/// thread.
///
/// `Engine` has these members:
///   Outcome                 an EngineOutcome. An engine in the member `next` of its result, if there is one,
///                           replaces this engine when the request has ended
///   expected_ms(request)    the expected duration
///   activity(request)       text for the progress of background work, such as "computing"
///   out_of_memory(request)  the problem if memory runs out
///   update(outcome)         called in the owner's thread, once for each request that has ended
///   set_monitor(monitor)    the monitor of the following calls; null: none
///   begin(request, result)  executes it; returns true if a device continues, but not with a monitor
///   end(request, result)    waits for the device; called only if begin() returned true
///   engine()                the engine of compute
/// Functions up to out_of_memory() may be called while a request runs. begin() and end() run in any thread
/// and throw what handled_failure() turns into a failure, or DeviceFault.
template <typename Engine>
class AsyncEngine {
 public:
  using Outcome = typename Engine::Outcome;
  using Request = typename Outcome::Request;

  explicit AsyncEngine(std::unique_ptr<Engine> engine = nullptr) : running_(std::move(engine)) {}

  bool has_engine() const { return running_ != nullptr; }
  /// Replaces the engine; no request may be running.
  void replace(std::unique_ptr<Engine> engine) { running_ = std::move(engine); }
  const Engine& operator*() const { return *running_; }
  const Engine* operator->() const { return running_.get(); }
  /// The engine of compute; only while not busy(). Waits for work that a device executes.
  auto& engine() {
    wait_for_device();
    return running_->engine();
  }
  const auto& engine() const { return const_cast<AsyncEngine*>(this)->engine(); }
  /// The engine of compute if a device executes its work now, otherwise null.
  const auto* engine_on_device() const { return state_ == State::kOnDevice ? &running_->engine() : nullptr; }

  /// True while a request runs in the background; no other one can be started then.
  bool busy() const { return worker_.busy(); }
  /// True if the last request runs or ran in the background.
  bool in_background() const { return outcome_.in_background; }
  /// The last request.
  const Request& request() const { return outcome_.request; }
  /// Of background work that is long enough.
  Progress progress() const {
    if (!busy()) return {};
    const std::chrono::duration<double, std::milli> passed = Clock::now() - started_;
    if (std::max(expected_ms_, passed.count()) < kProgressMs) return {};
    return {running_->activity(outcome_.request), worker_.watch().share()};
  }
  /// Requests cancellation of background work; it arrives as a cancelled outcome.
  void cancel() { worker_.watch().cancel(); }

  /// Starts a request, which is copied. The outcome of the previous one is lost. Throws DeviceFault.
  void begin(const Request& request) {
    outcome_.request = request;  // keeps the memory of its members
    outcome_.result = {};
    static_cast<TaskFailure&>(outcome_) = {};
    state_ = State::kIdle;
    expected_ms_ = running_->expected_ms(request);
    outcome_.in_background = expected_ms_ > kWithinFrameMs;
    if (outcome_.in_background) {
      started_ = Clock::now();
      state_ = State::kOnWorker;
      worker_.start([this](ProgressMonitor& monitor) {
        check_cancel(&monitor);  // cancelled before it started
        const ScopedMonitor watched(*running_, &monitor);
        running_->begin(outcome_.request, outcome_.result);
      });
      return;
    }
    bool on_device = false;
    TaskFailure failure = run_job(running_->out_of_memory(request),
                                  [&] { on_device = running_->begin(outcome_.request, outcome_.result); });
    if (on_device) {
      state_ = State::kOnDevice;
    } else {
      end_request(std::move(failure));
    }
  }
  /// The outcome of the started request, once; valid until the next begin(). Waits for a device, and at most
  /// `timeout` for background work. Null if that continues or no request was started. Throws DeviceFault.
  const Outcome* finish(TaskTimeout timeout) {
    const bool waits = state_ == State::kOnWorker || state_ == State::kOnDevice;
    const auto begin = Clock::now();
    const Outcome* const outcome = ended(timeout);
    waited_ms_ = waits ? std::chrono::duration<double, std::milli>(Clock::now() - begin).count() : 0;
    return outcome;
  }
  /// Milliseconds that the last finish() waited for a device or for background work; 0 if begin() had
  /// executed the request.
  double waited_ms() const { return waited_ms_; }

 private:
  using Clock = std::chrono::steady_clock;

  /// State of the last request: none or taken, on the worker, on a device, or ended but not taken.
  enum class State { kIdle, kOnWorker, kOnDevice, kEnded };

  const Outcome* ended(TaskTimeout timeout) {
    if (state_ == State::kOnWorker) {
      auto failure = wait_for_end(worker_, timeout, running_->out_of_memory(outcome_.request));
      if (!failure) return nullptr;
      end_request(std::move(*failure));
    }
    wait_for_device();
    return std::exchange(state_, State::kIdle) == State::kEnded ? &outcome_ : nullptr;
  }
  void wait_for_device() {
    if (state_ != State::kOnDevice) return;
    state_ = State::kIdle;  // if the device fails, it is not waited for again
    end_request(run_job(running_->out_of_memory(outcome_.request),
                        [this] { running_->end(outcome_.request, outcome_.result); }));
  }
  void end_request(TaskFailure failure) {
    static_cast<TaskFailure&>(outcome_) = std::move(failure);
    state_ = State::kEnded;
    running_->update(outcome_);
    if constexpr (requires { outcome_.result.next; }) {
      if (outcome_.result.next) running_ = std::move(outcome_.result.next);
    }
  }

  std::unique_ptr<Engine> running_;  ///< used by the running request until it ends
  Outcome outcome_;                  ///< used by the running request until it ends
  State state_ = State::kIdle;
  double expected_ms_ = 0;
  double waited_ms_ = 0;
  Clock::time_point started_;  ///< of the last background work

  Worker worker_;  ///< last member: must end before the members that it uses
};

}  // namespace loom::app
