#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

namespace loom {

/// A call ended early because its watcher wished so. Nobody did anything wrong.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

/// How far a long call has come and a wish that it end, shared between the thread that works and another that
/// watches. The worker gets there through WatchedCall; all that follows may be called by any thread at any
/// time.
class Watch {
 public:
  /// Of the call that runs, or ran last: 0 at its start, 1 at its end, never less than before within a call.
  double share() const {
    return std::min(1.0, static_cast<double>(share_.load(std::memory_order_relaxed)) / kWhole);
  }
  /// Wishes that the call that runs, and every later one, end soon; until reset().
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    if (polls_left_.load(std::memory_order_relaxed) > 0 &&
        polls_left_.fetch_sub(1, std::memory_order_relaxed) == 1)
      cancelled_.store(true, std::memory_order_relaxed);
    return cancelled_.load(std::memory_order_relaxed);
  }
  /// For tests, which cannot tell when a call polls: cancels at the n-th poll from now on.
  void cancel_at_poll(std::int64_t n) { polls_left_.store(n, std::memory_order_relaxed); }
  /// The polls until then.
  std::int64_t polls_left() const { return polls_left_.load(std::memory_order_relaxed); }
  /// Back to the beginning, with no wish. Not while a call runs.
  void reset() {
    share_.store(0, std::memory_order_relaxed);
    cancelled_.store(false, std::memory_order_relaxed);
    polls_left_.store(0, std::memory_order_relaxed);
  }

 private:
  friend class WatchedCall;
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 62;
  std::atomic<std::uint64_t> share_{0};  ///< in units of 2^-62
  mutable std::atomic<bool> cancelled_{false};
  mutable std::atomic<std::int64_t> polls_left_{0};
  std::uint64_t room_ = kWhole;  ///< how much of the share the next call fills; the worker's own
};

/// Polls the cancel of a loop whose passes are too short to poll it in each.
class CancelPoll {
 public:
  /// `watch` may be null.
  explicit CancelPoll(const Watch* watch, std::uint32_t passes = 1 << 12) : watch_(watch), passes_(passes) {}
  /// A pass of the loop; every so many throw Cancelled where that is wished, the first among them.
  void operator()() {
    if (watch_ == nullptr || passed_++ % passes_ != 0) return;
    if (watch_->cancelled()) throw Cancelled();
  }

 private:
  const Watch* watch_;
  std::uint32_t passes_;
  std::uint32_t passed_ = 0;
};
/// Throws Cancelled where that is wished; `watch` may be null.
inline void check_cancel(const Watch* watch) {
  if (watch != nullptr && watch->cancelled()) throw Cancelled();
}

/// One call's work of some number of units, watched or not. A call within a call fills the units that part()
/// gives it, or none.
class WatchedCall {
 public:
  /// Not watched.
  WatchedCall() = default;
  /// `watch` may be null.
  WatchedCall(Watch* watch, std::uint64_t units) : watch_(watch) {
    if (!watch_) return;
    room_ = watch_->room_;
    if (room_ == Watch::kWhole) watch_->share_.store(0, std::memory_order_relaxed);
    first_ = watch_->share_.load(std::memory_order_relaxed);
    unit_ = room_ / std::max<std::uint64_t>(1, units);
    watch_->room_ = 0;
  }
  ~WatchedCall() {
    if (!watch_) return;
    watch_->room_ = room_;
    if (!cancelled()) watch_->share_.store(first_ + room_, std::memory_order_relaxed);
  }
  WatchedCall(const WatchedCall&) = delete;
  WatchedCall& operator=(const WatchedCall&) = delete;

  bool watched() const { return watch_ != nullptr; }
  bool cancelled() const { return watch_ && watch_->cancelled(); }
  /// Throws Cancelled.
  void check() const {
    if (cancelled()) throw Cancelled();
  }
  /// So many more units are done. Any of the worker's threads may call it.
  void advance(std::uint64_t units) const {
    if (watch_) watch_->share_.fetch_add(units * unit_, std::memory_order_relaxed);
  }
  /// Does `work`, whose watched call fills the next `units`; one call in it at most, and not from parallel
  /// threads.
  template <typename Work>
  void part(std::uint64_t units, const Work& work) const {
    if (!watch_) return work();
    const std::uint64_t begin = watch_->share_.load(std::memory_order_relaxed);
    watch_->room_ = units * unit_;
    work();
    watch_->room_ = 0;
    if (!cancelled()) watch_->share_.store(begin + units * unit_, std::memory_order_relaxed);
  }

 private:
  Watch* watch_ = nullptr;
  std::uint64_t first_ = 0;  ///< the share at the start
  std::uint64_t room_ = 0;
  std::uint64_t unit_ = 0;
};

/// Has an engine's calls watched while this lives; `watch` may be null.
template <typename Engine>
class WatchedEngine {
 public:
  WatchedEngine(Engine& engine, Watch* watch) : engine_(engine) { engine_.set_watch(watch); }
  ~WatchedEngine() { engine_.set_watch(nullptr); }
  WatchedEngine(const WatchedEngine&) = delete;
  WatchedEngine& operator=(const WatchedEngine&) = delete;

 private:
  Engine& engine_;
};

}  // namespace loom
