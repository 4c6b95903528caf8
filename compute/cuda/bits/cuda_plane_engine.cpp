#include "compute/cuda/bits/cuda_plane_engine.h"

#include <fmt/format.h>

#include "compute/cuda/bits/plane_cells.h"

namespace loom::cuda {

CudaPlaneEngine::CudaPlaneEngine(const FractalConfig& config, int device, const LaunchSlices& slices)
    : CudaPlaneEngine(config, {}, bytes_needed(config) / 2, device, slices) {}

CudaPlaneEngine::CudaPlaneEngine(const FractalConfig& config, GroupRange part, std::uint64_t bytes,
                                 int device, const LaunchSlices& slices)
    : CudaFractalEngine(config, bytes, device, slices),
      planes_(part_of(make_bit_planes(fractal_), part)),
      tiles_(make_plane_tree(planes_)),
      step_(planes_),
      resolver_(tiles_) {
  stored_.part = part;
}

std::string CudaPlaneEngine::backend_name() const {
  const std::string why = step_.table_kernel_reason();
  return CudaFractalEngine::backend_name() +
         (why.empty() ? "" : fmt::format(", kernel driven by tables: {}", why));
}

void CudaPlaneEngine::enqueue_random(std::uint64_t seed, std::uint64_t threshold, const ProgressScope& call) {
  in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
    fill_random_planes(tiles_, next_.data(), first, count, seed, threshold, stream_);
  });
}

void CudaPlaneEngine::enqueue_work(std::uint32_t times, const Work& work) {
  switch (work.workload) {
    case Workload::kSingleWrite:
      for (std::uint32_t i = 0; i < times; ++i)
        single_write_planes(tiles_, now_.data(), static_cast<std::uint32_t>(generation_++), slices_, stream_);
      resolver_.set_count_state(CountState::kNothing);
      return;
    case Workload::kReduction:
      for (std::uint32_t i = 0; i < times; ++i)
        reduce_planes(tiles_, now_.data(), sums_.sum(), slices_, stream_);
      return;
    case Workload::kLife:
      break;
  }
  while (times > 0) {
    const std::uint32_t generations_per_launch = step_.generations_per_launch(times);
    times -= generations_per_launch;
    // Only the last generation can be displayed.
    const bool counts = times == 0 && resolver_.reserved();
    step_.step(now_.data(), next_.data(), counts ? resolver_.living() : nullptr, work.rule,
               generations_per_launch, slices_, stream_);
    now_.swap(next_);
    generation_ += generations_per_launch;
    resolver_.set_count_state(counts ? CountState::kGroups : CountState::kNothing);
  }
}

void CudaPlaneEngine::enqueue_census(unsigned long long* totals, const ProgressScope& call) const {
  in_slices(call, planes_.words(), planes_.bits, [&](std::uint64_t first, std::uint64_t count) {
    add_census_of_planes(tiles_, now_.data(), first, count, totals, stream_);
  });
}

void CudaPlaneEngine::enqueue_resolve(const Viewport& viewport) {
  resolver_.resolve(stored(now_), viewport, stream_);
}

ThreadCount CudaPlaneEngine::count_threads() const {
  use_device();
  ThreadCount count = sums_.count_threads(
      stream_, [&](unsigned long long* counts) { count_plane_threads(planes_, counts, stream_); });
  count.threads_without_tile = count.threads_launched - count.threads_active;
  return count;
}

}  // namespace loom::cuda
