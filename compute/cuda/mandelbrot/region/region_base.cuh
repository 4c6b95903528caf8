#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/mandelbrot/known_interior.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// Threads of the largest thread block.
inline constexpr unsigned kMaxRegionThreads = 1024;

/// Shared memory with the current region of a thread block.
struct RegionAtWork {
  Region region;
  Coord32 place;
  unsigned long long index;
};

/// Writes a dwell to all pixels of a rectangle, together with the other `threads` threads of which the caller
/// is number `rank`.
template <typename Dwell>
__device__ __forceinline__ void fill_rectangle(const DeviceImage<Dwell>& image, const Region& region,
                                               std::uint32_t dwell, std::uint32_t rank,
                                               std::uint32_t threads) {
  constexpr std::uint32_t kInVector = sizeof(uint4) / sizeof(Dwell);
  const auto value = static_cast<Dwell>(dwell);
  const std::uint32_t pair = sizeof(Dwell) == 2 ? dwell * 0x10001u : dwell;
  const uint4 vector{pair, pair, pair, pair};
  // A row is written by as many lanes as it has vectors, at most a warp.
  std::uint32_t lanes = 1;
  while (lanes < 32 && lanes * kInVector < region.width) lanes *= 2;
  const std::uint32_t lane = rank % lanes;
  for (std::uint32_t y = rank / lanes; y < region.height; y += threads / lanes) {
    Dwell* row = &image.at(region.x, region.y + y);
    const auto past =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(row) / sizeof(Dwell)) % kInVector;
    const std::uint32_t head = min(past == 0 ? 0 : kInVector - past, region.width);
    const std::uint32_t vectors = (region.width - head) / kInVector;
    const std::uint32_t tail = head + vectors * kInVector;
    for (std::uint32_t i = lane; i < head; i += lanes) row[i] = value;
    for (std::uint32_t i = lane; i < vectors; i += lanes) reinterpret_cast<uint4*>(row + head)[i] = vector;
    for (std::uint32_t i = tail + lane; i < region.width; i += lanes) row[i] = value;
  }
}

/// Called by one thread: adds a region to the list, if there is one.
__device__ __forceinline__ void list_region(const RegionList& list, const Region& region, std::uint32_t level,
                                            RegionKind kind) {
  if (list.regions == nullptr) return;
  const unsigned long long slot = atomicAdd(list.count, 1ull);
  list.regions[slot] = {region.x, region.y, region.width, region.height, static_cast<std::uint16_t>(level),
                        kind};
}

/// The operations on a region that do not depend on the computation of pixels: counting, listing, filling.
/// All threads of the thread block must call together. Counts accumulate per thread until flush().
template <typename Evaluator, typename Dwell>
class RegionBase {
  using Real = typename Evaluator::Value;

 public:
  __device__ explicit RegionBase(const DwellTask<Evaluator, Dwell>& task)
      : task_(task), rank_(threadIdx.y * blockDim.x + threadIdx.x), threads_(blockDim.x * blockDim.y) {}

  __device__ std::uint32_t rank() const { return rank_; }
  __device__ std::uint32_t threads() const { return threads_; }

  /// Writes a dwell to all pixels of a rectangle.
  __device__ void fill(const Region& region, std::uint32_t dwell) {
    fill_rectangle(task_.image, region, dwell, rank_, threads_);
  }

  /// Adds this thread block's counts to the level's.
  __device__ void flush(std::uint32_t level) {
    LevelCounters& counters = task_.counters[level];
    add_warp_sum(&counters.border_pixels, border_pixels_);
    add_warp_sum(&counters.leaf_pixels, leaf_pixels_);
    add_warp_sum(&counters.filled_pixels, filled_pixels_);
    if (rank_ == 0) {
      if (filled_ != 0) atomicAdd(&counters.filled, static_cast<unsigned long long>(filled_));
      if (leaves_ != 0) atomicAdd(&counters.leaves, static_cast<unsigned long long>(leaves_));
      if (splits_ != 0) atomicAdd(&counters.splits, static_cast<unsigned long long>(splits_));
    }
    border_pixels_ = leaf_pixels_ = filled_ = leaves_ = splits_ = 0;
    filled_pixels_ = 0;
  }

 protected:
  /// The outcome of a region whose border has been computed; counts and lists it.
  __device__ RegionKind conclude(const Region& region, std::uint32_t level, bool uniform,
                                 std::uint32_t dwell) {
    RegionKind kind = RegionKind::kSplit;
    if (uniform && may_fill(task_.fill, dwell, task_.limit)) {
      kind = RegionKind::kFill;
      filled_pixels_ += rank_ == 0 ? inside_of(region).area() : 0;
    } else if (level + 1 == task_.cut.levels) {
      kind = RegionKind::kLeaf;
    }
    filled_ += kind == RegionKind::kFill;
    leaves_ += kind == RegionKind::kLeaf;
    splits_ += kind == RegionKind::kSplit;
    if (rank_ == 0) list_region(task_.list, region, level, kind);
    return kind;
  }

  __device__ static bool on_border(const Region& region, std::uint32_t x, std::uint32_t y) {
    return x == region.x || y == region.y || x + 1 == region.x + region.width ||
           y + 1 == region.y + region.height;
  }

  /// Called by one thread: whether a point's dwell is known to be the limit.
  __device__ bool is_interior(Complex<Real> c) const {
    if constexpr (Evaluator::kKnowsInterior) {
      return task_.optimisations.interior && is_known_interior(c);
    } else {
      return false;
    }
  }

  const DwellTask<Evaluator, Dwell>& task_;
  std::uint32_t rank_;
  std::uint32_t threads_;
  std::uint32_t border_pixels_ = 0;
  std::uint32_t leaf_pixels_ = 0;
  unsigned long long filled_pixels_ = 0;

 private:
  __device__ static void add_warp_sum(unsigned long long* total, unsigned long long value) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0 && value != 0) atomicAdd(total, value);
  }

  std::uint32_t filled_ = 0;
  std::uint32_t leaves_ = 0;
  std::uint32_t splits_ = 0;
};

}  // namespace loom::cuda
