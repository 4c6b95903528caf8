#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/dwell_task.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/mandelbrot/region.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom::cuda {

/// Threads of the largest block.
inline constexpr unsigned kMaxRegionThreads = 1024;

/// Steps after which a pixel that has not escaped is put aside, to run on in a full warp of such pixels.
inline constexpr std::uint32_t kFirstSteps = 32;

/// Stands for a dwell above kFirstSteps that is not known yet. A dwell of 65535 looks the same: it is then
/// computed once more, to the same result.
inline constexpr std::uint32_t kUnfinished = 0xffff;

/// Shared memory of a block that works on regions.
struct RegionSpace {
  std::uint16_t dwells[kPanel * kPanel];  ///< of the panel at work
  std::uint16_t open[kPanel * kPanel];    ///< positions in it that tiles left open
  std::uint16_t late[kPanel * kPanel];    ///< positions that ran past kFirstSteps
  std::uint32_t open_count;
  std::uint32_t late_count;
  std::uint32_t first_dwell;  ///< of the border's first pixel, or kUnfinished
  std::uint32_t late_dwell;   ///< its dwell, where first_dwell is kUnfinished
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

/// The whole dwell. Kept out of line: it is called from many places, and one copy stays in the instruction
/// cache.
template <typename Real>
__device__ __noinline__ std::uint32_t whole_dwell(Real re, Real im, std::uint32_t limit, bool periodicity) {
  const Complex<Real> c{re, im};
  return periodicity ? dwell_with_periodicity(c, limit) : dwell(c, limit);
}

/// One block's work on regions, by all of its threads together: every member function that is not marked
/// otherwise must be called by all, with the same arguments. Counts gather by thread until flush().
template <typename Real, typename Dwell>
class RegionBlock {
 public:
  __device__ RegionBlock(const DwellTask<Real, Dwell>& task, RegionSpace& space)
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
      finish_border(region);
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
    if (rank_ == 0) space_.open_count = space_.late_count = 0;
    __syncthreads();
    if (task_.ideas.tiles) {
      compute_lines(leaf, panel);
      finish_late(panel);
      close_tiles(panel);
      __syncthreads();
      compute_open(panel);
    } else {
      for (std::uint32_t i = rank_; i < panel.width * panel.height; i += threads_) {
        const std::uint32_t row = i / panel.width;
        compute_inside(leaf, panel, i - row * panel.width, row);
      }
    }
    finish_late(panel);
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
  /// By one thread.
  __device__ std::uint32_t dwell_at(std::uint32_t x, std::uint32_t y) const {
    const Complex<Real> c = task_.grid.at(x, y);
    return whole_dwell(c.re, c.im, task_.limit, task_.ideas.periodicity);
  }

  /// By one thread: the dwell, or kUnfinished where it takes long and is to be put aside.
  __device__ std::uint32_t dwell_or_unfinished(std::uint32_t x, std::uint32_t y) const {
    if (!task_.ideas.regroup) return dwell_at(x, y);
    const Complex<Real> c = task_.grid.at(x, y);
    const std::uint32_t end = min(task_.limit, kFirstSteps);
    const std::uint32_t count = continue_dwell(c, c, 0, end);
    return count == end && end < task_.limit ? kUnfinished : count;
  }

