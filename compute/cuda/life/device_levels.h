#pragma once

#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::cuda {

/// The tables of a fractal's levels in the memory of the current device; nothing for a uniform fractal.
class DeviceLevels {
 public:
  /// Kernels that get `fractal` from now on read the tables of this object, which must outlive them.
  explicit DeviceLevels(TiledFractal& fractal) {
    if (fractal.is_uniform()) return;
    table_ = DeviceBuffer<LevelTable>(1);
    LOOM_CUDA(cudaMemcpy(table_.data(), fractal.levels.host, sizeof(LevelTable), cudaMemcpyHostToDevice));
    fractal.levels.device = table_.data();
    if (fractal.is_turned()) return;
    fractal.levels.device_mixed = fractal.fits_32_bits() ? copy(mixed_levels<std::uint32_t>(fractal))
                                                         : copy(mixed_levels<std::uint64_t>(fractal));
  }

 private:
  template <typename Int>
  const void* copy(const std::vector<MixedLevel<Int>>& terms) {
    const std::size_t bytes = terms.size() * sizeof(MixedLevel<Int>);
    terms_.reserve(bytes);
    LOOM_CUDA(cudaMemcpy(terms_.data(), terms.data(), bytes, cudaMemcpyHostToDevice));
    return terms_.data();
  }

  DeviceBuffer<LevelTable> table_;
  DeviceBuffer<unsigned char> terms_;
};

}  // namespace loom::cuda
