#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "app/shell/worker.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"
#include "render/dwell_renderer.h"

namespace loom::app {

/// The Julia set of a point as a small picture, computed by the backend in use, on an engine and a thread of
/// its own: it follows the point by a frame or two.
class JuliaInset {
 public:
  static constexpr std::uint32_t kLimit = 128;
  static constexpr float kHalfWidth = 1.8f;

  JuliaInset();
  /// Where it stands in a picture of this size: right in its bottom-left corner. Empty where there is no
  /// room.
  static render::Rect place_in(render::Extent picture, float font_pixels);
  /// Begins to compute it where point or size changed, and takes what has come of it; waits for it if
  /// `waits`. Where memory lacks, what there was stays.
  void update(const ComplexPoint& c, render::Extent size, const BackendSelection& backend, bool waits);
  /// Why it could not be computed, once.
  std::string take_problem() { return std::exchange(problem_, {}); }
  void draw(render::Extent framebuffer, const render::Rect& target, const render::Palette& palette);

 private:
  void follow(const ComplexPoint& c, render::Extent size, const BackendSelection& backend, bool waits);
  void take();
  std::optional<ComplexPoint> c_;
  render::Extent size_;
  BackendSelection backend_;
  std::unique_ptr<MandelbrotEngine> engine_;  ///< the thread's, while it runs
  std::vector<std::uint16_t> dwells_;         ///< the thread's, while it runs
  std::optional<render::Palette> palette_;    ///< that the colours are of
  render::DisplayTexture texture_;
  render::DwellRenderer renderer_;
  std::string problem_;
  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
