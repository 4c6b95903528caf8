#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_base.cuh"

namespace loom::cuda {

/// The work of one thread block on regions in the published form: every pixel of a border, and of a leaf, by
/// one thread, from the first step to the last. It supports only the optimisations that need nothing of it:
/// `narrow`, `queue`, `join`, `mirror` and `interior`. It needs very little shared memory and therefore has a
/// kernel of its own. All threads must call together, with the same arguments. kBorderKnown: the dwells of
/// borders are in the image.
template <typename Evaluator, typename Dwell, bool kBorderKnown = false>
class PlainRegionBlock : public RegionBase<Evaluator, Dwell> {
  using Real = typename Evaluator::Value;

 public:
  struct Space : RegionAtWork {
    std::uint32_t reference;  ///< the dwell of the border's first pixel
  };
  __device__ PlainRegionBlock(const DwellTask<Evaluator, Dwell>& task, Space& space)
      : RegionBase<Evaluator, Dwell>(task), space_(space) {}

  /// Computes the border, and counts and lists the region. Returns its outcome; `dwell` is then the fill
  /// value.
  __device__ RegionKind explore(const Region& region, std::uint32_t level, std::uint32_t& dwell) {
    const std::uint32_t size = border_size(region);
    bool differs = false;
    std::uint32_t first = 0;
    for (std::uint32_t round = 0; round < size; round += this->threads_) {
      const std::uint32_t i = round + this->rank_;
      std::uint32_t found = first;
      if (i < size) {
        const Coord32 pixel = border_pixel(region, i);
        if constexpr (kBorderKnown) {
          found = this->task_.image.at(pixel.x, pixel.y);
        } else {
          found = dwell_at(this->task_.grid.at(pixel.x, pixel.y));
          this->task_.image.at(pixel.x, pixel.y) = static_cast<Dwell>(found);
        }
        ++this->border_pixels_;
      }
      if (round == 0) {
        if (i == 0) space_.reference = found;
        __syncthreads();
        first = space_.reference;
      }
      differs = differs || (i < size && found != first);
    }
    dwell = first;
    const bool uniform = __syncthreads_or(differs) == 0;
    return this->conclude(region, level, uniform, dwell);
  }

  /// Computes the inner pixels of a leaf.
  __device__ void compute_leaf(const Region& leaf) {
    for (std::uint32_t y = 0; y < leaf.height; y += kPanel) {
      for (std::uint32_t x = 0; x < leaf.width; x += kPanel) compute_panel(leaf, x, y);
    }
  }

  /// Computes the panel of a leaf that begins at (x, y) in the leaf.
  __device__ void compute_panel(const Region& leaf, std::uint32_t x, std::uint32_t y) {
    const std::uint32_t width = min(kPanel, leaf.width - x);
    const std::uint32_t count = width * min(kPanel, leaf.height - y);
    std::uint32_t column = ~0u;
    Real re = 0;
    for (std::uint32_t i = this->rank_; i < count; i += this->threads_) {
      const std::uint32_t row = i / width;
      const Coord32 pixel{leaf.x + x + i - row * width, leaf.y + y + row};
      if (this->on_border(leaf, pixel.x, pixel.y)) continue;
      if (pixel.x != column) re = this->task_.grid.re.at(column = pixel.x);  // usually unchanged
      this->task_.image.at(pixel.x, pixel.y) =
          static_cast<Dwell>(dwell_at(this->task_.grid.point_of({re, this->task_.grid.im.at(pixel.y)})));
      ++this->leaf_pixels_;
    }
  }

 private:
  __device__ std::uint32_t dwell_at(Complex<Real> c) const {
    return this->is_interior(c) ? this->task_.limit : this->task_.grid.plain_dwell(c, this->task_.limit);
  }

  Space& space_;
};

/// Whether the published form of the thread block suffices for a configuration, or is the only one:
/// RegionBlock keeps dwells in 16 bits.
template <typename Evaluator, typename Dwell>
bool is_plain_work(const DwellTask<Evaluator, Dwell>& task) {
  const MandelbrotOptimisations& optimisations = task.optimisations;
  if (task.limit > kMaxNarrowLimit) return true;
  return !(optimisations.early_stop || optimisations.periodicity || optimisations.tiles ||
           optimisations.regroup);
}

}  // namespace loom::cuda
