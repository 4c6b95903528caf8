#pragma once

#include <algorithm>
#include <cstdint>
#include <cuda/atomic>

#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/region_base.cuh"
#include "compute/cuda/mandelbrot/region/warp_regions.cuh"
#include "compute/cuda/mandelbrot/region/warp_tables.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cuda {

// ASK by warps, for evaluators that compute a pixel as a whole: one launch for all levels, in which warps
// take 32 pixels, a chunk, at a time. No warp waits for another one at a barrier, and no level waits for the
// slowest pixel of the one before it.
//
// A region whose border is uniform is filled. Any other region is open as soon as two pixels of one chunk of
// its border differ and the first chunk is computed: its children's borders are then taken or, if it is a
// leaf, its inside. With tiles (warps_use_tiles), the first chunk decides how a leaf is computed. If its
// dwell seldom changes from pixel to pixel, there may be tiles to fill: lines 8 pixels apart come first, then
// the insides of tiles that are not uniform. Otherwise the whole inside is computed, for which the pixels of
// a warp are closer to each other than on a line. The same holds if a pixel of the first chunk reaches the
// dwell limit: such pixels are slow, and would be waited for once more.
//
// Chunks that follow from others wait in a queue, in the order in which they became known. A warp takes the
// next place in it, and waits there if it is not filled yet. Slow leaves become known late but should begin
// early, or the kernel waits for them at its end. They have a queue of their own, in which each warp
// always has a place; it looks there first when it has computed a chunk. Slow is what took 1.5 times the
// average time per place taken; that changes the order of the work but not what is computed.

inline constexpr unsigned kAskWarpThreads = 256;
inline constexpr unsigned kAskWarps = kAskWarpThreads / 32;

/// Registers of a thread: few enough for many warps, which hide the latency of loads, and enough for the
/// iteration.
template <typename Evaluator>
inline constexpr int kAskWarpRegisters = 48;
template <typename Real, bool kEstimates>
inline constexpr int kAskWarpRegisters<Perturbed<Real, true, kEstimates>> = 64;
// Thread blocks per multiprocessor would not do: code for sm_90 is compiled from PTX for compute_75, where a
// multiprocessor has 1024 threads.
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1204
#define LOOM_ASK_WARP_BOUNDS(Evaluator) __maxnreg__(kAskWarpRegisters<Evaluator>)
#else
#define LOOM_ASK_WARP_BOUNDS(Evaluator) __launch_bounds__(kAskWarpThreads, 1024 / kAskWarpThreads)
#endif

/// A leaf is computed by tiles if the dwell changes at most once per this many pixels of its border's first
/// chunk.
inline constexpr std::uint32_t kPixelsOfChange = 8;

/// What a warp keeps in shared memory while it computes pixels, which needs the registers.
struct WarpMemory {
  WarpChunk work;
  long long kernel_begin = 0;     ///< clock64()
  long long begin = 0;            ///< of the work
  std::uint32_t early_place = 0;  ///< in the queue of slow leaves
  bool only_early = false;        ///< the other queue is at its end
};

/// One warp of the kernel. All lanes call every function together, with the same arguments, unless the
/// comment says otherwise.
template <typename Evaluator, typename Dwell>
class AskWarp {
  using Part = WarpChunk::Part;

 public:
  __device__ AskWarp(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                     const WarpTables& layout)
      : task_(task), tables_(tables), layout_(layout), regions_(task.cut, layout, tables.read) {}

  /// What is at the warp's place in the queue of slow leaves, for take(); the load takes its time while other
  /// things are done.
  __device__ std::uint64_t early_entry(const WarpMemory& memory) const {
    return load_by_lane_0(layout_.early_queue(tables_.warp_tables)[memory.early_place]);
  }

