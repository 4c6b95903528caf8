#pragma once

#include <cstdint>

#include "compute/workload/larger_life.h"

namespace loom::cuda {

// Neighbours of a tile's cells from its box as rows of bits in shared memory (larger_life.h). All 32 lanes of
// a warp must take part, with the same arguments except `lane`.

/// The box of a tile: bit x of row y is 1 for a living cell. Then its first rows are what the rule makes of
/// the cells of the tile's rows, as states_of().
struct RowBox {
  static constexpr std::uint32_t kPitch = 18;  ///< lanes on neighbouring rows use different banks
  std::uint64_t rows[kMaxBoxSide];
  std::uint16_t counts[32 * kPitch];  ///< Counting::kTensor: of 16 columns
};

/// Writes what becomes of a row of cells. `row` is that of the box with the cells themselves. With two states
/// both halves say which cells live next, whatever they are now.
__device__ __forceinline__ void write_states(RowBox& box, std::uint32_t lane, const LargeRule& rule,
                                             std::uint64_t row, std::uint64_t states) {
  if (rule.rule.states == 2) {
    const auto alive = static_cast<std::uint32_t>(row >> rule.rule.larger.radius);
    const auto born = static_cast<std::uint32_t>(states);
    const auto stays = static_cast<std::uint32_t>(states >> 32);
    const std::uint32_t living = (alive & stays) | (~alive & born);
    states = living | std::uint64_t{living} << 32;
  }
  __syncwarp();  // all lanes have read the rows
  box.rows[lane] = states;
  __syncwarp();
}

/// The counts of the rows `by` <= 32 further down. A lane has the rows `lane` and `lane` + 32.
struct RowsBelow {
  const BoxCounts& near;
  const BoxCounts& far;
  std::uint32_t lane;
  std::uint32_t by;
  __device__ __forceinline__ std::uint32_t of_near(int plane) const {
    if (by == 0) return near.planes[plane];
    if (by == 32) return far.planes[plane];
    const std::uint32_t within = __shfl_sync(~0u, near.planes[plane], lane + by);
    const std::uint32_t beyond = __shfl_sync(~0u, far.planes[plane], lane + by);
    return lane + by < 32 ? within : beyond;
  }
  __device__ __forceinline__ std::uint32_t of_far(int plane) const {
    const std::uint32_t within = __shfl_sync(~0u, far.planes[plane], lane + by);
    return lane + by < 32 ? within : 0;
  }
};

/// Counts of 32 cells are added bit by bit: along each row first, then down the rows by shuffles, in windows
/// of 1, 2, 4, ... rows.
__device__ __forceinline__ void count_in_bits(RowBox& box, std::uint32_t height, std::uint32_t lane,
                                              const LargeRule& rule) {
  const std::uint32_t length = 2 * rule.rule.larger.radius + 1;
  const auto row_at = [&](std::uint32_t y) {
    const RowCounts counts = count_in_row(y < height ? box.rows[y] : 0, length);
    BoxCounts wide;
#pragma unroll
    for (int i = 0; i < 6; ++i) wide.planes[i] = counts.planes[i];
    return wide;
  };
  BoxCounts near = row_at(lane);
  BoxCounts far = row_at(lane + 32);
  BoxCounts counts;
  std::uint32_t counted = 0;
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    constexpr int kOfRow = 6;
    const std::uint32_t size = 1u << j;
    if (length & size) {
      const RowsBelow below{near, far, lane, counted};
      add_counts<11>(counts, [&](int i) { return i < kOfRow + j ? below.of_near(i) : 0; });
      counted += size;
    }
    if (length < 2 * size) break;
    const BoxCounts before_near = near;
    const BoxCounts before_far = far;
    const RowsBelow below{before_near, before_far, lane, size};
    add_counts<11>(near, [&](int i) { return i < kOfRow + j ? below.of_near(i) : 0; });
    add_counts<11>(far, [&](int i) { return i < kOfRow + j ? below.of_far(i) : 0; });
  }
  write_states(box, lane, rule, box.rows[lane + rule.rule.larger.radius], states_of(rule, counts));
}

/// Four bits as four bytes, 0 or 1.
__device__ __forceinline__ std::uint32_t bytes_of(std::uint64_t bits) {
  return (static_cast<std::uint32_t>(bits) & 15u) * 0x00204081u & 0x01010101u;
}