  /// Returns whether the border has one dwell. It is computed in rounds of a pixel a thread, each thread
  /// along its own stretch, so that a round's pixels lie all around.
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
      std::uint32_t found = 0;
      if (mine) {
        found = early ? dwell_or_unfinished(pixel.x, pixel.y) : dwell_at(pixel.x, pixel.y);
        task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(found);
        ++border_pixels_;
      }
      if (i == 0) space_.first_dwell = found;
      __syncthreads();
      bool differs = __syncthreads_or(mine && found != space_.first_dwell);
      if (!differs && space_.first_dwell == kUnfinished) {
        // All ran long: nothing is known yet.
        if (mine) {
          found = dwell_at(pixel.x, pixel.y);
          task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(found);
        }
        if (i == 0) space_.late_dwell = found;
        __syncthreads();
        differs = __syncthreads_or(mine && found != space_.late_dwell);
      }
      uniform = uniform && !differs;
      if (early && !uniform) return false;
    }
    dwell = space_.first_dwell == kUnfinished ? space_.late_dwell : space_.first_dwell;
    return uniform;
  }

  /// The rounds that were saved by stopping early.
  __device__ void finish_border(const Region& region) {
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    for (; border_rounds_ < rounds; ++border_rounds_) {
      const std::uint32_t i = rank_ * rounds + border_rounds_;
      if (i >= size) continue;
      const Coord32 pixel = border_pixel(region, i);
      task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(dwell_or_unfinished(pixel.x, pixel.y));
      ++border_pixels_;
    }
    __syncthreads();
  }

  /// By one thread: keeps a dwell, or puts its position aside.
  __device__ void keep(std::uint32_t position, std::uint32_t dwell) {
    space_.dwells[position] = static_cast<std::uint16_t>(dwell);
    if (dwell == kUnfinished)
      space_.late[append_slot(&space_.late_count)] = static_cast<std::uint16_t>(position);
  }

  __device__ static bool on_border(const Region& region, std::uint32_t x, std::uint32_t y) {
    return x == region.x || y == region.y || x + 1 == region.x + region.width ||
           y + 1 == region.y + region.height;
  }

  /// By one thread: a pixel of a panel without tiles.
  __device__ void compute_inside(const Region& leaf, const Region& panel, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t image_x = panel.x + x;
    const std::uint32_t image_y = panel.y + y;
    if (on_border(leaf, image_x, image_y)) {
      keep(y * kPanel + x, task_.image.at(image_x, image_y));
    } else {
      keep(y * kPanel + x, dwell_or_unfinished(image_x, image_y));
      ++leaf_pixels_;
    }
  }

  __device__ void compute_lines(const Region& leaf, const Region& panel) {
    const std::uint32_t columns = tiles_on(panel.width);
    const std::uint32_t rows = tiles_on(panel.height);
    const std::uint32_t in_rows = (rows + 1) * panel.width;
    const std::uint32_t all = in_rows + (panel.height - rows - 1) * (columns + 1);
    for (std::uint32_t i = rank_; i < all; i += threads_) {
      std::uint32_t x = 0;
      std::uint32_t y = 0;
      if (i < in_rows) {
        const std::uint32_t row = i / panel.width;
        x = i - row * panel.width;
        y = tile_line(panel.height, row);
      } else {
        // Between two lines that run across lie kTile - 1 rows, in the last tile perhaps fewer.
        const std::uint32_t between = (i - in_rows) / (columns + 1);
        x = tile_line(panel.width, i - in_rows - between * (columns + 1));
        y = between + between / (kTile - 1) + 1;
      }
      const std::uint32_t image_x = panel.x + x;
      const std::uint32_t image_y = panel.y + y;
      if (on_border(leaf, image_x, image_y)) {
        keep(y * kPanel + x, task_.image.at(image_x, image_y));
      } else {
        keep(y * kPanel + x, dwell_or_unfinished(image_x, image_y));
        ++border_pixels_;
      }
    }
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

  __device__ void compute_open(const Region& panel) {
    const std::uint32_t count = space_.open_count;
    for (std::uint32_t i = rank_; i < count; i += threads_) {
      const std::uint32_t position = space_.open[i];
      keep(position, dwell_or_unfinished(panel.x + position % kPanel, panel.y + position / kPanel));
      ++leaf_pixels_;
    }
  }

  /// Computes what was put aside, in full warps. Barriers before and after.
  __device__ void finish_late(const Region& panel) {
    __syncthreads();
    const std::uint32_t count = space_.late_count;
    for (std::uint32_t i = rank_; i < count; i += threads_) {
      const std::uint32_t position = space_.late[i];
      space_.dwells[position] =
          static_cast<std::uint16_t>(dwell_at(panel.x + position % kPanel, panel.y + position / kPanel));
    }
    __syncthreads();
    if (rank_ == 0) space_.late_count = 0;
    __syncthreads();
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
  RegionSpace& space_;
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