  /// The next work for this warp; kNone after the last.
  __device__ WarpChunk take(WarpMemory& memory, std::uint64_t early_entry) const {
    std::uint64_t entry = __shfl_sync(kAll, early_entry, 0);
    if (!QueuedChunk::is_work(entry)) {
      if (!memory.only_early) {
        const std::uint64_t ticket = add_one(task_.counters[0].taken);
        const std::uint64_t borders = first_borders();
        if (ticket < borders) {
          WarpChunk work;
          work.region = regions_.at(static_cast<std::uint32_t>(ticket % layout_.first));
          work.chunk = static_cast<std::uint32_t>(ticket / layout_.first);
          work.part = Part::kBorder;
          return work;
        }
        entry = wait_for(layout_.queue(tables_.warp_tables)[ticket - borders]);
        if (QueuedChunk::is_work(entry)) return work_of(entry);
        __syncwarp();
        if (lane() == 0) memory.only_early = true;
        __syncwarp();
      }
      entry = wait_for(layout_.early_queue(tables_.warp_tables)[memory.early_place]);
      if (!QueuedChunk::is_work(entry)) return {};
    }
    const std::uint64_t place = gridDim.x * kAskWarps + add_one(task_.counters[0].early_taken);
    __syncwarp();
    if (lane() == 0) memory.early_place = static_cast<std::uint32_t>(place);
    return work_of(entry);
  }

  /// The pixel of this lane; false if it has none.
  __device__ bool pixel_of(const WarpChunk& work, Coord32& pixel) const {
    const Region& region = work.region.pixels;
    const std::uint32_t i = work.chunk * 32 + lane();
    switch (work.part) {
      case Part::kBorder:
        if (i >= border_size(region)) return false;
        pixel = border_pixel(region, i);
        return true;
      case Part::kLines: {
        const PanelLines lines(region, panel_at(region, work.panel));
        if (i >= lines.size()) return false;
        pixel = lines.pixel(i);
        return true;
      }
      case Part::kInside: {
        const Region inside = inside_of(region);
        if (i >= inside.area()) return false;
        pixel = pixel_in_columns(inside, i);
        return true;
      }
      default: {
        // It was written before the entry in the queue, but may become visible after it.
        std::uint64_t open = 0;
        while (open == 0) open = load(state_of(work.region, work.panel).open);
        return pixel_in_tiles(panel_at(region, work.panel), open, i, pixel);
      }
    }
  }

  /// Counts computed pixels, and does what follows from them.
  __device__ void finish(const WarpMemory& memory, bool computed, std::uint32_t dwell) const {
    const WarpChunk& work = memory.work;
    LevelCounters& counters = task_.counters[work.region.level];
    const std::uint32_t lanes = __ballot_sync(kAll, computed);
    const bool on_line = work.part == Part::kBorder || work.part == Part::kLines;
    if (lane() == 0)
      atomicAdd(on_line ? &counters.border_pixels : &counters.leaf_pixels, 0ull + __popc(lanes));
    if (work.part == Part::kBorder) {
      finish_border(memory, lanes, dwell);
    } else if (work.part == Part::kLines) {
      add_events(work.region, work.panel, 1);
    }
    __syncwarp();
  }

 private:
  static constexpr std::uint32_t kAll = 0xffffffff;

