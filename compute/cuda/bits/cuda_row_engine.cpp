#include "compute/cuda/bits/cuda_row_engine.h"

#include "compute/core/error.h"
#include "compute/cuda/bits/row_cells.h"
#include "compute/cuda/check.h"

namespace loom::cuda {

CudaRowEngine::CudaRowEngine(const FractalConfig& config, int device)
    : CudaFractalEngine(config, bytes_needed(config) / 3, device),
      rows_(fractal_),
      mask_(now_.size()),
      sums_(4) {
  make_row_mask(fractal_, words(mask_), stream_);
  stream_.wait();
}

void CudaRowEngine::enqueue_random(std::uint64_t seed, std::uint64_t threshold, const WatchedCall& call) {
  zero(next_);
  in_slices(call, fractal_.cells, 1, [&](std::uint64_t first, std::uint64_t count) {
    fill_random(stored(next_), first, count, seed, threshold, stream_);
  });
}

void CudaRowEngine::enqueue_work(std::uint32_t times, const Work& work) {
  for (std::uint32_t i = 0; i < times; ++i) {
    switch (work.workload) {
      case Workload::kSingleWrite:
        single_write_rows(rows_, words(mask_), words(now_), static_cast<std::uint32_t>(generation_), stream_);
        break;
      case Workload::kReduction:
        reduce_rows(rows_, words(now_), sums_.data(), stream_);
        continue;
      case Workload::kLife:
        step_rows(rows_, words(now_), words(mask_), words(next_), work.rule, stream_);
        now_.swap(next_);
        break;
    }
    ++generation_;
  }
}

void CudaRowEngine::enqueue_sum_copy(unsigned long long* to) {
  LOOM_CUDA(cudaMemcpyAsync(to, sums_.data(), sizeof(*to), cudaMemcpyDeviceToHost, stream_.get()));
}

void CudaRowEngine::enqueue_census(unsigned long long* totals, const WatchedCall& call) const {
  in_slices(call, fractal_.cells, 1, [&](std::uint64_t first, std::uint64_t count) {
    add_census(stored(now_), first, count, totals, stream_);
  });
}

void CudaRowEngine::reserve_resolve(const Viewport& viewport) {
  memory_.reserve(viewport);
  counts_.reserve(PictureMemory::area_of(viewport));
}

void CudaRowEngine::enqueue_resolve(const Viewport& viewport) {
  if (PictureMemory::area_of(viewport) == 0) return;
  bool changed = false;
  const DeviceViewport view = memory_.send(viewport, stream_, changed);
  if (covers_few_cells(viewport)) {
    gather_row_pixels(fractal_, now_.data(), view, memory_.pixels(), stream_);
  } else {
    paint_rows(rows_, words(now_), words(mask_), view, counts_.data(), memory_.pixels(), stream_);
  }
}

ThreadCount CudaRowEngine::count_threads() const {
  use_device();
  LOOM_CUDA(cudaMemsetAsync(sums_.data(), 0, 4 * sizeof(unsigned long long), stream_.get()));
  count_row_threads(rows_, words(mask_), sums_.data(), stream_);
  unsigned long long counts[4] = {};
  LOOM_CUDA(cudaMemcpyAsync(counts, sums_.data(), sizeof(counts), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  return {.thread_blocks = counts[2],
          .blocks_launched = counts[2],
          .blocks_occupied = counts[3],
          .threads_launched = counts[0],
          .threads_active = counts[1],
          .threads_without_block = counts[0] - rows_.words()};
}

Timeline CudaRowEngine::record_timeline(const TimelineWish&) {
  throw InputError("a timeline is recorded of cells held as bytes; allowed: --storage bytes");
}

}  // namespace loom::cuda
