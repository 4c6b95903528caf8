#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/plain_region_block.cuh"
#include "compute/cuda/mandelbrot/region/region_block.cuh"
#include "compute/cuda/mandelbrot/region/region_parts.h"

namespace loom::cuda {

/// In the image: a border pixel that early stop has skipped. Above every dwell.
inline constexpr std::uint32_t kSkippedPixel = 0xffffffff;

/// The work of one thread block on regions for evaluators that compute a pixel as a whole: with early stop
/// and tiles, in 32 bits. All threads must call together, with the same arguments. kBorderKnown: the dwells
/// of borders are in the image.
template <typename Evaluator, typename Dwell, bool kBorderKnown = false>
class EvaluatorRegionBlock : public RegionBase<Evaluator, Dwell> {
  static_assert(sizeof(Dwell) == sizeof(std::uint32_t));
  using Base = RegionBase<Evaluator, Dwell>;
  using Base::border_pixels_;
  using Base::filled_pixels_;
  using Base::leaf_pixels_;
  using Base::rank_;
  using Base::task_;
  using Base::threads_;

 public:
  struct Space : RegionAtWork {
    static constexpr std::uint32_t kMaxOpen = (kPanel / kTile) * (kPanel / kTile) * (kTile - 1) * (kTile - 1);
    std::uint32_t reference;       ///< the dwell of the border's first pixel
    std::uint32_t open_count;      ///< pixels in tiles that are not filled
    std::uint16_t open[kMaxOpen];  ///< their positions in the panel, y * kPanel + x
  };
  __device__ EvaluatorRegionBlock(const DwellTask<Evaluator, Dwell>& task, Space& space)
      : Base(task), space_(space) {}

  /// Computes the border, and counts and lists the region. Returns its outcome; `dwell` is then the fill
  /// value. With early stop, each thread takes a contiguous stretch of the border, so that a round's pixels
  /// are spread over all of it, and the first round with another dwell is the last one.
  __device__ RegionKind explore(const Region& region, std::uint32_t level, std::uint32_t& dwell) {
    const bool early = task_.optimisations.early_stop && !kBorderKnown;
    const std::uint32_t size = border_size(region);
    const std::uint32_t rounds = (size + threads_ - 1) / threads_;
    bool uniform = true;
    std::uint32_t round = 0;
    while (round < rounds && (uniform || !early)) {
      const std::uint32_t i = early ? rank_ * rounds + round : round * threads_ + rank_;
      const bool mine = i < size;
      std::uint32_t found = dwell;
      if (mine) {
        const Coord32 pixel = border_pixel(region, i);
        if constexpr (kBorderKnown) {
          found = task_.image.at(pixel.x, pixel.y);
        } else {
          found = compute(pixel.x, pixel.y);
        }
        ++border_pixels_;
      }
      if (round == 0) {
        if (i == 0) space_.reference = found;
        __syncthreads();
        dwell = space_.reference;
      }
      uniform = __syncthreads_or(mine && found != dwell) == 0 && uniform;
      ++round;
    }
    for (; round < rounds; ++round) {
      const std::uint32_t i = rank_ * rounds + round;
      if (i >= size) continue;
      const Coord32 pixel = border_pixel(region, i);
      task_.image.at(pixel.x, pixel.y) = kSkippedPixel;
    }
    __syncthreads();
    return this->conclude(region, level, uniform, dwell);
  }

  /// Computes the pixels of a leaf that explore() left.
  __device__ void compute_leaf(const Region& leaf) {
    for (std::uint32_t y = 0; y < leaf.height; y += kPanel) {
      for (std::uint32_t x = 0; x < leaf.width; x += kPanel) compute_panel(leaf, x, y);
    }
  }

