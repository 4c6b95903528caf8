#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

namespace loom {

/// Thrown when a call ends early because its monitor requested cancellation. It is not an error.
struct OperationCancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

/// Progress of a long call and a request to cancel it, shared between the working thread and an observing
/// thread. The worker accesses it through ProgressScope; all public functions may be called by any thread at
/// any time.
class ProgressMonitor {
 public:
  /// Progress of the current or last call: 0 at its start, 1 at its end, never decreasing within a call.
  double share() const {
    return std::min(1.0, static_cast<double>(share_.load(std::memory_order_relaxed)) / kWhole);
  }
  /// Requests that the current call and every later one end soon; until reset().
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    if (polls_left_.load(std::memory_order_relaxed) > 0 &&
        polls_left_.fetch_sub(1, std::memory_order_relaxed) == 1)
      cancelled_.store(true, std::memory_order_relaxed);
    return cancelled_.load(std::memory_order_relaxed);
  }
  /// For tests: cancels at the n-th poll from now on.
  void cancel_at_poll(std::int64_t n) { polls_left_.store(n, std::memory_order_relaxed); }
  /// The number of polls until then.
  std::int64_t polls_left() const { return polls_left_.load(std::memory_order_relaxed); }
  /// Resets progress and the cancellation request. Must not be called while a call runs.
  void reset() {
    share_.store(0, std::memory_order_relaxed);
    cancelled_.store(false, std::memory_order_relaxed);
    polls_left_.store(0, std::memory_order_relaxed);
  }

 private:
  friend class ProgressScope;
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 62;
  std::atomic<std::uint64_t> share_{0};  ///< in units of 2^-62
  mutable std::atomic<bool> cancelled_{false};
  mutable std::atomic<std::int64_t> polls_left_{0};
  /// The share of the progress that the next call covers; used by the worker only.
  std::uint64_t room_ = kWhole;
};

/// Polls the cancellation request in a loop whose iterations are too short to poll in each.
class CancelPoll {
 public:
  /// `monitor` may be null.
  explicit CancelPoll(const ProgressMonitor* monitor, std::uint32_t passes = 1 << 12)
      : monitor_(monitor), passes_(passes) {}
  /// Call once per iteration. The first call, and then one of every `passes`, throws OperationCancelled if
  /// requested.
  void operator()() {
    if (monitor_ == nullptr || passed_++ % passes_ != 0) return;
    if (monitor_->cancelled()) throw OperationCancelled();
  }

 private:
  const ProgressMonitor* monitor_;
  std::uint32_t passes_;
  std::uint32_t passed_ = 0;
};
/// Throws OperationCancelled if cancellation was requested; `monitor` may be null.
inline void check_cancel(const ProgressMonitor* monitor) {
  if (monitor != nullptr && monitor->cancelled()) throw OperationCancelled();
}

/// Progress of one call whose work has a number of units, monitored or not. A nested call covers the units
/// that part() assigns to it, or none.
class ProgressScope {
 public:
  /// Not monitored.
  ProgressScope() = default;
  /// `monitor` may be null.
  ProgressScope(ProgressMonitor* monitor, std::uint64_t units) : monitor_(monitor) {
    if (!monitor_) return;
    room_ = monitor_->room_;
    if (room_ == ProgressMonitor::kWhole) monitor_->share_.store(0, std::memory_order_relaxed);
    first_ = monitor_->share_.load(std::memory_order_relaxed);
    unit_ = room_ / std::max<std::uint64_t>(1, units);
    monitor_->room_ = 0;
  }
  ~ProgressScope() {
    if (!monitor_) return;
    monitor_->room_ = room_;
    if (!cancelled()) monitor_->share_.store(first_ + room_, std::memory_order_relaxed);
  }
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;

  bool watched() const { return monitor_ != nullptr; }
  bool cancelled() const { return monitor_ && monitor_->cancelled(); }
  /// Throws OperationCancelled if cancellation was requested.
  void check() const {
    if (cancelled()) throw OperationCancelled();
  }
  /// Adds finished units. Any of the worker's threads may call it.
  void advance(std::uint64_t units) const {
    if (monitor_) monitor_->share_.fetch_add(units * unit_, std::memory_order_relaxed);
  }
  /// Runs `work`, whose monitored call covers the next `units`. It may contain at most one such call, and
  /// must not run on parallel threads.
  template <typename Work>
  void part(std::uint64_t units, const Work& work) const {
    if (!monitor_) return work();
    const std::uint64_t begin = monitor_->share_.load(std::memory_order_relaxed);
    monitor_->room_ = units * unit_;
    work();
    monitor_->room_ = 0;
    if (!cancelled()) monitor_->share_.store(begin + units * unit_, std::memory_order_relaxed);
  }

 private:
  ProgressMonitor* monitor_ = nullptr;
  std::uint64_t first_ = 0;  ///< the progress at the start
  std::uint64_t room_ = 0;
  std::uint64_t unit_ = 0;
};

/// Sets an engine's monitor for the lifetime of the object; `monitor` may be null.
template <typename Engine>
class ScopedMonitor {
 public:
  ScopedMonitor(Engine& engine, ProgressMonitor* monitor) : engine_(engine) { engine_.set_monitor(monitor); }
  ~ScopedMonitor() { engine_.set_monitor(nullptr); }
  ScopedMonitor(const ScopedMonitor&) = delete;
  ScopedMonitor& operator=(const ScopedMonitor&) = delete;

 private:
  Engine& engine_;
};

}  // namespace loom
