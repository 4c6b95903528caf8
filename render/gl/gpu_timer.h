#pragma once

#include <chrono>
#include <optional>

namespace loom::render {

/// Times GL commands with GL_TIME_ELAPSED queries without stalling: a result is taken when it is ready, some
/// frames later. If the GPU is so far behind that every query is still in flight, a begin/end pair is not
/// measured. Pairs must not nest, nor overlap those of another timer (an OpenGL rule).
///
/// Mesa's software rasterisers draw tile by tile, long after the calls, and their queries cover only a part
/// of the drawing (measured: 0.02 to 10 ms for the same 8 ms). With them, begin and end wait for all drawing
/// and read the clock; this causes no idle time, because the drawing runs on the same cores.
class GpuTimer {
 public:
  /// Requires a current context, which owns its queries; the timer must be destroyed before the context.
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void begin();
  void end();
  /// The newest finished measurement in milliseconds that has not been returned yet, if any.
  std::optional<double> take();
  /// True if end() returns only when the drawing is done. A clock around the pair then already includes the
  /// time, and the result of take() must not be added to it.
  bool waits() const { return waits_; }

 private:
  static constexpr int kQueries = 4;
  unsigned queries_[kQueries] = {};
  int first_ = 0;    ///< oldest pending
  int pending_ = 0;  ///< number of queries in flight
  bool running_ = false;
  bool waits_ = false;  ///< true on a software rasteriser
  std::chrono::steady_clock::time_point start_;
  std::optional<double> waited_;
};

}  // namespace loom::render
