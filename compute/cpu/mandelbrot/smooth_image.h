#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// Smooth dwells of what an engine computed last. Dwells are whole numbers, so the orbit of every pixel that
/// is not at the limit is computed again on the CPU; only the interior is taken over. Of a share, its rows.
class SmoothImage {
 public:
  /// `watch` may be null. Throws Cancelled, and then holds no image.
  SmoothReport compute(const MandelbrotEngine& engine, Watch* watch = nullptr);
  /// kSmoothDwell32 in host memory, owned by this.
  ImageView image() const;

 private:
  std::vector<std::uint32_t> values_;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
};

}  // namespace loom
