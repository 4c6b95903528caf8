#pragma once

#include <cstdint>

#include "compute/geometry/stored_cells.h"
#include "compute/workload/larger_rows.h"

namespace loom::cuda {

/// A launch of Larger than Life in bit rows. A thread goes down one column of kWords half words, in a strip
/// of some rows; columns that are next to each other are threads of the same warp.
struct RowStrips {
  std::uint64_t width = 1;            ///< points of a row
  std::uint64_t height = 1;           ///< rows
  std::uint64_t pitch = 1;            ///< half words of a row
  FastDivisor<std::uint64_t> across;  ///< columns
  std::uint32_t rows = 1;             ///< of a strip
  std::uint64_t threads = 1;

  RowStrips(const BitRows& of, std::uint32_t words, std::uint32_t strip)
      : width(of.width),
        height(of.height),
        pitch(2 * of.pitch),
        across(2 * of.pitch / words),
        rows(strip),
        threads(across.value() * ((of.height + strip - 1) / strip)) {}
};

/// Bits of half words, kWords of them, with one on either side.
template <int kWords>
struct RowPart {
  std::uint32_t left = 0;
  std::uint32_t own[kWords] = {};
  std::uint32_t right = 0;

  __device__ __forceinline__ void load_own(const std::uint32_t* at) {
    if constexpr (kWords == 2) {
      const uint2 both = __ldg(reinterpret_cast<const uint2*>(at));
      own[0] = both.x;
      own[1] = both.y;
    } else {
#pragma unroll
      for (int w = 0; w < kWords; ++w) own[w] = __ldg(at + w);
    }
  }
  __device__ __forceinline__ void load(const std::uint32_t* at, bool has_left, bool has_right) {
    load_own(at);
    left = has_left ? __ldg(at - 1) : 0;
    right = has_right ? __ldg(at + kWords) : 0;
  }
  /// The points from kRadius to the left of the own ones on.
  template <int kRadius>
  __device__ __forceinline__ void from_left(std::uint32_t (&words)[kWords + 1]) const {
    std::uint32_t before = left;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      words[w] = __funnelshift_r(before, own[w], 32 - kRadius);
      before = own[w];
    }
    words[kWords] = __funnelshift_r(before, right, 32 - kRadius);
  }
};

/// `mask` has the points that are cells; null where all points are.
template <int kRadius, int kWords>
__global__ void __launch_bounds__(128)
    larger_rows_kernel(const __grid_constant__ RowStrips strips, const std::uint32_t* __restrict__ now,
                       const std::uint32_t* __restrict__ mask, std::uint32_t* __restrict__ next,
                       const __grid_constant__ LargeMasks rule, std::uint32_t first_block) {
  constexpr int kLength = 2 * kRadius + 1;
  using Part = RowPart<kWords>;
  const std::uint64_t thread = std::uint64_t{first_block + blockIdx.x} * blockDim.x + threadIdx.x;
  if (thread >= strips.threads) return;
  std::uint64_t column = thread;
  const auto strip = static_cast<std::int64_t>(strips.across.divide(thread));
  column -= static_cast<std::uint64_t>(strip) * strips.across.value();
  const bool has_left = column > 0;
  const bool has_right = column + 1 < strips.across.value();
  const std::int64_t first = strip * strips.rows;
  const std::int64_t end = min(first + strips.rows, static_cast<std::int64_t>(strips.height));
  const auto pitch = static_cast<std::int64_t>(strips.pitch);
  const std::int64_t offset = static_cast<std::int64_t>(column) * kWords;

  std::uint32_t points[kWords];
  if (mask != nullptr) {
    std::uint32_t any = 0;
    for (std::int64_t y = first; y < end; ++y) {
#pragma unroll
      for (int w = 0; w < kWords; ++w) any |= __ldg(mask + y * pitch + offset + w);
    }
    // No cells: the words are always empty in both generations.
    if (!__any_sync(__activemask(), any != 0)) return;
  } else {
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      const std::uint64_t x = 32 * (static_cast<std::uint64_t>(offset) + w);
      points[w] = x + 32 <= strips.width ? ~0u : x < strips.width ? (1u << (strips.width - x)) - 1 : 0;
    }
  }

  std::uint32_t counts[kWords][kBoxPlanes<kRadius>] = {};
  // What a row needs is loaded while the row above is processed.
  Part came, left, here, cells;
  const auto load = [&](std::int64_t y) {
    const std::uint32_t* const row = now + y * pitch + offset;
    came = {};
    left = {};
    if (y + kRadius < static_cast<std::int64_t>(strips.height) && y + kRadius >= 0)
      came.load(row + kRadius * pitch, has_left, has_right);
    if (y > first && y > kRadius) left.load(row - (kRadius + 1) * pitch, has_left, has_right);
    if (y < first || y >= end) return;
    here.load_own(row);
    if (mask != nullptr) cells.load_own(mask + y * pitch + offset);
  };
  std::int64_t y = first - 2 * kRadius;
  load(y);
  for (; y < end; ++y) {
    std::uint32_t more[kWords + 1];
    std::uint32_t less[kWords + 1];
    came.template from_left<kRadius>(more);
    left.template from_left<kRadius>(less);
    const Part alive = here;
    const Part present = cells;
    load(y + 1);
    RowChanges<std::uint32_t, kWords + 1, kLength> changes;
    sum_changes<kLength>(more, less, changes);
#pragma unroll
    for (int w = 0; w < kWords; ++w) add_changes(changes, w, counts[w]);
    if (y < first) continue;
    std::uint32_t* const to = next + y * pitch + offset;
    std::uint32_t words[kWords];
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
      words[w] =
          next_large_word(rule, alive.own[w], counts[w]) & (mask != nullptr ? present.own[w] : points[w]);
    }
    if constexpr (kWords == 2) {
      *reinterpret_cast<uint2*>(to) = {words[0], words[1]};
    } else {
#pragma unroll
      for (int w = 0; w < kWords; ++w) to[w] = words[w];
    }
  }
}

}  // namespace loom::cuda