  __device__ static std::uint32_t lane() { return threadIdx.x % 32; }
  template <typename Int>
  using DeviceAtomic = ::cuda::atomic_ref<Int, ::cuda::thread_scope_device>;
  /// Adds for the warp, after what its lanes have written; returns the previous value. A warp that reads it
  /// and then calls acquire() sees that too. A fence here would empty the L1 cache, which the evaluator
  /// needs.
  template <typename Int>
  __device__ static Int add_released(Int& counter, Int number) {
    Int previous = 0;
    __syncwarp();
    if (lane() == 0) previous = DeviceAtomic<Int>(counter).fetch_add(number, ::cuda::memory_order_release);
    return __shfl_sync(kAll, previous, 0);
  }
  /// What other warps had written before they changed a counter that lane 0 has read is visible to all lanes.
  __device__ static void acquire() {
    __threadfence();
    __syncwarp();
  }
  /// Adds one for the warp; returns the previous value.
  __device__ static std::uint64_t add_one(unsigned long long& counter) {
    std::uint64_t previous = 0;
    if (lane() == 0) previous = atomicAdd(&counter, 1ull);
    return __shfl_sync(kAll, previous, 0);
  }
  /// A number in memory that other warps change, for lane 0; 0 for the others.
  __device__ static std::uint64_t load_by_lane_0(std::uint64_t& number) {
    return lane() == 0 ? DeviceAtomic<std::uint64_t>(number).load(::cuda::memory_order_relaxed) : 0;
  }
  /// The same for all lanes.
  __device__ static std::uint64_t load(std::uint64_t& number) {
    return __shfl_sync(kAll, load_by_lane_0(number), 0);
  }
  __device__ static void store(std::uint64_t& number, std::uint64_t value) {
    DeviceAtomic<std::uint64_t>(number).store(value, ::cuda::memory_order_relaxed);
  }
  __device__ std::uint64_t& state_of(const WarpRegion& region) const {
    return layout_.border_states(tables_.warp_tables)[region.number];
  }
  __device__ std::uint32_t panel_number(const WarpRegion& leaf, std::uint32_t panel) const {
    return (leaf.number - layout_.upper) * layout_.panels_of_leaf + panel;
  }
  __device__ PanelState& state_of(const WarpRegion& leaf, std::uint32_t panel) const {
    return layout_.panel_states(tables_.warp_tables)[panel_number(leaf, panel)];
  }
  __device__ bool is_last_level(const WarpRegion& region) const {
    return region.level + 1 == task_.cut.levels;
  }

  /// Chunks of the borders of the first level, which need no queue.
  __device__ std::uint64_t first_borders() const {
    return std::uint64_t{layout_.first} * border_chunks(task_.cut, 0);
  }
  /// What is at a place of a queue as soon as it is filled.
  __device__ static std::uint64_t wait_for(std::uint64_t& place) {
    constexpr unsigned kFirstWait = 100;  // nanoseconds
    constexpr unsigned kLastWait = 1000;
    std::uint64_t entry = load(place);
    for (unsigned wait = kFirstWait; entry == 0; wait = min(2 * wait, kLastWait)) {
      __nanosleep(wait);
      entry = load(place);
    }
    return entry;
  }
  __device__ WarpChunk work_of(std::uint64_t entry) const {
    WarpChunk work;
    work.part = static_cast<Part>(QueuedChunk::part(entry));
    work.chunk = QueuedChunk::chunk(entry);
    const std::uint32_t number = QueuedChunk::number(entry);
    if (work.part == Part::kBorder) {
      work.region = regions_.child_of(regions_.at(number), work.chunk % regions_.children());
      work.chunk /= regions_.children();
    } else if (work.part == Part::kInside) {
      work.region = regions_.at(number);
    } else {
      work.region = regions_.at(layout_.upper + number / layout_.panels_of_leaf);
      work.panel = number % layout_.panels_of_leaf;
    }
    return work;
  }

