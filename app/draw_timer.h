#pragma once

#include <chrono>
#include <optional>

#include "render/context/graphics_context.h"
#include "render/gl/gpu_timer.h"

namespace loom::app {

/// Times drawing. On a GPU by OpenGL timer queries, without stalling; results come some frames later. A
/// software renderer (Mesa's llvmpipe) answers those queries for its last tile only, so there OpenGL is
/// finished before and after, and the CPU's clock counts: on the CPU nothing runs ahead that this could
/// stall.
class DrawTimer {
 public:
  explicit DrawTimer(const render::GlInfo& driver);
  void begin();
  void end();
  /// The newest measurement in milliseconds not yet returned, if any.
  std::optional<double> take();

 private:
  bool software_;
  std::chrono::steady_clock::time_point begin_;
  std::optional<double> measured_;
  render::GpuTimer queries_;
};

/// Whether OpenGL runs on the CPU.
bool draws_in_software(const render::GlInfo& driver);

}  // namespace loom::app
