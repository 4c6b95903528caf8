#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/region_base.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

// ASK with one level by warps, for evaluators that compute a pixel as a whole: warps take 32 pixels at a
// time, first the borders of all regions, then the insides of open regions. No
// warp waits for another one at a barrier, and no launch waits for the slowest pixel of the one before it. A
// region is open as soon as two pixels of one warp's part of its border differ, or once its border is
// computed and is not uniform; a uniform one is filled.

inline constexpr unsigned kAskWarpThreads = 256;
inline constexpr unsigned kAskWarps = kAskWarpThreads / 32;

/// Thread blocks per multiprocessor: as many as leave enough registers for the iteration.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
inline constexpr int kMostAskWarpBlocks = 4;  // 1024 threads
#else
inline constexpr int kMostAskWarpBlocks = 6;
#endif
template <typename Evaluator>
inline constexpr int kAskWarpBlocks = kMostAskWarpBlocks;
template <typename Real>
inline constexpr int kAskWarpBlocks<Perturbed<Real, true>> = std::min(5, kMostAskWarpBlocks);

/// 32 pixels of a region, the work of a warp: those from 32 * chunk on of its border or of its inside.
struct WarpChunk {
  enum class Part : std::uint32_t { kNone, kBorder, kInside };
  std::uint32_t region = 0;
  std::uint32_t chunk = 0;
  Part part = Part::kNone;
};

/// Pixel `i` of a rectangle in columns of eight pixels: the pixels of a warp are 8 x 4 where they can be.
__device__ __forceinline__ Coord32 pixel_in_columns(const Region& region, std::uint32_t i) {
  constexpr std::uint32_t kWidth = 8;
  const std::uint32_t column = i / (kWidth * region.height);
  const std::uint32_t width = min(kWidth, region.width - kWidth * column);
  const std::uint32_t at = i - column * kWidth * region.height;
  return {region.x + kWidth * column + at % width, region.y + at / width};
}

__device__ __forceinline__ std::uint32_t chunks_of(std::uint64_t pixels) {
  return static_cast<std::uint32_t>((pixels + 31) / 32);
}

/// One warp of the kernel. All lanes call every function together, with the same arguments.
template <typename Evaluator, typename Dwell>
class AskWarp {
 public:
  __device__ AskWarp(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables, std::uint32_t regions)
      : task_(task), tables_(tables), regions_(regions) {}

  /// The next work for this warp; kNone if there is none left. Waits while the rest depends on borders that
  /// other warps compute. The search for an open region begins at region `near`, which follows the warp's
  /// work.
  __device__ WarpChunk take(std::uint32_t& near) const {
    constexpr unsigned kFirstWait = 200;  // nanoseconds
    constexpr unsigned kLastWait = 2000;
    LevelCounters& counters = task_.counters[0];
    const std::uint64_t borders = std::uint64_t{regions_} * tables_.border_chunks;
    WarpChunk found;
    unsigned wait = kFirstWait;
    for (bool done = false; !done;) {
      // Both counters by one access.
      const unsigned long long counter = *static_cast<volatile unsigned long long*>(
          lane() == 0 ? &counters.taken : &counters.finished_regions);
      const unsigned long long taken = __shfl_sync(kAll, counter, 0);
      const unsigned long long finished = __shfl_sync(kAll, counter, 1);
      if (taken < borders) {
        const unsigned long long ticket = add_one(&counters.taken);
        if (ticket < borders) {
          found = {static_cast<std::uint32_t>(ticket % regions_),
                   static_cast<std::uint32_t>(ticket / regions_), WarpChunk::Part::kBorder};
          done = true;
        }
      }
      done = done || finished >= regions_;
      const std::uint32_t open = done ? regions_ : open_region(near);
      if (open < regions_) {
        const std::uint32_t chunks = chunks_of(inside_of(region_of(open)).area());
        const std::uint32_t chunk = add_one(&tables_.states[open].inside);
        if (chunk + 1 == chunks && lane() == 0) {
          atomicAnd(&open_bits()[open / 32], ~(1u << open % 32));
          atomicAdd(&counters.finished_regions, 1ull);
        }
        if (chunk < chunks) {
          found = {open, chunk, WarpChunk::Part::kInside};
          near = open;
          done = true;
        } else {
          // All chunks were taken. Warps that find the same region exhausted go on at different ones.
          near = (open + 1 + threadIdx.x / 32 * 4 + blockIdx.x % 4) % regions_;
        }
      } else if (!done) {
        __nanosleep(wait);
        wait = min(2 * wait, kLastWait);
      }
    }
    return found;
  }