  /// Puts chunks of a part of region or panel `number` in the queue, and counts regions and panels after
  /// which no more is put in it; children and panels that are added count as negative.
  __device__ void enqueue(Part part, std::uint32_t number, std::uint32_t chunks,
                          std::int64_t finished) const {
    constexpr int kFinishedShift = 32;
    const std::uint64_t change = (static_cast<std::uint64_t>(finished) << kFinishedShift) + chunks;
    std::uint64_t before = 0;
    if (lane() == 0) before = atomicAdd(&task_.counters[0].queue, static_cast<unsigned long long>(change));
    before = __shfl_sync(kAll, before, 0);
    std::uint64_t* const queue = layout_.queue(tables_.warp_tables) + static_cast<std::uint32_t>(before);
    fill_places(queue, part, number, chunks);
    if ((before + change) >> kFinishedShift != layout_.first) return;
    // Warps may wait for work beyond the last, one at each place.
    acquire();  // other warps have put work in the queue of slow leaves before
    std::uint64_t early_end = 0;
    if (lane() == 0) early_end = *static_cast<volatile unsigned long long*>(&task_.counters[0].early);
    std::uint64_t* const early = layout_.early_queue(tables_.warp_tables) + __shfl_sync(kAll, early_end, 0);
    for (std::uint32_t i = lane(); i < gridDim.x * kAskWarps; i += 32) {
      store(queue[chunks + i], QueuedChunk::kEnd);
      store(early[i], QueuedChunk::kEnd);
    }
  }
  /// Puts the inside of a leaf in the queue of slow leaves.
  __device__ void enqueue_early(const WarpRegion& leaf, std::uint32_t chunks) const {
    std::uint64_t first = 0;
    if (lane() == 0) first = atomicAdd(&task_.counters[0].early, 0ull + chunks);
    first = __shfl_sync(kAll, first, 0);
    fill_places(layout_.early_queue(tables_.warp_tables) + first, Part::kInside, leaf.number, chunks);
    __threadfence();  // before the leaf counts as finished
    finish_regions(1);
  }
  __device__ static void fill_places(std::uint64_t* places, Part part, std::uint32_t number,
                                     std::uint32_t chunks) {
    for (std::uint32_t i = lane(); i < chunks; i += 32)
      store(places[i], QueuedChunk::pack(static_cast<std::uint32_t>(part), number, i));
  }
  /// Whether the work took long, and other work would come before what follows from it.
  __device__ bool is_slow(const WarpMemory& memory) const {
    constexpr double kLong = 1.5;  // times the average
    bool slow = false;
    if (lane() == 0) {
      LevelCounters& counters = task_.counters[0];
      const std::uint64_t taken = *static_cast<volatile unsigned long long*>(&counters.taken);
      const std::uint64_t queue = *static_cast<volatile unsigned long long*>(&counters.queue);
      const long long now = clock64();
      const double all = static_cast<double>(now - memory.kernel_begin) * (gridDim.x * kAskWarps);
      slow = first_borders() + static_cast<std::uint32_t>(queue) > taken &&
             static_cast<double>(now - memory.begin) * static_cast<double>(taken) > kLong * all;
    }
    return __shfl_sync(kAll, slow, 0);
  }
  __device__ void finish_regions(std::int64_t count) const { enqueue(Part::kNone, 0, 0, count); }

  __device__ void finish_border(const WarpMemory& memory, std::uint32_t lanes, std::uint32_t dwell) const {
    using State = BorderState;
    const WarpChunk& work = memory.work;
    const Region& region = work.region.pixels;
    if (lanes == 0) {  // this region's border has fewer chunks than the largest one's
      if (work.chunk == 0) finish_regions(1);
      return;
    }
    const bool computed = (lanes >> lane() & 1) != 0;
    const std::uint32_t first_dwell = __shfl_sync(kAll, dwell, 0);
    const std::uint32_t next = __shfl_down_sync(kAll, dwell, 1);
    const bool differ = __any_sync(kAll, computed && dwell != first_dwell);
    const bool changes = computed && lane() < 31 && (lanes >> (lane() + 1) & 1) != 0 && dwell != next;
    const std::uint32_t all_changes = __popc(__ballot_sync(kAll, changes));
    const bool reaches_limit = __any_sync(kAll, computed && dwell >= task_.limit);
    std::uint64_t change = 1 + (differ ? State::kDiffering : 0);
    if (work.chunk == 0) {
      change += State::kBegun;
      if (layout_.panels_of_leaf != 0 && is_last_level(work.region) && !reaches_limit &&
          all_changes * kPixelsOfChange <= __popc(lanes))
        change += State::kTiles;
    }
    const std::uint64_t before = add_released(state_of(work.region), change);
    const std::uint64_t all = before + change;
    bool opens = State::is_open(all) && !State::is_open(before);
    const bool differs = (all & State::kAnyDiffering) != 0;
    const bool by_tiles = (all & State::kTiles) != 0;
    const bool is_last = (all & State::kChunks) == chunks_of(border_size(region));
    if (is_last && (by_tiles || !differs)) acquire();
    if (is_last && !differs) {
      // Each chunk is uniform, so that the first pixels of all chunks decide.
      const std::uint32_t first = dwell_of(border_pixel(region, 0));
      bool uniform = may_fill(task_.fill, first, task_.limit);
      for (std::uint32_t i = lane() * 32; i < border_size(region); i += 32 * 32)
        uniform = uniform && dwell_of(border_pixel(region, i)) == first;
      opens = !__all_sync(kAll, uniform);
      if (!opens) fill(work.region, first);
    }
    if (opens) open(memory, by_tiles);
    if (!by_tiles) return;
    const std::uint32_t events = opens + (is_last && (differs || opens));
    if (events == 0 || inside_of(region).empty()) return;
    for (std::uint32_t panel = 0; panel < panels_of(region); ++panel) add_events(work.region, panel, events);
  }

