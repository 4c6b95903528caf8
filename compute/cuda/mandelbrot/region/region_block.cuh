#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// Threads of the largest block.
inline constexpr unsigned kMaxRegionThreads = 1024;

/// Steps after which orbits that have not ended are put aside and gathered into full warps, once and once
/// more: most orbits near the set end soon, and a few run to the limit.
inline constexpr std::uint32_t kFirstSteps = 64;
inline constexpr std::uint32_t kSecondSteps = 192;

/// Stand for a dwell that is not known yet: of an orbit that was given up after kFirstSteps, and of one that
/// was not begun. Dwells of 65535 and 65534 look the same: they are computed once more, to the same result.
inline constexpr std::uint32_t kUnfinished = 0xffff;
inline constexpr std::uint32_t kUnstarted = 0xfffe;

/// Orbits put aside, as many as fit; those that do not are run to their end at once.
template <typename Real>
struct LateOrbits {
  static constexpr std::uint32_t kCapacity = 8192 / sizeof(Complex<Real>);
  Complex<Real> z[kCapacity];
  std::uint16_t position[kCapacity];  ///< in the panel
  std::uint32_t count;                ///< may pass kCapacity
};

/// Shared memory of a block that works on regions.
template <typename Real>
struct RegionSpace {
  std::uint16_t dwells[kPanel * kPanel];  ///< of the panel at work
  std::uint16_t open[kPanel * kPanel];    ///< positions in it that tiles left open
  std::uint32_t open_count;
  Real re[kPanel];  ///< the points of the panel's columns and rows
  Real im[kPanel];
  LateOrbits<Real> late[2];    ///< after kFirstSteps, after kSecondSteps
  std::uint32_t reference[2];  ///< of the border's first pixel: its dwell or kUnfinished, then its dwell
  Region region;
  Coord32 place;
  unsigned long long index;
};

/// The next free slot of a list, for each of the threads that call this together: one atomic for all of them.
__device__ __forceinline__ std::uint32_t append_slot(std::uint32_t* count) {
  const unsigned together = __activemask();
  const unsigned lane = (threadIdx.y * blockDim.x + threadIdx.x) % 32;
  const int leader = __ffs(static_cast<int>(together)) - 1;
  std::uint32_t first = 0;
  if (static_cast<int>(lane) == leader) first = atomicAdd(count, __popc(together));
  return __shfl_sync(together, first, leader) + __popc(together & ((1u << lane) - 1));
}

/// One block's work on regions, by all of its threads together: every member function that is not marked
/// otherwise must be called by all, with the same arguments. Counts gather by thread until flush().
template <typename Real, typename Dwell>
class RegionBlock {
 public:
  __device__ RegionBlock(const DwellTask<Real, Dwell>& task, RegionSpace<Real>& space)
      : task_(task),
        space_(space),
        rank_(threadIdx.y * blockDim.x + threadIdx.x),
        threads_(blockDim.x * blockDim.y) {}

  __device__ std::uint32_t rank() const { return rank_; }
  __device__ std::uint32_t threads() const { return threads_; }

  /// Computes the border, and counts and lists the region. Returns what is to become of it; `dwell` is then
  /// the one to fill with. Of a leaf the border is in the image, where some dwells may be kUnfinished.
  __device__ RegionKind explore(const Region& region, std::uint32_t level, std::uint32_t& dwell) {
    const bool uniform = compute_border(region, dwell);
    RegionKind kind = RegionKind::kSplit;
    if (uniform && may_fill(task_.fill, dwell, task_.limit)) {
      kind = RegionKind::kFill;
      filled_pixels_ += rank_ == 0 ? inside_of(region).area() : 0;
    } else if (level + 1 == task_.cut.levels) {
      kind = RegionKind::kLeaf;
      mark_unstarted(region);
    }
    filled_ += kind == RegionKind::kFill;
    leaves_ += kind == RegionKind::kLeaf;
    splits_ += kind == RegionKind::kSplit;
    if (rank_ == 0 && task_.list.regions != nullptr) {
      const unsigned long long slot = atomicAdd(task_.list.count, 1ull);
      task_.list.regions[slot] = {
          region.x, region.y, region.width, region.height, static_cast<std::uint16_t>(level), kind};
    }
    return kind;
  }

