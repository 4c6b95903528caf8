#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/region/region_spans.cuh"

namespace loom::cuda {

/// Records the cost of each first region: the cycles that thread blocks spent on it and on its descendants,
/// including the influence of other work on their multiprocessors.
struct RegionCosts {
  std::uint32_t* costs = nullptr;  ///< one per first region, row by row; in kUnit cycles
  std::uint32_t columns = 1;       ///< first regions per row
  static constexpr int kUnit = 6;  ///< 64 cycles: 32 bits hold minutes

  class OfBlock : public NoRegionSpans::OfBlock {
   public:
    __device__ __forceinline__ OfBlock(const RegionCosts& to, std::uint32_t rank) : to_(to), rank_(rank) {}
    /// The thread block begins a region of a level with `parts` regions on each axis; all its threads have
    /// finished the previous one.
    __device__ __forceinline__ void at(Coord32 place, std::uint32_t parts) {
      if (rank_ != 0) return;
      note();
      const std::uint32_t of_first = parts / to_.columns;
      first_ = place.y / of_first * to_.columns + place.x / of_first;
      begin_ = clock64();
    }
    /// All of its threads have finished the last region.
    __device__ __forceinline__ void leave() {
      if (rank_ == 0) note();
    }

   private:
    static constexpr std::uint32_t kNone = ~0u;
    __device__ __forceinline__ void note() {
      if (first_ == kNone) return;
      atomicAdd(to_.costs + first_, static_cast<std::uint32_t>((clock64() - begin_) >> kUnit) + 1);
      first_ = kNone;
    }
    const RegionCosts& to_;
    std::uint32_t rank_;
    std::uint32_t first_ = kNone;
    long long begin_ = 0;
  };
  __device__ __forceinline__ OfBlock of_block(std::uint64_t, std::uint32_t, std::uint32_t rank) const {
    return {*this, rank};
  }
};

}  // namespace loom::cuda
