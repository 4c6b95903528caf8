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
// leaf, its inside. With `tiles`, the first chunk decides how a leaf is computed. If its dwell seldom changes
// from pixel to pixel, there may be tiles to fill: lines 8 pixels apart come first, then the insides of tiles
// that are not uniform. Otherwise the whole inside is computed, for which the pixels of a warp are closer to
// each other than on a line.

inline constexpr unsigned kAskWarpThreads = 256;
inline constexpr unsigned kAskWarps = kAskWarpThreads / 32;

/// Registers of a thread: few enough for many warps, which hide the latency of loads, and enough for the
/// iteration.
template <typename Evaluator>
inline constexpr int kAskWarpRegisters = 48;
template <typename Real>
inline constexpr int kAskWarpRegisters<Perturbed<Real, true>> = 64;
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

/// The warps that search for lines begin at every fourth panel, so that panels are finished one after the
/// other, and the work on their tiles begins while lines of others are computed.
inline constexpr std::uint32_t kPanelStride = 4;

/// One warp of the kernel. All lanes call every function together, with the same arguments, unless the
/// comment says otherwise.
template <typename Evaluator, typename Dwell>
class AskWarp {
  using Part = WarpChunk::Part;

 public:
  __device__ AskWarp(const DwellTask<Evaluator, Dwell>& task, const AskTables& tables,
                     const WarpTables& layout)
      : task_(task), tables_(tables), layout_(layout), regions_(task.cut, layout, tables.read) {}

