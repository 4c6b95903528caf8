#include "compute/cuda/life/cuda_fractal_engine.h"

#include <fmt/format.h>

#include <algorithm>

#include "compute/core/error.h"
#include "compute/cuda/check.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/count.h"
#include "compute/cuda/life/life.h"
#include "compute/cuda/life/single_write.h"
#include "compute/engine/work_costs.h"
#include "compute/map/dispatch.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {
namespace {

std::string device_name(int device) {
  cudaDeviceProp properties{};
  LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
  return fmt::format("cuda: {}", properties.name);
}

}  // namespace

CudaFractalEngine::CudaFractalEngine(const FractalConfig& config, int device)
    : config_(config),
      fractal_(make_blocked(config.fractal, config.level, config.block)),
      device_(device),
      name_(device_name(device)),
      tables_(fractal_),
      now_(storage_bytes(config.method.map, fractal_)),
      next_(now_.size()),
      totals_(2) {
  zero(now_);
  zero(next_);
  stream_.wait();
}

void CudaFractalEngine::use_device() const {
  LOOM_CUDA(cudaSetDevice(device_));
}

void CudaFractalEngine::zero(DeviceBuffer<std::uint8_t>& cells) {
  LOOM_CUDA(cudaMemsetAsync(cells.data(), 0, cells.size(), stream_.get()));
}

StepReport CudaFractalEngine::report() {
  StepReport report;
  report.milliseconds = timer_.stop(stream_);
  report.bytes_held = bytes_held();
  return report;
}

StepReport CudaFractalEngine::reset(const RandomStart& start) {
  use_device();
  timer_.start(stream_);
  zero(now_);
  fill_random(config_.method.map, fractal_, now_.data(), start.seed, density_threshold(start.density),
              stream_);
  generation_ = 0;
  return report();
}

StepReport CudaFractalEngine::clear() {
  use_device();
  timer_.start(stream_);
  zero(now_);
  generation_ = 0;
  return report();
}

StepReport CudaFractalEngine::run(std::uint32_t times, const Work& work) {
  use_device();
  const MapMethod method = config_.method;
  StepReport done = work_costs(fractal_, work.workload, times);
  timer_.start(stream_);
  for (std::uint32_t i = 0; i < times; ++i) {
    switch (work.workload) {
      case Workload::kSingleWrite:
        single_write(method, fractal_, tables_.view(), now_.data(), static_cast<std::uint32_t>(generation_),
                     stream_);
        ++generation_;
        break;
      case Workload::kReduction:
        reducer_.reduce(work.reduction, method, fractal_, tables_.view(), now_.data(), stream_);
        break;
      case Workload::kLife:
        step_life(method, config_.method.halo, fractal_, tables_.view(), now_.data(), next_.data(), work.rule,
                  stream_);
        now_.swap(next_);
        ++generation_;
        break;
    }
  }
  done.milliseconds = timer_.stop(stream_);
  if (work.workload == Workload::kReduction && times > 0) done.sum = reducer_.sum(stream_);
  done.bytes_held = bytes_held();
  return done;
}

StepReport CudaFractalEngine::resolve(const Viewport& viewport, MemorySpace space, ImageView& image) {
  use_device();
  const std::size_t area =
      static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
  if (space == MemorySpace::kHost) host_pixels_.reserve(area);
  timer_.start(stream_);
  resolver_.resolve(config_.method.map, fractal_, now_.data(), viewport, stream_);
  StepReport done = report();
  image = ImageView{.pixels = resolver_.pixels(),
                    .format = PixelFormat::kDensity16,
                    .width = viewport.width(),
                    .height = viewport.height(),
                    .row_bytes = static_cast<std::size_t>(viewport.width()) * sizeof(std::uint16_t),
                    .space = MemorySpace::kCudaDevice,
                    .cuda_device = device_,
                    .cuda_stream = stream_.get()};
  if (space == MemorySpace::kHost && area > 0) {
    LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), resolver_.pixels(), area * sizeof(std::uint16_t),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    image.pixels = host_pixels_.data();
    image.space = MemorySpace::kHost;
    image.cuda_device = -1;
    image.cuda_stream = nullptr;
  }
  return done;
}

std::optional<bool> CudaFractalEngine::cell(Coord64 expanded) const {
  const std::uint64_t at = storage_index(config_.method.map, fractal_, expanded);
  if (at == kNoIndex) return std::nullopt;
  use_device();
  std::uint8_t value = 0;
  LOOM_CUDA(cudaMemcpyAsync(&value, now_.data() + at, 1, cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  return value != 0;
}

bool CudaFractalEngine::edit(Coord64 expanded, bool alive) {
  const std::uint64_t at = storage_index(config_.method.map, fractal_, expanded);
  if (at == kNoIndex) return false;
  use_device();
  LOOM_CUDA(cudaMemsetAsync(now_.data() + at, alive ? 1 : 0, 1, stream_.get()));
  stream_.wait();
  return true;
}

Census CudaFractalEngine::census() const {
  use_device();
  LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, 2 * sizeof(unsigned long long), stream_.get()));
  add_census(config_.method.map, fractal_, now_.data(), totals_.data(), stream_);
  unsigned long long totals[2] = {};
  LOOM_CUDA(cudaMemcpyAsync(totals, totals_.data(), sizeof(totals), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  return {totals[0], totals[1]};
}

ThreadCount CudaFractalEngine::count_threads() const {
  use_device();
  return cuda::count_threads(config_.method, fractal_, tables_.view(), stream_);
}

void CudaFractalEngine::read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const {
  check_cell_range(fractal_, first, cells.size());
  if (cells.empty()) return;
  use_device();
  const DeviceBuffer<std::uint8_t> dense(cells.size());
  gather_cells(config_.method.map, fractal_, now_.data(), first, cells.size(), dense.data(), stream_);
  LOOM_CUDA(cudaMemcpyAsync(cells.data(), dense.data(), cells.size(), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
}

void CudaFractalEngine::write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) {
  check_cell_range(fractal_, first, cells.size());
  if (cells.empty()) return;
  use_device();
  const DeviceBuffer<std::uint8_t> dense(cells.size());
  LOOM_CUDA(cudaMemcpyAsync(dense.data(), cells.data(), cells.size(), cudaMemcpyHostToDevice, stream_.get()));
  scatter_cells(config_.method.map, fractal_, now_.data(), first, cells.size(), dense.data(), stream_);
  stream_.wait();
}

}  // namespace loom::cuda
