#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/mandelbrot/scene/complex_view.h"
#include "render/dwell_renderer.h"

namespace loom::app {

/// The Julia set of a point as a small picture, computed on the CPU.
class JuliaInset {
 public:
  static constexpr std::uint32_t kLimit = 128;
  static constexpr float kHalfWidth = 1.8f;

  JuliaInset();
  /// Computes it where point or size changed.
  void update(const ComplexPoint& c, render::Extent size);
  void draw(render::Extent framebuffer, const render::Rect& target, const render::Palette& palette);

 private:
  std::optional<ComplexPoint> c_;
  std::vector<std::uint16_t> dwells_;
  const render::Palette* palette_ = nullptr;
  render::DisplayTexture texture_;
  render::DwellRenderer renderer_;
};

}  // namespace loom::app
