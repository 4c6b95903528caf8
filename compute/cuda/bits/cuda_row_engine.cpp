#include <cstdint>

#include "compute/cuda/bits/device_sums.h"
#include "compute/cuda/bits/row_cells.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/life/cuda_fractal_engine.h"
#include "compute/cuda/life/gather_pixels.h"
#include "compute/cuda/life/image_buffer.h"
#include "compute/geometry/stored_cells.h"
#include "compute/workload/random_start.h"

namespace loom::cuda {
namespace {

/// Life on the whole square with one bit per point (geometry/stored_cells.h) on CUDA: one thread per word.
class CudaRowEngine final : public CudaFractalEngine {
 public:
  /// `config` must be valid, with the bounding box and bit-packed storage; `device` must be current. Throws
  /// CapacityError, DeviceFault.
  CudaRowEngine(const FractalConfig& config, int device, const LaunchSlices& slices)
      : CudaFractalEngine(config, bytes_needed(config) / 3, device, slices),
        rows_(fractal_),
        mask_(now_.size()) {
    zero(mask_);
    in_slices({}, fractal_.cells, 1, [&](std::uint64_t first, std::uint64_t count) {
      fill_random(stored(mask_), first, count, 0, density_threshold(1), stream_);
    });
    stream_.wait();
  }

  ThreadCount count_threads() const override {
    use_device();
    ThreadCount count = sums_.count_threads(stream_, [&](unsigned long long* counts) {
      count_row_threads(rows_, words(mask_), counts, stream_);
    });
    count.threads_without_tile = count.threads_launched - rows_.words();
    return count;
  }

 private:
  void enqueue_work(std::uint32_t times, const Work& work) override {
    for (std::uint32_t i = 0; i < times; ++i) {
      switch (work.workload) {
        case Workload::kSingleWrite:
          single_write_rows(rows_, words(mask_), words(now_), static_cast<std::uint32_t>(generation_),
                            slices_, stream_);
          break;
        case Workload::kReduction:
          reduce_rows(rows_, words(now_), sums_.sum(), slices_, stream_);
          continue;
        case Workload::kLife:
          step_rows(rows_, fractal_.cells == rows_.width * rows_.height, words(now_), words(mask_),
                    words(next_), work.rule, slices_, stream_);
          now_.swap(next_);
          break;
      }
      ++generation_;
    }
  }
  void enqueue_sum_copy(unsigned long long* to) override { sums_.copy_sum(to, stream_); }
  void reserve_resolve(const Viewport& viewport) override {
    memory_.reserve(viewport);
    counts_.reserve(ImageBuffer::area_of(viewport));
  }
  void enqueue_resolve(const Viewport& viewport) override {
    if (ImageBuffer::area_of(viewport) == 0) return;
    bool changed = false;
    const DeviceViewport view = memory_.send(viewport, stream_, changed);
    if (covers_few_cells(viewport)) {
      gather_pixels(stored(now_), view, memory_.pixels(), stream_);
    } else {
      paint_rows(rows_, words(now_), words(mask_), view, counts_.data(), memory_.pixels(), slices_, stream_);
    }
  }
  const std::uint16_t* pixels() const override { return memory_.pixels(); }

  static std::uint64_t* words(const DeviceBuffer<std::uint8_t>& bytes) {
    return reinterpret_cast<std::uint64_t*>(bytes.data());
  }

  BitRows rows_;
  DeviceBuffer<std::uint8_t> mask_;  ///< the points that are cells
  ImageBuffer memory_;
  DeviceBuffer<unsigned long long> counts_;
  DeviceSums sums_;
};

}  // namespace

std::unique_ptr<FractalEngine> make_row_engine(const FractalConfig& config, int device,
                                               const LaunchSlices& slices) {
  return std::make_unique<CudaRowEngine>(config, device, slices);
}

}  // namespace loom::cuda