  /// The pixel of this lane; false if it has none.
  __device__ bool pixel_of(const WarpChunk& work, Coord32& pixel) const {
    const Region region = region_of(work.region);
    const std::uint32_t i = work.chunk * 32 + lane();
    if (work.part == WarpChunk::Part::kBorder) {
      if (i >= border_size(region)) return false;
      pixel = border_pixel(region, i);
      return true;
    }
    const Region inside = inside_of(region);
    if (i >= inside.area()) return false;
    pixel = pixel_in_columns(inside, i);
    return true;
  }

  /// Counts computed pixels; opens or fills the region of a border.
  __device__ void finish(const WarpChunk& work, bool computed, std::uint32_t dwell) const {
    LevelCounters& counters = task_.counters[0];
    const std::uint32_t lanes = __ballot_sync(kAll, computed);
    if (work.part == WarpChunk::Part::kInside) {
      if (lane() == 0) atomicAdd(&counters.leaf_pixels, 0ull + __popc(lanes));
      return;
    }
    if (lanes == 0) {  // this region's border has fewer chunks than the largest one's
      if (work.chunk == 0 && lane() == 0) atomicAdd(&counters.finished_regions, 1ull);
      return;
    }
    const std::uint32_t dwell_of_first = __shfl_sync(kAll, dwell, 0);
    const bool differ = __any_sync(kAll, computed && dwell != dwell_of_first);
    const Region region = region_of(work.region);
    std::uint32_t& state = tables_.states[work.region].border;
    bool opens = false;
    bool is_last = false;
    __threadfence();
    __syncwarp();
    if (lane() == 0) {
      atomicAdd(&counters.border_pixels, 0ull + __popc(lanes));
      opens = differ && (atomicOr(&state, RegionState::kOpen) & RegionState::kOpen) == 0;
      is_last = atomicAdd(&state, 1u) + 1 == chunks_of(border_size(region));  // not if it is open
      __threadfence();
    }
    if (__shfl_sync(kAll, is_last, 0)) {
      // Each chunk is uniform, so that the first pixels of all chunks decide.
      const std::uint32_t first = dwell_of_border(region, 0);
      bool uniform = may_fill(task_.fill, first, task_.limit);
      for (std::uint32_t i = lane() * 32; i < border_size(region); i += 32 * 32)
        uniform = uniform && dwell_of_border(region, i) == first;
      if (__all_sync(kAll, uniform)) {
        fill_rectangle(task_.image, inside_of(region), first, lane(), 32);
        if (lane() == 0) {
          atomicAdd(&counters.filled, 1ull);
          atomicAdd(&counters.filled_pixels, 0ull + inside_of(region).area());
          atomicAdd(&counters.finished_regions, 1ull);
          list_region(task_.list, region, 0, RegionKind::kFill);
        }
      } else {
        opens = lane() == 0;
      }
    }
    if (opens) {
      atomicAdd(&counters.leaves, 1ull);
      list_region(task_.list, region, 0, RegionKind::kLeaf);
      if (inside_of(region).empty()) {
        atomicAdd(&counters.finished_regions, 1ull);
      } else {
        atomicOr(&open_bits()[work.region / 32], 1u << work.region % 32);
      }
    }
    __syncwarp();
  }

 private:
  static constexpr std::uint32_t kAll = 0xffffffff;

