#pragma once

#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/map/map_tables.h"

namespace loom::cuda {

/// A fractal's map tables in the memory of the current device.
class DeviceMapTables {
 public:
  explicit DeviceMapTables(const BlockedFractal& fractal) {
    const HostMapTables host(fractal);
    copy(host.arithmetic(), arithmetic_);
    copy(host.levels(), levels_);
    copy(host.block_cells(), block_cells_);
    copy(host.tensor(), tensor_);
    copy(host.tensor_fp16(), tensor_fp16_);
    copy(host.cell_weights(), cell_weights_);
    copy(host.cell_positions(), cell_positions_);
    copy(host.rim(), rim_);
    rim_cells_ = static_cast<std::uint32_t>(host.rim().size());
    blocks_of_rim_ = blocks_of_rim(host.rim());
  }
  MapTables view() const {
    return {arithmetic_.data(),  levels_.data(),       block_cells_.data(),    tensor_.data(),
            tensor_fp16_.data(), cell_weights_.data(), cell_positions_.data(), rim_.data(),
            rim_cells_,          blocks_of_rim_};
  }

 private:
  template <typename T>
  static void copy(const std::vector<T>& from, DeviceBuffer<T>& to) {
    to.reserve(from.size());
    LOOM_CUDA(cudaMemcpy(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  DeviceBuffer<std::uint64_t> arithmetic_;
  DeviceBuffer<std::uint64_t> levels_;
  DeviceBuffer<std::uint32_t> block_cells_;
  DeviceBuffer<std::uint16_t> tensor_;
  DeviceBuffer<std::uint16_t> tensor_fp16_;
  DeviceBuffer<std::uint16_t> cell_weights_;
  DeviceBuffer<float> cell_positions_;
  DeviceBuffer<RimCell> rim_;
  std::uint32_t rim_cells_ = 0;
  std::uint32_t blocks_of_rim_ = 0;
};

}  // namespace loom::cuda