/// D += A B of 16 x 32 and 32 x 8 bytes, with the fragments of mma.m16n8k32: in units of four bytes along k,
/// lane 4 g + q has A's rows g and g + 8 and B's column g, there the units q and q + 4; and of D the columns
/// 2 q and 2 q + 1 of the rows g and g + 8.
__device__ __forceinline__ void multiply_bytes(std::int32_t (&d)[4], const std::uint32_t (&a)[4],
                                               const std::uint32_t (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
#pragma unroll
  for (int part = 0; part < 4; ++part) {
    const int half = part % 2;  // of the rows
    asm("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%1}, {%2}, {%3}, {%0,%1};"
        : "+r"(d[2 * half]), "+r"(d[2 * half + 1])
        : "r"(a[part]), "r"(b[part / 2]));
  }
#endif
}

/// The same for a tile of side.x x side.y points on tensor cores. With the box X, one row of bytes per row of
/// points, and band matrices of ones B, the counts are the transpose of (B X^T) B^T: the first product sums
/// along the rows, the second one down the columns. As bytes and in transposed form the result of the first
/// has the fragments that the second one needs, up to an order of its terms that B^T follows.
__device__ __forceinline__ void count_by_products(RowBox& box, Coord32 side, std::uint32_t lane,
                                                  const LargeRule& rule) {
  const LargerThanLife& larger = rule.rule.larger;
  const std::uint32_t radius = larger.radius;
  const std::uint32_t width = side.x + 2 * radius;
  const std::uint32_t height = side.y + 2 * radius;
  const std::uint64_t ones = (std::uint64_t{2} << 2 * radius) - 1;  // a window, at point 0
  const std::uint32_t g = lane / 4;
  const std::uint32_t q = lane % 4;
  std::uint64_t states = 0;
  for (std::uint32_t left = 0; left < side.x; left += 16) {
    std::int32_t boxes[4][4] = {};  // counts of points x = left + g and 8 further, by rows
    for (std::uint32_t top = 0; top < height; top += 32) {
      std::int32_t rows[4][4] = {};
      for (std::uint32_t from = 0; from < width; from += 32) {
        const std::uint64_t low = ones << (left + g) >> (from + 4 * q);
        const std::uint64_t high = ones << (left + g + 8) >> (from + 4 * q);
        const std::uint32_t band[4] = {bytes_of(low), bytes_of(high), bytes_of(low >> 16),
                                       bytes_of(high >> 16)};
#pragma unroll
        for (std::uint32_t n = 0; n < 4; ++n) {
          const std::uint32_t y = top + 8 * n + g;
          const std::uint64_t points = (y < height ? box.rows[y] : 0) >> (from + 4 * q);
          const std::uint32_t x[2] = {bytes_of(points), bytes_of(points >> 16)};
          multiply_bytes(rows[n], band, x);
        }
      }
      std::uint32_t sums[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int n = i / 2 * 2;
        const int half = i % 2 * 2;
        sums[i] = static_cast<std::uint32_t>(rows[n][half] | rows[n][half + 1] << 8 |
                                             rows[n + 1][half] << 16 | rows[n + 1][half + 1] << 24);
      }
#pragma unroll
      for (std::uint32_t n = 0; n < 4; ++n) {
        const std::uint64_t window = ones << (8 * n + g) >> (top + 2 * q);
        const auto pairs = [&](std::uint32_t at) {
          return (window >> at & 3) | (window >> (at + 8) & 3) << 2;
        };
        const std::uint32_t band[2] = {bytes_of(pairs(0)), bytes_of(pairs(16))};
        multiply_bytes(boxes[n], sums, band);
      }
    }
#pragma unroll
    for (std::uint32_t n = 0; n < 4; ++n) {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i)
        box.counts[(8 * n + 2 * q + i % 2) * RowBox::kPitch + g + i / 2 * 8] =
            static_cast<std::uint16_t>(boxes[n][i]);
    }
    __syncwarp();
#pragma unroll 4
    for (std::uint32_t x = 0; x < 16; ++x) {
      const std::uint32_t living = box.counts[lane * RowBox::kPitch + x];
      if (larger.birth.has(living)) states |= std::uint64_t{1} << (left + x);
      if (larger.survival.has(living - (larger.middle ? 0 : 1)))
        states |= std::uint64_t{1} << (left + x + 32);
    }
    __syncwarp();
  }
  write_states(box, lane, rule, box.rows[lane + radius], states);
}

}  // namespace loom::cuda
