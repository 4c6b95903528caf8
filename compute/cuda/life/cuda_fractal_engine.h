#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/life/reduction.h"
#include "compute/cuda/life/resolve.h"
#include "compute/cuda/stream.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom::cuda {

/// The game of life on one CUDA device, on one stream. Every public call makes its device current.
class CudaFractalEngine final : public FractalEngine {
 public:
  /// `config` is valid; `device` is current. Throws std::bad_alloc, DeviceFault.
  CudaFractalEngine(const FractalConfig& config, int device);

  const FractalConfig& config() const override { return config_; }
  std::string backend_name() const override { return name_; }
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t bytes_held() const override { return now_.size() + next_.size(); }
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const Work& work) override;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<bool> cell(Coord64 expanded) const override;
  bool edit(Coord64 expanded, bool alive) override;
  Census census() const override;
  ThreadCount count_threads() const override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void set_generation(std::uint64_t generation) override { generation_ = generation; }

 private:
  void use_device() const;
  void zero(DeviceBuffer<std::uint8_t>& cells);
  /// The time since timer_.start(), with the bytes held.
  StepReport report();

  FractalConfig config_;
  BlockedFractal fractal_;
  int device_ = 0;
  std::string name_;
  Stream stream_;
  StreamTimer timer_;
  DeviceMapTables tables_;
  DeviceBuffer<std::uint8_t> now_;
  DeviceBuffer<std::uint8_t> next_;
  DeviceBuffer<unsigned long long> totals_;
  std::uint64_t generation_ = 0;
  Reducer reducer_;
  Resolver resolver_;
  PinnedBuffer<std::uint16_t> host_pixels_;
};

}  // namespace loom::cuda