  /// Writes a dwell to all pixels of a rectangle.
  __device__ void fill(const Region& region, std::uint32_t dwell) {
    constexpr std::uint32_t kInVector = sizeof(uint4) / sizeof(Dwell);
    const auto value = static_cast<Dwell>(dwell);
    const std::uint32_t pair = sizeof(Dwell) == 2 ? dwell * 0x10001u : dwell;
    const uint4 vector{pair, pair, pair, pair};
    // As many lanes take a row as have a vector in it, up to a warp.
    std::uint32_t lanes = 1;
    while (lanes < 32 && lanes * kInVector < region.width) lanes *= 2;
    const std::uint32_t lane = rank_ % lanes;
    for (std::uint32_t y = rank_ / lanes; y < region.height; y += threads_ / lanes) {
      Dwell* row = &task_.image.at(region.x, region.y + y);
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

  /// Computes what explore() left of a leaf.
  __device__ void compute_leaf(const Region& leaf) {
    for (std::uint32_t y = 0; y < leaf.height; y += kPanel) {
      for (std::uint32_t x = 0; x < leaf.width; x += kPanel) compute_panel(leaf, x, y);
    }
  }

  /// Computes the panel of a leaf that begins at (x, y) within it.
  __device__ void compute_panel(const Region& leaf, std::uint32_t x, std::uint32_t y) {
    const Region panel{leaf.x + x, leaf.y + y, min(kPanel, leaf.width - x), min(kPanel, leaf.height - y)};
    if (rank_ == 0) space_.open_count = space_.late[0].count = space_.late[1].count = 0;
    for (std::uint32_t i = rank_; i < kPanel; i += threads_) {
      space_.re[i] = task_.grid.re.at(panel.x + i);
      space_.im[i] = task_.grid.im.at(panel.y + i);
    }
    __syncthreads();
    if (task_.ideas.tiles) {
      compute_pixels(Pixels::kLines, leaf, panel);
      close_tiles(panel);
      __syncthreads();
      compute_pixels(Pixels::kOpen, leaf, panel);
    } else {
      compute_pixels(Pixels::kAll, leaf, panel);
    }
    write_panel(panel);
    __syncthreads();
  }

  /// Adds this block's counts to the level's.
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

 private:
  /// By one thread: goes on with an orbit; returns whether it has ended, at the latest where end is the
  /// limit.
  __device__ bool run(Orbit<Real>& orbit, Complex<Real> c, std::uint32_t end) const {
    if (task_.ideas.regroup || task_.ideas.periodicity) {
      return run_orbit(orbit, c, end, task_.limit, task_.ideas.periodicity);
    }
    orbit.count = continue_dwell(orbit.z, c, orbit.count, task_.limit);
    return true;
  }

  /// Returns whether the border has one dwell. It is computed in rounds of a pixel a thread, each thread
  /// along its own stretch, so that a round's pixels lie all around. With early stop a round is first run for
  /// kFirstSteps: where some orbits have ended and some have not, that is a difference already.
  __device__ bool compute_border(const Region& region, std::uint32_t& dwell) {
    const bool early = task_.ideas.early_stop;
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    bool uniform = true;
    for (border_rounds_ = 0; border_rounds_ < rounds;) {
      const std::uint32_t round = border_rounds_++;
      const std::uint32_t i = rank_ * rounds + round;
      const bool mine = i < size;
      const Coord32 pixel = border_pixel(region, mine ? i : 0);
      const Complex<Real> c = task_.grid.at(pixel.x, pixel.y);
      Orbit<Real> orbit{c, 0};
      bool ended = !mine;  // threads without a pixel only keep the others company
      bool differs = false;
      border_pixels_ += mine;
      std::uint32_t end = early ? min(task_.limit, kFirstSteps) : task_.limit;
      for (int go = 0;; ++go) {
        if (!ended) ended = run(orbit, c, end);
        // An orbit found to run in a circle counts as unfinished too: it does not differ from a slower one.
        const bool open = end < task_.limit && (!ended || orbit.count == task_.limit);
        const std::uint32_t found = open ? kUnfinished : orbit.count;
        if (i == 0) space_.reference[go] = found;
        __syncthreads();
        differs = __syncthreads_or(mine && found != space_.reference[go]);
        if (mine) task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(found);
        if (differs || space_.reference[go] != kUnfinished || end == task_.limit) break;
        end = task_.limit;
      }
      uniform = uniform && !differs;
      if (early && !uniform) return false;
    }
    dwell = space_.reference[0] == kUnfinished && early ? space_.reference[1] : space_.reference[0];
    return uniform;
  }

  /// The border's pixels that were spared by stopping early are left to the panels.
  __device__ void mark_unstarted(const Region& region) {
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    for (; border_rounds_ < rounds; ++border_rounds_) {
      const std::uint32_t i = rank_ * rounds + border_rounds_;
      if (i >= size) continue;
      const Coord32 pixel = border_pixel(region, i);
      task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(kUnstarted);
    }
    __syncthreads();
  }

  __device__ static bool on_border(const Region& region, std::uint32_t x, std::uint32_t y) {
    return x == region.x || y == region.y || x + 1 == region.x + region.width ||
           y + 1 == region.y + region.height;
  }

  /// Which pixels of a panel.
  enum class Pixels {
    kAll,
    kLines,  ///< those of the tiles' lines
    kOpen,   ///< those that are listed as open
  };

  __device__ std::uint32_t number_of(Pixels pixels, const Region& panel) const {
    if (pixels == Pixels::kAll) return panel.width * panel.height;
    if (pixels == Pixels::kOpen) return space_.open_count;
    const std::uint32_t rows = tiles_on(panel.height) + 1;
    return rows * panel.width + (panel.height - rows) * (tiles_on(panel.width) + 1);
  }

  /// By one thread: where pixel i of them lies in the panel, y * kPanel + x.
  __device__ std::uint32_t position_of(Pixels pixels, const Region& panel, std::uint32_t i) const {
    if (pixels == Pixels::kOpen) return space_.open[i];
    const std::uint32_t row = i / panel.width;
    const std::uint32_t column = i - row * panel.width;
    if (pixels == Pixels::kAll) return row * kPanel + column;
    const std::uint32_t rows = tiles_on(panel.height) + 1;
    if (row < rows) return tile_line(panel.height, row) * kPanel + column;
    // Between two lines that run across lie kTile - 1 rows, in the last tile perhaps fewer.
    const std::uint32_t columns = tiles_on(panel.width) + 1;
    const std::uint32_t rest = i - rows * panel.width;
    const std::uint32_t between = rest / columns;
    return (between + between / (kTile - 1) + 1) * kPanel + tile_line(panel.width, rest - between * columns);
  }

  /// By one thread: whether the pixel has its dwell already, from the leaf's border; if not, it is counted.
  __device__ bool is_known(Pixels pixels, const Region& leaf, const Region& panel, std::uint32_t position) {
    const std::uint32_t x = panel.x + position % kPanel;
    const std::uint32_t y = panel.y + position / kPanel;
    const bool bordering = pixels != Pixels::kOpen && on_border(leaf, x, y);
    const std::uint32_t held = bordering ? task_.image.at(x, y) : kUnstarted;
    if (held < kUnstarted) {
      space_.dwells[position] = static_cast<std::uint16_t>(held);
      return true;
    }
    const bool counts = held == kUnstarted;
    (bordering || pixels == Pixels::kLines ? border_pixels_ : leaf_pixels_) += counts;
    return false;
  }

  /// Computes pixels of a panel: all for kFirstSteps, those that have not ended for kSecondSteps in warps
  /// that are full again, and what is left to the end likewise. A barrier at the end.
  __device__ void compute_pixels(Pixels pixels, const Region& leaf, const Region& panel) {
    const bool regroup = task_.ideas.regroup;
    for (int go = 0; go < (regroup ? 3 : 1); ++go) {
      const std::uint32_t steps = go == 0 ? kFirstSteps : kSecondSteps;
      const std::uint32_t end = go == 2 || !regroup ? task_.limit : min(task_.limit, steps);
      const std::uint32_t count =
          go == 0 ? number_of(pixels, panel) : min(space_.late[go - 1].count, LateOrbits<Real>::kCapacity);
      for (std::uint32_t i = rank_; i < count; i += threads_) {
        const std::uint32_t position =
            go == 0 ? position_of(pixels, panel, i) : space_.late[go - 1].position[i];
        if (go == 0 && is_known(pixels, leaf, panel, position)) continue;
        const Complex<Real> c{space_.re[position % kPanel], space_.im[position / kPanel]};
        // Orbits are put aside after the same number of steps, a multiple of kStride.
        Orbit<Real> orbit{c, 0};
        if (go > 0) orbit = {space_.late[go - 1].z[i], go == 1 ? kFirstSteps : kSecondSteps};
        for (std::uint32_t until = end; !run(orbit, c, until); until = task_.limit) {
          if (until == task_.limit) break;
          LateOrbits<Real>& late = space_.late[go];
          const std::uint32_t slot = append_slot(&late.count);
          if (slot >= LateOrbits<Real>::kCapacity) continue;
          late.z[slot] = orbit.z;
          late.position[slot] = static_cast<std::uint16_t>(position);
          orbit.count = kUnfinished;
          break;
        }
        space_.dwells[position] = static_cast<std::uint16_t>(orbit.count);
      }
      __syncthreads();
    }
    if (rank_ == 0) space_.late[0].count = space_.late[1].count = 0;
    __syncthreads();
  }

  /// Fills the tiles with one dwell around them; lists the pixels of the others. A warp takes a tile, a lane
  /// a pixel of its border: there are at most 32.
  __device__ void close_tiles(const Region& panel) {
    static_assert(4 * kTile <= 32);
    const std::uint32_t columns = tiles_on(panel.width);
    const std::uint32_t tiles = columns * tiles_on(panel.height);
    const std::uint32_t lane = rank_ % 32;
    for (std::uint32_t i = rank_ / 32; i < tiles; i += threads_ / 32) {
      const std::uint32_t row = i / columns;
      const std::uint32_t column = i - row * columns;
      const std::uint32_t x = tile_line(panel.width, column);
      const std::uint32_t y = tile_line(panel.height, row);
      const Region tile{x, y, tile_line(panel.width, column + 1) - x + 1,
                        tile_line(panel.height, row + 1) - y + 1};
      const Region inside = inside_of(tile);
      if (inside.empty()) continue;
      const Coord32 pixel = border_pixel(tile, lane < border_size(tile) ? lane : 0);
      const std::uint32_t dwell = space_.dwells[pixel.y * kPanel + pixel.x];
      const std::uint32_t first = __shfl_sync(0xffffffffu, dwell, 0);
      const bool uniform =
          __all_sync(0xffffffffu, dwell == first) && may_fill(task_.fill, first, task_.limit);
      const std::uint32_t area = inside.width * inside.height;
      std::uint32_t slot = 0;
      if (lane == 0 && !uniform) slot = atomicAdd(&space_.open_count, area);
      slot = __shfl_sync(0xffffffffu, slot, 0);
      if (lane == 0 && uniform) filled_pixels_ += area;
      for (std::uint32_t k = lane; k < area; k += 32) {
        const std::uint32_t v = k / inside.width;
        const std::uint32_t position = (inside.y + v) * kPanel + inside.x + k - v * inside.width;
        if (uniform) {
          space_.dwells[position] = static_cast<std::uint16_t>(first);
        } else {
          space_.open[slot + k] = static_cast<std::uint16_t>(position);
        }
      }
    }
  }

  __device__ void write_panel(const Region& panel) {
    for (std::uint32_t y = rank_ / 32; y < panel.height; y += threads_ / 32) {
      Dwell* row = &task_.image.at(panel.x, panel.y + y);
      for (std::uint32_t x = rank_ % 32; x < panel.width; x += 32) {
        row[x] = static_cast<Dwell>(space_.dwells[y * kPanel + x]);
      }
    }
  }

  __device__ static void add_warp_sum(unsigned long long* total, unsigned long long value) {
    for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffffffffu, value, lanes);
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0 && value != 0) atomicAdd(total, value);
  }

  const DwellTask<Real, Dwell>& task_;
  RegionSpace<Real>& space_;
  std::uint32_t rank_;
  std::uint32_t threads_;
  std::uint32_t border_rounds_ = 0;
  std::uint32_t border_pixels_ = 0;
  std::uint32_t leaf_pixels_ = 0;
  unsigned long long filled_pixels_ = 0;
  std::uint32_t filled_ = 0;
  std::uint32_t leaves_ = 0;
  std::uint32_t splits_ = 0;
};

}  // namespace loom::cuda