  __device__ static std::uint32_t lane() { return threadIdx.x % 32; }
  /// Adds one for the warp; returns the previous value.
  template <typename Int>
  __device__ static Int add_one(Int* counter) {
    Int previous = 0;
    if (lane() == 0) previous = atomicAdd(counter, Int{1});
    return __shfl_sync(kAll, previous, 0);
  }
  /// A bit for each region: whether it is open and some of its inside is not taken. After the states.
  __device__ std::uint32_t* open_bits() const {
    return reinterpret_cast<std::uint32_t*>(tables_.states + regions_);
  }
  /// The first region from `near` on, in a circle, whose open bit is set; regions_ if there is none.
  __device__ std::uint32_t open_region(std::uint32_t near) const {
    const std::uint32_t words = (regions_ + 31) / 32;
    std::uint32_t found = regions_;
    // Once around: the word of `near` is read first for its bits from `near` on, and last for the others.
    for (std::uint32_t i = 0; i <= words && found == regions_; i += 32) {
      const std::uint32_t turn = i + lane();
      const std::uint32_t word = (near / 32 + turn) % words;
      std::uint32_t bits = turn <= words ? __ldcg(open_bits() + word) : 0;
      if (turn == 0) bits &= ~0u << near % 32;
      const std::uint32_t lanes = __ballot_sync(kAll, bits != 0);
      if (lanes != 0) {
        const int first = __ffs(static_cast<int>(lanes)) - 1;
        found = __shfl_sync(kAll, word * 32 + __ffs(static_cast<int>(bits)) - 1, first);
      }
    }
    return found;
  }
  __device__ Region region_of(std::uint32_t region) const {
    const std::uint32_t parts = task_.cut.first_parts;
    const Coord32 place =
        tables_.read == nullptr ? Coord32{region % parts, region / parts} : tables_.read[region];
    return region_at(task_.cut, parts, place.x, place.y);
  }
  __device__ std::uint32_t dwell_of_border(const Region& region, std::uint32_t i) const {
    const Coord32 pixel = border_pixel(region, i);
    return __ldcg(&task_.image.at(pixel.x, pixel.y));
  }

  const DwellTask<Evaluator, Dwell>& task_;
  const AskTables& tables_;
  std::uint32_t regions_;
};

template <typename Evaluator, typename Dwell>
__global__ void __launch_bounds__(kAskWarpThreads, kAskWarpBlocks<Evaluator>)
    ask_warps_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                     const __grid_constant__ AskTables tables, std::uint32_t regions) {
  // The work of each warp is in shared memory while pixels are computed, which needs the registers.
  __shared__ WarpChunk works[kAskWarps];
  WarpChunk& work = works[threadIdx.x / 32];
  const AskWarp warp(task, tables, regions);
  const std::uint64_t number = blockIdx.x * kAskWarps + threadIdx.x / 32;
  auto near = static_cast<std::uint32_t>(number * regions / (gridDim.x * kAskWarps));
  for (;;) {
    const WarpChunk next = warp.take(near);
    if (next.part == WarpChunk::Part::kNone) return;
    __syncwarp();  // all lanes have read the previous work
    if (threadIdx.x % 32 == 0) work = next;
    __syncwarp();
    Coord32 pixel;
    const bool computes = warp.pixel_of(work, pixel);
    std::uint32_t dwell = 0;
    if (computes) {
      dwell = task.grid.dwell_at(pixel.x, pixel.y, task.limit);
      task.image.at(pixel.x, pixel.y) = dwell;
    }
    __syncwarp();
    warp.finish(work, computes, dwell);
  }
}

/// All of ASK, for one level.
template <typename Evaluator, typename Dwell>
void compute_ask_by_warps(const DwellTask<Evaluator, Dwell>& task, AskTables tables, const AskLaunch& launch,
                          const LaunchSlices& slices, const Stream& stream) {
  const auto regions = static_cast<std::uint32_t>(launch.max_regions);
  const std::uint32_t parts = task.cut.first_parts;
  const Region largest{0, 0, (task.cut.width + parts - 1) / parts, (task.cut.height + parts - 1) / parts};
  tables.border_chunks = (border_size(largest) + 31) / 32;
  LOOM_CUDA(
      cudaMemsetAsync(tables.states, 0, states_of_regions(regions) * sizeof(RegionState), stream.get()));
  int resident = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ask_warps_kernel<Evaluator, Dwell>,
                                                          static_cast<int>(kAskWarpThreads), 0));
  const std::uint64_t pixels = largest.area() * regions;
  const std::uint64_t needed = (pixels + kAskWarpThreads - 1) / kAskWarpThreads;
  const auto most = static_cast<std::uint64_t>(std::max(1, resident) * launch.multiprocessors);
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, most));
  ask_warps_kernel<<<blocks, kAskWarpThreads, 0, stream.get()>>>(task, tables, regions);
  LOOM_CUDA(cudaGetLastError());
  slices.note_launch();
}

}  // namespace loom::cuda
