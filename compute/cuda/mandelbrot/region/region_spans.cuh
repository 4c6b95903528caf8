#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/cuda/timeline/span_recorder.cuh"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::cuda {

// The span recorders of thread blocks that process regions: none, or each stage of each region.

__device__ __forceinline__ SpanWork work_of(RegionKind kind) {
  if (kind == RegionKind::kFill) return SpanWork::kFill;
  return kind == RegionKind::kLeaf ? SpanWork::kLeaf : SpanWork::kSplit;
}

/// Records nothing; its calls compile to nothing.
struct NoRegionSpans {
  struct OfBlock {
    __device__ __forceinline__ void begin(SpanWork) {}
    __device__ __forceinline__ void next(SpanWork) {}
    __device__ __forceinline__ void wait() {}
    __device__ __forceinline__ void finish() {}
    __device__ __forceinline__ void end() {}
    __device__ __forceinline__ void at(Coord32, std::uint32_t) {}
    __device__ __forceinline__ void leave() {}
  };
  __device__ __forceinline__ OfBlock of_block(std::uint64_t, std::uint32_t, std::uint32_t) const {
    return {};
  }
};

/// Records spans in the order in which they end.
struct RegionSpans {
  RecordingView to;
  std::uint32_t parent = kNoParent;  ///< the span that launched this grid from the device
  std::uint16_t launch = 0;

  class OfBlock {
   public:
    __device__ __forceinline__ OfBlock(const RegionSpans& spans, std::uint64_t block, std::uint32_t level,
                                       std::uint32_t rank)
        : spans_(spans), block_(block), level_(static_cast<std::uint16_t>(level)), rank_(rank) {}

    __device__ __forceinline__ void begin(SpanWork work) {
      if (rank_ != 0) return;
      work_ = work;
      begin_ = global_timer();
    }
    /// Called after all threads have passed a barrier: ends the current span and begins another.
    __device__ __forceinline__ void next(SpanWork work) {
      if (rank_ != 0) return;
      const std::uint64_t now = global_timer();
      write(now);
      work_ = work;
      begin_ = now;
    }
    /// All threads of the thread block must take part: later calls come after all threads have arrived here.
    __device__ __forceinline__ void wait() { __syncthreads(); }
    /// Called by one thread or more, including the one of rank 0: ends the span.
    __device__ __forceinline__ void finish() {
      if (rank_ == 0) write(global_timer());
    }
    /// wait() and finish().
    __device__ __forceinline__ void end() {
      wait();
      finish();
    }
    __device__ __forceinline__ void at(Coord32, std::uint32_t) {}
    __device__ __forceinline__ void leave() {}
    /// Called by the thread of rank 0, between begin() or next() and end(): the recorder for a grid that this
    /// span launches.
    __device__ __forceinline__ RegionSpans under(const RegionSpans& spans, std::uint16_t launch) {
      reserve();
      return {spans.to, slot_ < spans.to.most ? static_cast<std::uint32_t>(slot_) : kNoParent, launch};
    }

   private:
    static constexpr unsigned long long kNoSlot = ~0ull;
    __device__ __forceinline__ void reserve() {
      if (slot_ == kNoSlot) slot_ = atomicAdd(spans_.to.count, 1ull);
    }
    __device__ __forceinline__ void write(std::uint64_t end) {
      const std::uint32_t worker = multiprocessor();
      add_to_worker(spans_.to, worker, begin_, end);
      reserve();
      if (slot_ < spans_.to.most) {
        spans_.to.spans[slot_] = {begin_,        end,           block_, worker,
                                  spans_.parent, spans_.launch, level_, static_cast<std::uint32_t>(work_)};
      }
      slot_ = kNoSlot;
    }

    const RegionSpans& spans_;
    std::uint64_t block_;
    std::uint64_t begin_ = 0;
    unsigned long long slot_ = kNoSlot;
    std::uint16_t level_;
    std::uint32_t rank_;
    SpanWork work_ = SpanWork::kBorder;
  };
  __device__ __forceinline__ OfBlock of_block(std::uint64_t block, std::uint32_t level,
                                              std::uint32_t rank) const {
    return {*this, block, level, rank};
  }
};

/// The recorder of a kernel: its last parameter if it is a RegionSpans, otherwise none.
__device__ __forceinline__ NoRegionSpans spans_of() {
  return {};
}
__device__ __forceinline__ const RegionSpans& spans_of(const RegionSpans& spans) {
  return spans;
}

}  // namespace loom::cuda
