#pragma once

#include <optional>

namespace loom::render {

/// Times GL commands with GL_TIME_ELAPSED queries without stalling: a result is taken when it is ready, some
/// frames later. Where the GPU lags so far behind that every query is still in flight, a begin/end pair goes
/// unmeasured. Pairs must not nest, nor overlap those of another timer (an OpenGL rule).
class GpuTimer {
 public:
  GpuTimer();
  ~GpuTimer();
  GpuTimer(const GpuTimer&) = delete;
  GpuTimer& operator=(const GpuTimer&) = delete;
  void begin();
  void end();
  /// The newest finished measurement in milliseconds not yet returned, if any.
  std::optional<double> take();

 private:
  static constexpr int kQueries = 4;
  unsigned queries_[kQueries] = {};
  int first_ = 0;    ///< oldest pending
  int pending_ = 0;  ///< how many are in flight
  bool running_ = false;
};

}  // namespace loom::render
