#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>

namespace loom {

/// Thrown when a call ends early because its monitor requested cancellation. It is not an error.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "cancelled"; }
};

/// Progress of a long call and a request to cancel it, shared between the working thread and an observing
/// thread. The worker accesses it through WatchedCall; all public functions may be called by any thread at
/// any time.
class Watch {
 public:
  /// Progress of the current or last call: 0 at its start, 1 at its end, never decreasing within a call.
  double share() const {
    return std::min(1.0, static_cast<double>(share_.load(std::memory_order_relaxed)) / kWhole);
  }
  /// Requests that the current call and every later one end soon; until reset().
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
  /// Resets progress and the cancellation request. Must not be called while a call runs.
  void reset() {
    share_.store(0, std::memory_order_relaxed);
    cancelled_.store(false, std::memory_order_relaxed);
  }

 private:
  friend class WatchedCall;
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 62;
  std::atomic<std::uint64_t> share_{0};  ///< in units of 2^-62
  std::atomic<bool> cancelled_{false};
  /// The share of the progress that the next call covers; used by the worker only.
  std::uint64_t room_ = kWhole;
};

/// Progress of one call whose work has a number of units, monitored or not. A nested call covers the units
/// that part() assigns to it, or none.
class WatchedCall {
 public:
  /// Not monitored.
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
  /// Throws Cancelled if cancellation was requested.
  void check() const {
    if (cancelled()) throw Cancelled();
  }
  /// Adds finished units. Any of the worker's threads may call it.
  void advance(std::uint64_t units) const {
    if (watch_) watch_->share_.fetch_add(units * unit_, std::memory_order_relaxed);
  }
  /// Runs `work`, whose monitored call covers the next `units`. It may contain at most one such call, and
  /// must not run on parallel threads.
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
  std::uint64_t first_ = 0;  ///< the progress at the start
  std::uint64_t room_ = 0;
  std::uint64_t unit_ = 0;
};

/// Sets an engine's monitor for the lifetime of the object; `watch` may be null.
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