  __device__ void fill(const WarpRegion& region, std::uint32_t dwell) const {
    const Region inside = inside_of(region.pixels);
    fill_rectangle(task_.image, inside, dwell, lane(), 32);
    if (lane() == 0) {
      LevelCounters& counters = task_.counters[region.level];
      atomicAdd(&counters.filled, 1ull);
      atomicAdd(&counters.filled_pixels, 0ull + inside.area());
      list_region(task_.list, region.pixels, region.level, RegionKind::kFill);
    }
    finish_regions(1);
  }

  /// Makes a region a split or a leaf, whose work other warps then take.
  __device__ void open(const WarpMemory& memory, bool by_tiles) const {
    const WarpRegion& region = memory.work.region;
    const bool leaf = is_last_level(region);
    if (lane() == 0) {
      LevelCounters& counters = task_.counters[region.level];
      atomicAdd(leaf ? &counters.leaves : &counters.splits, 1ull);
      list_region(task_.list, region.pixels, region.level, leaf ? RegionKind::kLeaf : RegionKind::kSplit);
    }
    const Region inside = inside_of(region.pixels);
    if (!leaf) {
      const std::uint32_t children = regions_.children();
      enqueue(Part::kBorder, region.number, children * border_chunks(task_.cut, region.level + 1),
              1 - std::int64_t{children});
    } else if (inside.empty()) {
      finish_regions(1);
    } else if (!by_tiles && is_slow(memory)) {
      enqueue_early(region, chunks_of(inside.area()));
    } else if (!by_tiles) {
      enqueue(Part::kInside, region.number, chunks_of(inside.area()), 1);
    } else {
      const std::uint32_t panels = panels_of(region.pixels);
      finish_regions(1 - std::int64_t{panels});  // their tiles follow
      for (std::uint32_t panel = 0; panel < panels; ++panel) {
        const PanelLines lines(region.pixels, panel_at(region.pixels, panel));
        enqueue(Part::kLines, panel_number(region, panel), chunks_of(lines.size()), 0);
      }
    }
  }

  /// Counts events of a panel. After the last one all pixels around its tiles are known.
  __device__ void add_events(const WarpRegion& leaf, std::uint32_t panel, std::uint32_t events) const {
    const Region pixels = panel_at(leaf.pixels, panel);
    const std::uint32_t most = chunks_of(PanelLines(leaf.pixels, pixels).size()) + 2;
    if (add_released(state_of(leaf, panel).events, events) + events < most) return;
    acquire();
    close_tiles(leaf, panel, pixels);
  }

  /// Fills the tiles with a uniform border, of any dwell (warps_use_tiles); the others are work to take.
  __device__ void close_tiles(const WarpRegion& leaf, std::uint32_t panel, const Region& pixels) const {
    const std::uint32_t tiles = tiles_on(pixels.width) * tiles_on(pixels.height);
    unsigned long long open = 0;
    std::uint32_t open_pixels = 0;
    std::uint32_t filled_pixels = 0;
    constexpr std::uint32_t kAtOnce = 8;  // loads in flight
    for (std::uint32_t begin = 0; begin < tiles; begin += kAtOnce) {
      std::uint32_t dwells[kAtOnce];
#pragma unroll
      for (std::uint32_t k = 0; k < kAtOnce; ++k) {
        const Region tile = tile_at(pixels, min(begin + k, tiles - 1));
        dwells[k] = dwell_of(border_pixel(tile, lane() < border_size(tile) ? lane() : 0));
      }
#pragma unroll
      for (std::uint32_t k = 0; k < kAtOnce; ++k) {
        const std::uint32_t first = __shfl_sync(kAll, dwells[k], 0);
        const bool uniform = __all_sync(kAll, dwells[k] == first);
        const Region inside = inside_of(tile_at(pixels, min(begin + k, tiles - 1)));
        if (begin + k >= tiles || inside.empty()) continue;
        const auto area = static_cast<std::uint32_t>(inside.area());
        if (uniform) {
          for (std::uint32_t i = lane(); i < area; i += 32) {
            const Coord32 pixel = pixel_in_rows(inside, i);
            task_.image.at(pixel.x, pixel.y) = first;
          }
          filled_pixels += area;
        } else {
          open |= 1ull << (begin + k);
          open_pixels += area;
        }
      }
    }
    if (lane() == 0) atomicAdd(&task_.counters[leaf.level].filled_pixels, 0ull + filled_pixels);
    if (open == 0) {
      finish_regions(1);
      return;
    }
    if (lane() == 0) store(state_of(leaf, panel).open, open);
    enqueue(Part::kTiles, panel_number(leaf, panel), chunks_of(open_pixels), 1);
  }

