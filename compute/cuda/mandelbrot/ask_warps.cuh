#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/region_base.cuh"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

// ASK by warps, for evaluators that compute a pixel as a whole: one launch for all levels, in which warps take
// 32 pixels at a time, first of the borders of the first level, then of the borders of regions whose parent
// has split, then of the insides of leaves. No warp waits for another one at a barrier, and no level waits for
// the slowest pixel of the one before it. A region is open, a split or a leaf, as soon as two pixels of one
// warp's part of its border differ, or once its border is computed and is not uniform; a uniform one is
// filled.
//
// Regions of all levels are numbered: those of the first level, then the r x r children of each of them in
// order, and so on.

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

/// Regions of all levels by warps.
struct AskRegions {
  std::uint32_t first = 0;  ///< number of regions of the first level
  std::uint32_t upper = 0;  ///< of all levels but the last one
  std::uint32_t all = 0;
};

/// A numbered region.
struct AskRegion {
  Region pixels;
  std::uint32_t number = 0;
  std::uint32_t level = 0;
};

/// 32 pixels of a region, the work of a warp: those from 32 * chunk on of its border or of its inside.
struct WarpChunk {
  enum class Part : std::uint32_t { kNone, kBorder, kInside };
  AskRegion region;
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

LOOM_HOST_DEVICE std::uint32_t chunks_of(std::uint64_t pixels) {
  return static_cast<std::uint32_t>((pixels + 31) / 32);
}

/// Chunks of the largest border of a level.
LOOM_HOST_DEVICE std::uint32_t border_chunks(const Subdivision& cut, std::uint32_t level) {
  const std::uint32_t parts = parts_at(cut, level);
  return chunks_of(border_size({0, 0, (cut.width + parts - 1) / parts, (cut.height + parts - 1) / parts}));
}

/// One warp of the kernel. All lanes call every function together, with the same arguments.
template <typename Evaluator, typename Dwell>
class AskWarp {
 public:
  __device__ AskWarp(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                     const AskRegions& regions)
      : task_(task), tables_(tables), regions_(regions) {}

  /// The next work for this warp; kNone if there is none left. Waits while the rest depends on borders that
  /// other warps compute. The search for an open region begins at region `near`, which follows the warp's
  /// work.
  __device__ WarpChunk take(std::uint32_t& near) const {
    constexpr unsigned kFirstWait = 200;  // nanoseconds
    constexpr unsigned kLastWait = 2000;
    LevelCounters& counters = task_.counters[0];
    const std::uint64_t borders = std::uint64_t{regions_.first} * border_chunks(task_.cut, 0);
    WarpChunk found;
    unsigned wait = kFirstWait;
    for (bool done = false; !done;) {
      // All counters by one access.
      const unsigned long long* const mine = lane() == 0   ? &counters.taken
                                             : lane() == 1 ? &counters.finished_regions
                                                           : &counters.open_splits;
      const unsigned long long counter = *static_cast<const volatile unsigned long long*>(mine);
      const unsigned long long taken = __shfl_sync(kAll, counter, 0);
      const auto finished = static_cast<long long>(__shfl_sync(kAll, counter, 1));
      const bool splits = __shfl_sync(kAll, counter, 2) != 0;
      if (taken < borders) {
        const unsigned long long ticket = add_one(&counters.taken);
        if (ticket < borders) {
          found = {region_of(static_cast<std::uint32_t>(ticket % regions_.first)),
                   static_cast<std::uint32_t>(ticket / regions_.first), WarpChunk::Part::kBorder};
          done = true;
        }
      }
      done = done || finished >= static_cast<long long>(regions_.first);
      if (done) continue;
      std::uint32_t open = splits ? open_region(0, regions_.upper, near) : regions_.all;
      if (open == regions_.all) open = open_region(regions_.upper, regions_.all, near);
      if (open < regions_.all) {
        done = take_of(region_of(open), found);
        // Warps that find the same region exhausted go on at different ones.
        near = done ? open : (open + 1 + threadIdx.x / 32 * 4 + blockIdx.x % 4) % regions_.all;
      } else {
        __nanosleep(wait);
        wait = min(2 * wait, kLastWait);
      }
    }
    return found;
  }

