#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/image_view.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/perturbation/perturbation.h"

namespace loom {

/// The smooth dwells of an engine's last computation. Dwells are integers, so that every pixel that is not at
/// the limit is iterated again on the CPU; only the interior is copied. For a partition, its rows.
class SmoothImage {
 public:
  /// `monitor` may be null. Throws OperationCancelled; the object then holds no image.
  /// `perturbation` is prepared for the image if its precision is perturbed.
  SmoothReport compute(const MandelbrotEngine& engine, const Perturbation& perturbation,
                       ProgressMonitor* monitor = nullptr);
  /// A kSmoothDwell32 image in host memory that this object owns.
  ImageView image() const;

 private:
  std::vector<std::uint32_t> values_;
  std::uint32_t width_ = 0;
  std::uint32_t height_ = 0;
};

}  // namespace loom
