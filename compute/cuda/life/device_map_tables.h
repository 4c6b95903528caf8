#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_tables.h"

namespace loom::cuda {

/// A fractal's map tables in the memory of the current device.
class DeviceMapTables {
 public:
  explicit DeviceMapTables(const TiledFractal& fractal) {
    const HostMapTables host(fractal);
    copy(host.arithmetic(), arithmetic_);
    copy(host.levels(), levels_);
    copy(host.tile_cells(), tile_cells_);
    copy(host.tensor(), tensor_);
    copy(host.tensor_fp16(), tensor_fp16_);
    copy(host.cell_weights(), cell_weights_);
    copy(host.cell_positions(), cell_positions_);
    copy(host.halo(), halo_);
    halo_cells_ = static_cast<std::uint32_t>(host.halo().size());
    tiles_of_halo_ = tiles_of_halo(host.halo());
  }
  MapTables view() const {
    return {arithmetic_.data(),  levels_.data(),       tile_cells_.data(),     tensor_.data(),
            tensor_fp16_.data(), cell_weights_.data(), cell_positions_.data(), halo_.data(),
            halo_cells_,         tiles_of_halo_};
  }

 private:
  template <typename T>
  static void copy(const std::vector<T>& from, DeviceBuffer<T>& to) {
    to.reserve(from.size());
    LOOM_CUDA(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceBuffer<std::uint64_t> arithmetic_;
  DeviceBuffer<std::uint64_t> levels_;
  DeviceBuffer<std::uint32_t> tile_cells_;
  DeviceBuffer<std::uint16_t> tensor_;
  DeviceBuffer<std::uint16_t> tensor_fp16_;
  DeviceBuffer<std::uint16_t> cell_weights_;
  DeviceBuffer<float> cell_positions_;
  DeviceBuffer<HaloCell> halo_;
  std::uint32_t halo_cells_ = 0;
  std::uint32_t tiles_of_halo_ = 0;
};

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
