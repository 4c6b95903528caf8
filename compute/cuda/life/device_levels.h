#pragma once

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::cuda {

/// The table of a fractal's levels in the memory of the current device; nothing for a uniform fractal.
class DeviceLevels {
 public:
  /// Kernels that get `fractal` from now on read the table of this object, which must outlive them.
  explicit DeviceLevels(TiledFractal& fractal) {
    if (fractal.is_uniform()) return;
    table_ = DeviceBuffer<LevelTable>(1);
    LOOM_CUDA(cudaMemcpy(table_.data(), fractal.levels.host, sizeof(LevelTable), cudaMemcpyHostToDevice));
    fractal.levels.device = table_.data();
  }

 private:
  DeviceBuffer<LevelTable> table_;
};

}  // namespace loom::cuda