  /// The next work for this warp; kNone if there is none left. Waits while the rest depends on pixels that
  /// other warps compute. `near` is where the searches for open work begin, different in each warp; it
  /// follows the warp's work.
  __device__ WarpChunk take(std::uint32_t& near) const {
    constexpr unsigned kFirstWait = 200;  // nanoseconds
    constexpr unsigned kLastWait = 2000;
    LevelCounters& counters = task_.counters[0];
    const std::uint64_t borders = std::uint64_t{layout_.first} * border_chunks(task_.cut, 0);
    WarpChunk found;
    unsigned wait = kFirstWait;
    for (bool done = false; !done;) {
      // All counters by one access.
      const unsigned long long* const mine = lane() == 0   ? &counters.taken
                                             : lane() == 1 ? &counters.finished_regions
                                                           : &counters.urgent;
      const unsigned long long counter = *static_cast<const volatile unsigned long long*>(mine);
      const unsigned long long taken = __shfl_sync(kAll, counter, 0);
      const auto finished = static_cast<long long>(__shfl_sync(kAll, counter, 1));
      const bool urgent = __shfl_sync(kAll, counter, 2) != 0;
      if (taken < borders) {
        const unsigned long long ticket = add_one(&counters.taken);
        if (ticket < borders) {
          found.region = regions_.at(static_cast<std::uint32_t>(ticket % layout_.first));
          found.chunk = static_cast<std::uint32_t>(ticket / layout_.first);
          found.part = Part::kBorder;
          done = true;
        }
      }
      done = done || finished >= static_cast<long long>(layout_.first);
      if (done) continue;
      const std::uint32_t lines = layout_.first_lines_bit();
      const std::uint32_t others = layout_.first_inside_bit();
      std::uint32_t open = kNoBit;
      if (urgent) {
        open = find_bit(open_bits(), 0, lines, near);
        if (open == kNoBit) open = find_bit(open_bits(), lines, others, near / kPanelStride * kPanelStride);
      }
      if (open == kNoBit) open = find_bit(open_bits(), others, layout_.bits(), near);
      if (open != kNoBit) {
        done = take_of(open, found);
        if (open >= others) near = open - others;
        if (!done) {  // warps that find that all of the same work is taken go on at different bits
          found.part = Part::kNone;
          near = (near + 1 + threadIdx.x / 32 * 4 + blockIdx.x % 4) % (layout_.bits() - others);
        }
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
      default:
        return pixel_in_tiles(panel_at(region, work.panel), __ldcg(&state_of(work.region, work.panel).open),
                              i, pixel);
    }
  }

  /// Counts computed pixels, and does what follows from them.
  __device__ void finish(const WarpChunk& work, bool computed, std::uint32_t dwell) const {
    LevelCounters& counters = task_.counters[work.region.level];
    const std::uint32_t lanes = __ballot_sync(kAll, computed);
    const bool on_line = work.part == Part::kBorder || work.part == Part::kLines;
    if (lane() == 0)
      atomicAdd(on_line ? &counters.border_pixels : &counters.leaf_pixels, 0ull + __popc(lanes));
    if (work.part == Part::kBorder) {
      finish_border(work, lanes, dwell);
    } else if (work.part == Part::kLines) {
      add_events(work.region, work.panel, 1);
    }
    __syncwarp();
  }

 private:
  static constexpr std::uint32_t kAll = 0xffffffff;

  __device__ static std::uint32_t lane() { return threadIdx.x % 32; }
  using DeviceAtomic = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;
  /// Adds one for the warp; returns the previous value.
  template <typename Int>
  __device__ static Int add_one(Int* counter) {
    Int previous = 0;
    if (lane() == 0) previous = atomicAdd(counter, Int{1});
    return __shfl_sync(kAll, previous, 0);
  }
  /// Adds for the warp, after what its lanes have written; returns the previous value. A warp that reads it
  /// and then has a fence sees that too. A fence here would empty the L1 cache, which the evaluator needs.
  __device__ static std::uint32_t add_released(std::uint32_t& counter, std::uint32_t number) {
    std::uint32_t previous = 0;
    __syncwarp();
    if (lane() == 0) previous = DeviceAtomic(counter).fetch_add(number, ::cuda::memory_order_release);
    return __shfl_sync(kAll, previous, 0);
  }
  __device__ RegionState& state_of(const WarpRegion& region) const {
    return layout_.region_states(tables_.warp_tables)[region.number];
  }
  __device__ std::uint32_t panel_number(const WarpRegion& leaf, std::uint32_t panel) const {
    return (leaf.number - layout_.upper) * layout_.panels_of_leaf + panel;
  }
  __device__ PanelState& state_of(const WarpRegion& leaf, std::uint32_t panel) const {
    return layout_.panel_states(tables_.warp_tables)[panel_number(leaf, panel)];
  }
  __device__ std::uint32_t* open_bits() const { return layout_.open_bits(tables_.warp_tables); }
  __device__ bool is_last_level(const WarpRegion& region) const {
    return region.level + 1 == task_.cut.levels;
  }

  /// Called by one lane: counts regions and panels whose work, and that of their children, is taken or done;
  /// children and panels that are added count as negative.
  __device__ void finish_regions(long long count) const {
    atomicAdd(&task_.counters[0].finished_regions, static_cast<unsigned long long>(count));
  }
  __device__ bool is_urgent(std::uint32_t bit) const { return bit < layout_.first_inside_bit(); }
  /// Called by one lane.
  __device__ void set_bit(std::uint32_t bit) const {
    if (is_urgent(bit)) atomicAdd(&task_.counters[0].urgent, 1ull);
    // What the work depends on is visible before its bit.
    DeviceAtomic(open_bits()[bit / 32]).fetch_or(1u << bit % 32, ::cuda::memory_order_release);
  }
  /// Called by one lane.
  __device__ void clear_bit(std::uint32_t bit) const {
    atomicAnd(&open_bits()[bit / 32], ~(1u << bit % 32));
    if (is_urgent(bit)) atomicAdd(&task_.counters[0].urgent, ~0ull);
  }

  /// Takes a chunk of open work. False if all were taken.
  __device__ bool take_of(std::uint32_t bit, WarpChunk& found) const {
    const std::uint32_t lines = layout_.first_lines_bit();
    const std::uint32_t insides = layout_.first_inside_bit();
    const std::uint32_t tiles = layout_.first_tiles_bit();
    const bool of_region = bit < lines || (bit >= insides && bit < tiles);
    std::uint32_t chunks = 0;
    std::uint32_t* tickets = nullptr;
    if (of_region) {
      found.region = regions_.at(bit < lines ? bit : bit - insides + layout_.upper);
      found.part = bit < lines ? Part::kBorder : Part::kInside;
      chunks = bit < lines ? regions_.children() * border_chunks(task_.cut, found.region.level + 1)
                           : chunks_of(inside_of(found.region.pixels).area());
      tickets = &state_of(found.region).taken;
    } else {
      const std::uint32_t number = bit - (bit < insides ? lines : tiles);
      found.region = regions_.at(layout_.upper + number / layout_.panels_of_leaf);
      found.panel = number % layout_.panels_of_leaf;
      found.part = bit < insides ? Part::kLines : Part::kTiles;
      const Region& leaf = found.region.pixels;
      PanelState& panel = state_of(found.region, found.panel);
      if (bit >= insides) __threadfence();  // the panel's tiles were written before its bit
      chunks = chunks_of(bit < insides ? PanelLines(leaf, panel_at(leaf, found.panel)).size()
                                       : __ldcg(&panel.pixels));
      tickets = bit < insides ? &panel.lines_taken : &panel.pixels_taken;
    }
    found.chunk = add_one(tickets);
    if (found.chunk >= chunks) return false;
    if (found.chunk + 1 == chunks && lane() == 0) {
      clear_bit(bit);
      if (found.part != Part::kLines) finish_regions(1);  // a panel's tiles follow from its lines
    }
    if (found.part == Part::kBorder) {
      found.region = regions_.child_of(found.region, found.chunk % regions_.children());
      found.chunk /= regions_.children();
    }
    return true;
  }

  __device__ void finish_border(const WarpChunk& work, std::uint32_t lanes, std::uint32_t dwell) const {
    using State = RegionState;
    const Region& region = work.region.pixels;
    if (lanes == 0) {  // this region's border has fewer chunks than the largest one's
      if (work.chunk == 0 && lane() == 0) finish_regions(1);
      return;
    }
    const bool computed = (lanes >> lane() & 1) != 0;
    const std::uint32_t first_dwell = __shfl_sync(kAll, dwell, 0);
    const std::uint32_t next = __shfl_down_sync(kAll, dwell, 1);
    const bool differ = __any_sync(kAll, computed && dwell != first_dwell);
    const bool changes = computed && lane() < 31 && (lanes >> (lane() + 1) & 1) != 0 && dwell != next;
    const std::uint32_t all_changes = __popc(__ballot_sync(kAll, changes));
    const bool fills = __any_sync(kAll, computed && may_fill(task_.fill, dwell, task_.limit));
    std::uint32_t flags = differ ? State::kDiffers : 0;
    if (work.chunk == 0) {
      flags |= State::kBegun;
      if (layout_.panels_of_leaf != 0 && fills && all_changes * kPixelsOfChange <= __popc(lanes))
        flags |= State::kTiles;
    }
    std::uint32_t& state = state_of(work.region).border;
    std::uint32_t before = 0;
    if (lane() == 0 && flags != 0) before = atomicOr(&state, flags);
    before = __shfl_sync(kAll, before, 0);
    bool opens = State::is_open(before | flags) && !State::is_open(before);
    const std::uint32_t all = add_released(state, 1) + 1;
    const bool is_last = (all & State::kChunks) == chunks_of(border_size(region));
    if (is_last) __threadfence();
    if (is_last && (all & State::kDiffers) == 0) {
      // Each chunk is uniform, so that the first pixels of all chunks decide.
      const std::uint32_t first = dwell_of(border_pixel(region, 0));
      bool uniform = may_fill(task_.fill, first, task_.limit);
      for (std::uint32_t i = lane() * 32; i < border_size(region); i += 32 * 32)
        uniform = uniform && dwell_of(border_pixel(region, i)) == first;
      opens = !__all_sync(kAll, uniform);
      if (!opens) fill(work.region, first);
    }
    if (opens) open(work.region, (all & State::kTiles) != 0);
    if ((all & State::kTiles) == 0 || !is_last_level(work.region)) return;
    const std::uint32_t events = opens + (is_last && ((all & State::kDiffers) != 0 || opens));
    if (events == 0 || inside_of(region).empty()) return;
    for (std::uint32_t panel = 0; panel < panels_of(region); ++panel) add_events(work.region, panel, events);
  }

  __device__ void fill(const WarpRegion& region, std::uint32_t dwell) const {
    const Region inside = inside_of(region.pixels);
    fill_rectangle(task_.image, inside, dwell, lane(), 32);
    if (lane() != 0) return;
    LevelCounters& counters = task_.counters[region.level];
    atomicAdd(&counters.filled, 1ull);
    atomicAdd(&counters.filled_pixels, 0ull + inside.area());
    list_region(task_.list, region.pixels, region.level, RegionKind::kFill);
    finish_regions(1);
  }

  /// Makes a region a split or a leaf, whose work other warps then take.
  __device__ void open(const WarpRegion& region, bool by_tiles) const {
    if (lane() != 0) return;
    LevelCounters& counters = task_.counters[region.level];
    const bool leaf = is_last_level(region);
    atomicAdd(leaf ? &counters.leaves : &counters.splits, 1ull);
    list_region(task_.list, region.pixels, region.level, leaf ? RegionKind::kLeaf : RegionKind::kSplit);
    if (!leaf) {
      finish_regions(-static_cast<long long>(regions_.children()));
      set_bit(region.number);
    } else if (inside_of(region.pixels).empty()) {
      finish_regions(1);
    } else if (!by_tiles) {
      set_bit(layout_.first_inside_bit() + region.number - layout_.upper);
    } else {
      const std::uint32_t panels = panels_of(region.pixels);
      finish_regions(1 - static_cast<long long>(panels));
      for (std::uint32_t panel = 0; panel < panels; ++panel) {
        if (PanelLines(region.pixels, panel_at(region.pixels, panel)).size() != 0)
          set_bit(layout_.first_lines_bit() + panel_number(region, panel));
      }
    }
  }

  /// Counts events of a panel. After the last one all pixels around its tiles are known.
  __device__ void add_events(const WarpRegion& leaf, std::uint32_t panel, std::uint32_t events) const {
    const Region pixels = panel_at(leaf.pixels, panel);
    const std::uint32_t most = chunks_of(PanelLines(leaf.pixels, pixels).size()) + 2;
    if (add_released(state_of(leaf, panel).events, events) + events < most) return;
    __threadfence();
    close_tiles(leaf, panel, pixels);
  }

  /// Fills the tiles with a uniform border; the others are work to take.
  __device__ void close_tiles(const WarpRegion& leaf, std::uint32_t panel, const Region& pixels) const {
    const std::uint32_t tiles = tiles_on(pixels.width) * tiles_on(pixels.height);
    unsigned long long open = 0;
    std::uint32_t open_pixels = 0;
    std::uint32_t filled_pixels = 0;
    for (std::uint32_t i = 0; i < tiles; ++i) {
      const Region tile = tile_at(pixels, i);
      const Region inside = inside_of(tile);
      if (inside.empty()) continue;
      const auto area = static_cast<std::uint32_t>(inside.area());
      const std::uint32_t dwell = dwell_of(border_pixel(tile, lane() < border_size(tile) ? lane() : 0));
      const std::uint32_t first = __shfl_sync(kAll, dwell, 0);
      if (__all_sync(kAll, dwell == first) && may_fill(task_.fill, first, task_.limit)) {
        for (std::uint32_t k = lane(); k < area; k += 32) {
          const Coord32 pixel = pixel_in_rows(inside, k);
          task_.image.at(pixel.x, pixel.y) = first;
        }
        filled_pixels += area;
      } else {
        open |= 1ull << i;
        open_pixels += area;
      }
    }
    if (lane() != 0) return;
    atomicAdd(&task_.counters[leaf.level].filled_pixels, 0ull + filled_pixels);
    if (open == 0) return finish_regions(1);
    PanelState& state = state_of(leaf, panel);
    state.open = open;
    state.pixels = open_pixels;
    set_bit(layout_.first_tiles_bit() + panel_number(leaf, panel));
  }

  __device__ std::uint32_t dwell_of(Coord32 pixel) const { return __ldcg(&task_.image.at(pixel.x, pixel.y)); }

  const DwellTask<Evaluator, Dwell>& task_;
  const AskTables& tables_;
  const WarpTables& layout_;
  WarpRegions regions_;
};

template <typename Evaluator, typename Dwell>
__global__ void LOOM_ASK_WARP_BOUNDS(Evaluator)
    ask_warps_kernel(const __grid_constant__ DwellTask<Evaluator, Dwell> task,
                     const __grid_constant__ AskTables tables, const __grid_constant__ WarpTables layout) {
  // The work of each warp is in shared memory while pixels are computed, which needs the registers.
  __shared__ WarpChunk works[kAskWarps];
  WarpChunk& work = works[threadIdx.x / 32];
  const AskWarp warp(task, tables, layout);
  const std::uint64_t number = blockIdx.x * kAskWarps + threadIdx.x / 32;
  auto near = static_cast<std::uint32_t>(number * (layout.bits() - layout.first_inside_bit()) /
                                         (gridDim.x * kAskWarps));
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
  const WarpTables layout(task.cut, launch.max_regions, task.optimisations.tiles);
  LOOM_CUDA(cudaMemsetAsync(tables.warp_tables, 0, layout.words() * sizeof(std::uint64_t), stream.get()));
  int resident = 0;
  LOOM_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, ask_warps_kernel<Evaluator, Dwell>,
                                                          static_cast<int>(kAskWarpThreads), 0));
  const std::uint64_t pixels = largest_region(task.cut, 0).area() * layout.first;
  const std::uint64_t needed = (pixels + kAskWarpThreads - 1) / kAskWarpThreads;
  const auto most = static_cast<std::uint64_t>(std::max(1, resident) * launch.multiprocessors);
  const auto blocks = static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, most));
  ask_warps_kernel<<<blocks, kAskWarpThreads, 0, stream.get()>>>(task, tables, layout);
  LOOM_CUDA(cudaGetLastError());
  slices.note_launch();
}

}  // namespace loom::cuda