  __device__ std::uint32_t dwell_of(Coord32 pixel) const {
    return __ldcg(&task_.image.at(pixel.x, pixel.y));
  }

  const DwellTask<Evaluator, Dwell>& task_;
  const AskTables& tables_;
  const WarpTables& layout_;
  WarpRegions regions_;
};

template <typename Evaluator, typename Dwell>
__global__ void LOOM_ASK_WARP_BOUNDS(Evaluator)
    ask_warps_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                     const __grid_constant__ AskTables tables, const __grid_constant__ WarpTables layout) {
  __shared__ WarpMemory memories[kAskWarps];
  WarpMemory& memory = memories[threadIdx.x / 32];
  if (threadIdx.x % 32 == 0) {
    memory = {};
    memory.kernel_begin = clock64();
    memory.early_place = blockIdx.x * kAskWarps + threadIdx.x / 32;
  }
  __syncwarp();
  const AskWarp warp(task, tables, layout);
  std::uint64_t early_entry = 0;
  for (;;) {
    const WarpChunk next = warp.take(memory, early_entry);
    if (next.part == WarpChunk::Part::kNone) return;
    __syncwarp();  // all lanes have read the previous work
    if (threadIdx.x % 32 == 0) {
      memory.work = next;
      memory.begin = clock64();
    }
    __syncwarp();
    Coord32 pixel;
    const bool computes = warp.pixel_of(memory.work, pixel);
    std::uint32_t dwell = 0;
    if (computes) {
      dwell = task.grid.dwell_unless_long(pixel.x, pixel.y, task.limit);
      task.image.at(pixel.x, pixel.y) = dwell;
    }
    __syncwarp();
    early_entry = warp.early_entry(memory);
    warp.finish(memory, computes, dwell);
  }
}

/// All levels of ASK; `launch` is that of the first one.
template <typename Evaluator, typename Dwell>
void compute_ask_by_warps(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                          const AskLaunch& launch, const LaunchSlices& slices, const Stream& stream) {
  if (launch.max_regions == 0) return;  // a partition without regions
  const WarpTables layout(task.cut, launch.max_regions, warps_use_tiles(task.optimisations, task.fill));
  LOOM_CUDA(cudaMemsetAsync(tables.warp_tables, 0, layout.words() * sizeof(std::uint64_t), stream.get()));
  int resident = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ask_warps_kernel<Evaluator, Dwell>,
                                                          static_cast<int>(kAskWarpThreads), 0));
  const std::uint64_t pixels = largest_region(task.cut, 0).area() * layout.first;
  const std::uint64_t needed = (pixels + kAskWarpThreads - 1) / kAskWarpThreads;
  const auto most = std::min(static_cast<std::uint64_t>(std::max(1, resident) * launch.multiprocessors),
                             std::uint64_t{WarpTables::kMostWarps / kAskWarps});
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, most));
  ask_warps_kernel<<<blocks, kAskWarpThreads, 0, stream.get()>>>(task, tables, layout);
  LOOM_CUDA(cudaGetLastError());
  slices.note_launch();
}

}  // namespace loom::cuda