  /// The pixel of this lane; false if it has none.
  __device__ bool pixel_of(const WarpChunk& work, Coord32& pixel) const {
    const Region& region = work.region.pixels;
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
    LevelCounters& counters = task_.counters[work.region.level];
    const std::uint32_t lanes = __ballot_sync(kAll, computed);
    if (work.part == WarpChunk::Part::kInside) {
      if (lane() == 0) atomicAdd(&counters.leaf_pixels, 0ull + __popc(lanes));
      return;
    }
    if (lanes == 0) {  // this region's border has fewer chunks than the largest one's
      if (work.chunk == 0 && lane() == 0) finish_regions(1);
      return;
    }
    const std::uint32_t dwell_of_first = __shfl_sync(kAll, dwell, 0);
    const bool differ = __any_sync(kAll, computed && dwell != dwell_of_first);
    const Region& region = work.region.pixels;
    std::uint32_t& state = tables_.states[work.region.number].border;
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
          list_region(task_.list, region, work.region.level, RegionKind::kFill);
          finish_regions(1);
        }
      } else {
        opens = lane() == 0;
      }
    }
    if (opens) open(work.region);
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
  __device__ std::uint32_t children_of_split() const { return task_.cut.r * task_.cut.r; }
  __device__ bool is_last_level(const AskRegion& region) const {
    return region.level + 1 == task_.cut.levels;
  }

  /// Called by one lane: counts regions without further work; a split adds its children to them.
  __device__ void finish_regions(long long count) const {
    atomicAdd(&task_.counters[0].finished_regions, static_cast<unsigned long long>(count));
  }

  /// Called by one lane: makes a region a split or a leaf, whose work other warps then take.
  __device__ void open(const AskRegion& region) const {
    LevelCounters& counters = task_.counters[region.level];
    const bool leaf = is_last_level(region);
    atomicAdd(leaf ? &counters.leaves : &counters.splits, 1ull);
    list_region(task_.list, region.pixels, region.level, leaf ? RegionKind::kLeaf : RegionKind::kSplit);
    if (leaf && inside_of(region.pixels).empty()) return finish_regions(1);
    if (!leaf) {
      finish_regions(1 - static_cast<long long>(children_of_split()));
      atomicAdd(&task_.counters[0].open_splits, 1ull);
      __threadfence();  // no child is finished before it is counted
    }
    atomicOr(&open_bits()[region.number / 32], 1u << region.number % 32);
  }

  /// Takes a chunk of an open region: of a split, of the border of a child; of a leaf, of its inside. False if
  /// all were taken.
  __device__ bool take_of(const AskRegion& open, WarpChunk& found) const {
    const bool leaf = is_last_level(open);
    const std::uint32_t children = children_of_split();
    const std::uint32_t chunks = leaf ? chunks_of(inside_of(open.pixels).area())
                                      : children * border_chunks(task_.cut, open.level + 1);
    const std::uint32_t chunk = add_one(&tables_.states[open.number].inside);
    if (chunk >= chunks) return false;
    if (chunk + 1 == chunks && lane() == 0) {
      atomicAnd(&open_bits()[open.number / 32], ~(1u << open.number % 32));
      if (leaf)
        finish_regions(1);
      else
        atomicAdd(&task_.counters[0].open_splits, ~0ull);
    }
    if (leaf)
      found = {open, chunk, WarpChunk::Part::kInside};
    else
      found = {child_of(open, chunk % children), chunk / children, WarpChunk::Part::kBorder};
    return true;
  }

  /// A bit for each region: whether it is open and some of its work is not taken. After the states.
  __device__ std::uint32_t* open_bits() const {
    return reinterpret_cast<std::uint32_t*>(tables_.states + regions_.all);
  }
  /// An open region among the words of bits of regions `begin` to `end`, searched from `near` on in a circle;
  /// regions_.all if there is none.
  __device__ std::uint32_t open_region(std::uint32_t begin, std::uint32_t end, std::uint32_t near) const {
    const std::uint32_t first_word = begin / 32;
    const std::uint32_t words = (end + 31) / 32 - first_word;
    std::uint32_t found = regions_.all;
    // Once around: the first word is read first for its bits from near % 32 on, and last for the others.
    for (std::uint32_t i = 0; i <= words && found == regions_.all; i += 32) {
      const std::uint32_t turn = i + lane();
      const std::uint32_t word = first_word + (near / 32 + turn) % words;
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

  __device__ AskRegion region_of(std::uint32_t number) const {
    const std::uint32_t r = task_.cut.r;
    AskRegion region{{}, number, 0};
    std::uint32_t at = number;
    for (std::uint32_t of_level = regions_.first; at >= of_level; of_level *= r * r) {
      at -= of_level;
      ++region.level;
    }
    // The digits of `at` to base r x r are the positions of its ancestors in their parents.
    Coord32 place{0, 0};
    std::uint32_t side = 1;
    for (std::uint32_t i = 0; i < region.level; ++i, at /= r * r, side *= r) {
      const std::uint32_t child = at % (r * r);
      place.x += child % r * side;
      place.y += child / r * side;
    }
    const std::uint32_t parts = task_.cut.first_parts;
    const Coord32 first = tables_.read == nullptr ? Coord32{at % parts, at / parts} : tables_.read[at];
    region.pixels =
        region_at(task_.cut, parts * side, first.x * side + place.x, first.y * side + place.y);
    return region;
  }
  __device__ AskRegion child_of(const AskRegion& parent, std::uint32_t child) const {
    std::uint32_t before = 0;  // the parent's level and all above it
    std::uint32_t above = 0;
    for (std::uint32_t level = 0, of_level = regions_.first; level <= parent.level; ++level) {
      above = before;
      before += of_level;
      of_level *= children_of_split();
    }
    return region_of(before + (parent.number - above) * children_of_split() + child);
  }
  __device__ std::uint32_t dwell_of_border(const Region& region, std::uint32_t i) const {
    const Coord32 pixel = border_pixel(region, i);
    return __ldcg(&task_.image.at(pixel.x, pixel.y));
  }

  const DwellTask<Evaluator, Dwell>& task_;
  const AskTables& tables_;
  const AskRegions& regions_;
};

template <typename Evaluator, typename Dwell>
__global__ void __launch_bounds__(kAskWarpThreads, kAskWarpBlocks<Evaluator>)
    ask_warps_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                     const __grid_constant__ AskTables tables, const __grid_constant__ AskRegions regions) {
  // The work of each warp is in shared memory while pixels are computed, which needs the registers.
  __shared__ WarpChunk works[kAskWarps];
  WarpChunk& work = works[threadIdx.x / 32];
  const AskWarp warp(task, tables, regions);
  const std::uint64_t number = blockIdx.x * kAskWarps + threadIdx.x / 32;
  auto near = static_cast<std::uint32_t>(number * regions.all / (gridDim.x * kAskWarps));
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

/// All levels of ASK; `launch` is that of the first one.
template <typename Evaluator, typename Dwell>
void compute_ask_by_warps(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                          const AskLaunch& launch, const LaunchSlices& slices, const Stream& stream) {
  AskRegions regions{.first = static_cast<std::uint32_t>(launch.max_regions)};
  std::uint32_t of_level = regions.first;
  for (std::uint32_t level = 0; level < task.cut.levels; ++level, of_level *= task.cut.r * task.cut.r) {
    regions.upper = regions.all;
    regions.all += of_level;
  }
  LOOM_CUDA(
      cudaMemsetAsync(tables.states, 0, states_of_regions(regions.all) * sizeof(RegionState), stream.get()));
  int resident = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ask_warps_kernel<Evaluator, Dwell>,
                                                          static_cast<int>(kAskWarpThreads), 0));
  const std::uint64_t pixels = std::uint64_t{task.cut.width} * task.cut.height;
  const std::uint64_t needed = (pixels + kAskWarpThreads - 1) / kAskWarpThreads;
  const auto most = static_cast<std::uint64_t>(std::max(1, resident) * launch.multiprocessors);
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, most));
  ask_warps_kernel<<<blocks, kAskWarpThreads, 0, stream.get()>>>(task, tables, regions);
  LOOM_CUDA(cudaGetLastError());
  slices.note_launch();
}

}  // namespace loom::cuda