  /// Computes the panel of a leaf that begins at (x, y) in the leaf.
  __device__ void compute_panel(const Region& leaf, std::uint32_t x, std::uint32_t y) {
    const Region panel{leaf.x + x, leaf.y + y, min(kPanel, leaf.width - x), min(kPanel, leaf.height - y)};
    if (!task_.optimisations.tiles) {
      const std::uint32_t count = panel.width * panel.height;
      for (std::uint32_t i = rank_; i < count; i += threads_) {
        const std::uint32_t row = i / panel.width;
        compute_open(leaf, panel.x + i - row * panel.width, panel.y + row, false);
      }
      return;
    }
    if (rank_ == 0) space_.open_count = 0;
    const std::uint32_t columns = tiles_on(panel.width);
    const std::uint32_t rows = tiles_on(panel.height);
    // The lines across, then the pixels between them on the lines down.
    const std::uint32_t across = (rows + 1) * panel.width;
    const std::uint32_t lines = across + (panel.height - rows - 1) * (columns + 1);
    for (std::uint32_t i = rank_; i < lines; i += threads_) {
      if (i < across) {
        const std::uint32_t row = i / panel.width;
        compute_open(leaf, panel.x + i - row * panel.width, panel.y + tile_line(panel.height, row), true);
      } else {
        const std::uint32_t between = (i - across) / (columns + 1);
        const std::uint32_t column = i - across - between * (columns + 1);
        compute_open(leaf, panel.x + tile_line(panel.width, column),
                     panel.y + between + between / (kTile - 1) + 1, true);
      }
    }
    __syncthreads();
    close_tiles(panel, columns * rows);
    __syncthreads();
    for (std::uint32_t i = rank_; i < space_.open_count; i += threads_) {
      const std::uint32_t position = space_.open[i];
      compute(panel.x + position % kPanel, panel.y + position / kPanel);
      ++leaf_pixels_;
    }
    __syncthreads();
  }

 private:
  __device__ std::uint32_t compute(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t dwell = task_.grid.dwell_unless_long(x, y, task_.limit);
    task_.image.at(x, y) = dwell;
    return dwell;
  }

  /// Computes and counts a pixel of a leaf unless the leaf's border has its dwell.
  __device__ void compute_open(const Region& leaf, std::uint32_t x, std::uint32_t y, bool on_line) {
    const bool bordering = this->on_border(leaf, x, y);
    if (bordering && task_.image.at(x, y) != kSkippedPixel) return;
    compute(x, y);
    (bordering || on_line ? border_pixels_ : leaf_pixels_) += 1;
  }

  /// Fills the tiles with a uniform border and lists the pixels of the others; one warp processes a tile.
  __device__ void close_tiles(const Region& panel, std::uint32_t tiles) {
    const std::uint32_t lane = rank_ % 32;
    for (std::uint32_t i = rank_ / 32; i < tiles; i += threads_ / 32) {
      const Region tile = tile_at({0, 0, panel.width, panel.height}, i);
      const Region inside = inside_of(tile);
      if (inside.empty()) continue;
      const Coord32 pixel = border_pixel(tile, lane < border_size(tile) ? lane : 0);
      const std::uint32_t dwell = task_.image.at(panel.x + pixel.x, panel.y + pixel.y);
      const std::uint32_t first = __shfl_sync(0xffffffffu, dwell, 0);
      const bool uniform =
          __all_sync(0xffffffffu, dwell == first) && may_fill(task_.fill, first, task_.limit);
      const std::uint32_t area = inside.width * inside.height;
      std::uint32_t slot = 0;
      if (lane == 0 && !uniform) slot = atomicAdd(&space_.open_count, area);
      slot = __shfl_sync(0xffffffffu, slot, 0);
      if (lane == 0 && uniform) filled_pixels_ += area;
      for (std::uint32_t k = lane; k < area; k += 32) {
        const std::uint32_t row = k / inside.width;
        const std::uint32_t column = inside.x + k - row * inside.width;
        if (uniform) {
          task_.image.at(panel.x + column, panel.y + inside.y + row) = first;
        } else {
          space_.open[slot + k] = static_cast<std::uint16_t>((inside.y + row) * kPanel + column);
        }
      }
    }
  }

  Space& space_;
};

/// The thread block with all optimisations, and that of the published form, for an evaluator.
template <typename Evaluator, typename Dwell, bool kBorderKnown, bool kKnowsPoint>
struct RegionBlocks {
  using Optimised = RegionBlock<Evaluator, Dwell, kBorderKnown>;
  using Published = PlainRegionBlock<Evaluator, Dwell, kBorderKnown>;
};
template <typename Evaluator, typename Dwell, bool kBorderKnown>
struct RegionBlocks<Evaluator, Dwell, kBorderKnown, false> {
  using Optimised = EvaluatorRegionBlock<Evaluator, Dwell, kBorderKnown>;
  using Published = Optimised;
};
template <typename Evaluator, typename Dwell, bool kBorderKnown = false>
using OptimisedBlock =
    typename RegionBlocks<Evaluator, Dwell, kBorderKnown, Evaluator::kKnowsPoint>::Optimised;
template <typename Evaluator, typename Dwell, bool kBorderKnown = false>
using PublishedBlock =
    typename RegionBlocks<Evaluator, Dwell, kBorderKnown, Evaluator::kKnowsPoint>::Published;

}  // namespace loom::cuda
