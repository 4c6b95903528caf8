#pragma once

#include <chrono>
#include <optional>

namespace loom::render {

/// Times GL commands with GL_TIME_ELAPSED queries without stalling: a result is taken when it is ready, some
/// frames later. Where the GPU lags so far behind that every query is still in flight, a begin/end pair goes
/// unmeasured. Pairs must not nest, nor overlap those of another timer (an OpenGL rule).
///
/// Mesa's software rasterisers draw tile by tile, long after the calls, and their queries cover a part of
/// that only (measured: 0.02 to 10 ms for the same 8 ms). There begin and end wait for all drawing and take
/// the clock: nothing stands idle by it, as the drawing runs on the same cores.
class GpuTimer {
 public:
  /// Needs a current context, of which it keeps queries; it must go before the context.
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void begin();
  void end();
  /// The newest finished measurement in milliseconds not yet returned, if any.
  std::optional<double> take();
  /// True where end() returns only when the drawing is done, so that a clock around the pair has the time
  /// already and must not add take()'s to it.
  bool waits() const { return waits_; }

 private:
  static constexpr int kQueries = 4;
  unsigned queries_[kQueries] = {};
  int first_ = 0;    ///< oldest pending
  int pending_ = 0;  ///< how many are in flight
  bool running_ = false;
  bool waits_ = false;  ///< on a software rasteriser
  std::chrono::steady_clock::time_point start_;
  std::optional<double> waited_;
};

}  // namespace loom::render
