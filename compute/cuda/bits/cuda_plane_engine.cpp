#include "compute/cuda/bits/cuda_plane_engine.h"

#include "compute/core/error.h"
#include "compute/cuda/bits/plane_cells.h"
#include "compute/cuda/check.h"

namespace loom::cuda {

CudaPlaneEngine::CudaPlaneEngine(const FractalConfig& config, int device)
    : CudaFractalEngine(config, bytes_needed(config) / 2, device),
      planes_(make_bit_planes(config.fractal.shape(), config.level)),
      tiles_(make_plane_tiles(planes_)),
      step_(planes_),
      resolver_(tiles_),
      sums_(4) {}

void CudaPlaneEngine::enqueue_random(std::uint64_t seed, std::uint64_t threshold, const WatchedCall& call) {
  in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
    fill_random_planes(tiles_, next_.data(), first, count, seed, threshold, stream_);
  });
}

void CudaPlaneEngine::enqueue_work(std::uint32_t times, const Work& work) {
  switch (work.workload) {
    case Workload::kSingleWrite:
      for (std::uint32_t i = 0; i < times; ++i)
        single_write_planes(tiles_, now_.data(), static_cast<std::uint32_t>(generation_++), stream_);
      living_known_ = false;
      return;
    case Workload::kReduction:
      for (std::uint32_t i = 0; i < times; ++i) reduce_planes(tiles_, now_.data(), sums_.data(), stream_);
      return;
    case Workload::kLife:
      break;
  }
  while (times > 0) {
    const std::uint32_t at_once = step_.at_once(times);
    times -= at_once;
    // Only the last generation may be shown.
    const bool counts = times == 0 && resolver_.reserved();
    step_.step(now_.data(), next_.data(), counts ? resolver_.living() : nullptr, work.rule, at_once, stream_);
    now_.swap(next_);
    generation_ += at_once;
    living_known_ = counts;
  }
}

void CudaPlaneEngine::enqueue_sum_copy(unsigned long long* to) {
  LOOM_CUDA(cudaMemcpyAsync(to, sums_.data(), sizeof(*to), cudaMemcpyDeviceToHost, stream_.get()));
}

void CudaPlaneEngine::enqueue_census(unsigned long long* totals, const WatchedCall& call) const {
  in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
    add_census_of_planes(tiles_, now_.data(), first, count, totals, stream_);
  });
}

void CudaPlaneEngine::enqueue_resolve(const Viewport& viewport) {
  resolver_.resolve(fractal_, now_.data(), living_known_, viewport, stream_);
}

ThreadCount CudaPlaneEngine::count_threads() const {
  use_device();
  LOOM_CUDA(cudaMemsetAsync(sums_.data(), 0, 4 * sizeof(unsigned long long), stream_.get()));
  count_plane_threads(planes_, sums_.data(), stream_);
  unsigned long long counts[4] = {};
  LOOM_CUDA(cudaMemcpyAsync(counts, sums_.data(), sizeof(counts), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  return {.thread_blocks = counts[2],
          .blocks_launched = counts[2],
          .blocks_occupied = counts[3],
          .threads_launched = counts[0],
          .threads_active = counts[1],
          .threads_without_block = counts[0] - counts[1]};
}

Timeline CudaPlaneEngine::record_timeline(const TimelineWish&) {
  throw InputError("a timeline is recorded of cells held as bytes; allowed: --storage bytes");
}

}  // namespace loom::cuda
