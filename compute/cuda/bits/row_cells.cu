#include <algorithm>

#include "compute/cuda/bits/larger_rows.cuh"
#include "compute/cuda/bits/row_cells.h"
#include "compute/cuda/launch.cuh"
#include "compute/engine/pixel_lookup.h"
#include "compute/workload/cell_work.h"
#include "compute/workload/life_rows.h"

namespace loom::cuda {
namespace {

constexpr unsigned kThreads = 256;
/// Steps per word (LaunchSlices): nine words are read and combined, or its points are processed one by one.
constexpr std::uint64_t kStepsOfWord = 32;
constexpr std::uint64_t kStepsOfPoints = 512;

/// The row and the index in the row of a word, by its number.
struct RowPlace {
  std::uint64_t y = 0;
  std::uint64_t i = 0;
};
__device__ __forceinline__ RowPlace row_place_of(FastDivisor<std::uint64_t> pitch, std::uint64_t word) {
  const std::uint64_t y = pitch.divide(word);
  return {y, word - y * pitch.value()};
}

__device__ __forceinline__ RowWords words_around(const std::uint64_t* row, std::uint64_t i,
                                                 std::uint64_t pitch) {
  return row_words(i > 0 ? __ldg(row + i - 1) : 0, __ldg(row + i), i + 1 < pitch ? __ldg(row + i + 1) : 0);
}

__global__ void __launch_bounds__(kThreads)
    step_rows_kernel(BitRows rows, FastDivisor<std::uint64_t> pitch, const std::uint64_t* __restrict__ now,
                     const std::uint64_t* __restrict__ mask, std::uint64_t* __restrict__ next,
                     const __grid_constant__ RuleMasks rule, std::uint32_t first_block) {
  const std::uint64_t w = std::uint64_t{first_block + blockIdx.x} * kThreads + threadIdx.x;
  if (w >= rows.words()) return;
  const std::uint64_t points = __ldg(mask + w);
  if (points == 0) {
    // No cells: the word is always empty in both generations.
    return;
  }
  const RowPlace at = row_place_of(pitch, w);
  const std::uint64_t* const here = now + at.y * rows.pitch;
  const RowWords above = at.y > 0 ? words_around(here - rows.pitch, at.i, rows.pitch) : RowWords{};
  const RowWords below =
      at.y + 1 < rows.height ? words_around(here + rows.pitch, at.i, rows.pitch) : RowWords{};
  next[w] = next_row_word(rule, above, words_around(here, at.i, rows.pitch), below, points);
}

__global__ void single_write_rows_kernel(BitRows rows, FastDivisor<std::uint64_t> pitch,
                                         const std::uint64_t* __restrict__ mask,
                                         std::uint64_t* __restrict__ next, std::uint32_t generation,
                                         std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t w = first + grid_thread(); w < end; w += grid_stride()) {
    const RowPlace at = row_place_of(pitch, w);
    std::uint64_t word = 0;
    for (std::uint64_t points = mask[w]; points != 0; points &= points - 1) {
      const int bit = __ffsll(static_cast<long long>(points)) - 1;
      const Coord64 point{at.i * 64 + static_cast<std::uint64_t>(bit), at.y};
      word |= std::uint64_t{single_write_value(point, generation)} << bit;
    }
    next[w] = word;
  }
}

__global__ void reduce_rows_kernel(BitRows rows, FastDivisor<std::uint64_t> pitch,
                                   const std::uint64_t* __restrict__ now, unsigned long long* sum,
                                   std::uint64_t first, std::uint64_t end) {
  unsigned long long found = 0;
  for (std::uint64_t w = first + grid_thread(); w < end; w += grid_stride()) {
    const RowPlace at = row_place_of(pitch, w);
    for (std::uint64_t points = now[w]; points != 0; points &= points - 1) {
      const int bit = __ffsll(static_cast<long long>(points)) - 1;
      found += reduction_value(Coord64{at.i * 64 + static_cast<std::uint64_t>(bit), at.y}, 1);
    }
  }
  for (int lanes = 16; lanes > 0; lanes /= 2) found += __shfl_down_sync(0xffffffffu, found, lanes);
  if (threadIdx.x % 32 == 0 && found) atomicAdd(sum, found);
}

__global__ void __launch_bounds__(kThreads)
    count_row_threads_kernel(BitRows rows, const std::uint64_t* __restrict__ mask,
                             unsigned long long* counts) {
  const std::uint64_t w = std::uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int active = __syncthreads_count(w < rows.words() && mask[w] != 0);
  if (threadIdx.x != 0) return;
  atomicAdd(&counts[0], static_cast<unsigned long long>(blockDim.x));
  atomicAdd(&counts[1], static_cast<unsigned long long>(active));
  atomicAdd(&counts[2], 1ull);
  if (active > 0) atomicAdd(&counts[3], 1ull);
}

/// One thread per word: its points from left to right, one pixel at a time.
__global__ void paint_rows_kernel(BitRows rows, FastDivisor<std::uint64_t> pitch,
                                  const std::uint64_t* __restrict__ now,
                                  const std::uint64_t* __restrict__ mask, DeviceViewport view,
                                  unsigned long long* counts, std::uint64_t first, std::uint64_t end) {
  const PixelAxis& columns = view.columns;
  for (std::uint64_t w = first + grid_thread(); w < end; w += grid_stride()) {
    const std::uint64_t points = mask[w];
    if (points == 0) continue;
    const RowPlace at = row_place_of(pitch, w);
    const PixelRange down = pixels_of(view.rows, static_cast<std::int64_t>(at.y));
    if (down.first == down.last) continue;
    const auto left = static_cast<std::int64_t>(at.i * 64);
    const std::uint64_t living = now[w];
    int column = left <= columns.edges[0] ? 0 : edges_up_to(columns, left) - 1;
    while (column > 0 && footprint_end(columns, column - 1) > left) --column;
    for (; column < columns.size && columns.edges[column] < left + 64; ++column) {
      const std::int64_t begin = max(columns.edges[column] - left, std::int64_t{0});
      const std::int64_t last = min(footprint_end(columns, column) - left, std::int64_t{64});
      if (last <= begin) continue;
      const std::uint64_t part = (~std::uint64_t{0} >> (64 - (last - begin))) << begin;
      const auto found = static_cast<unsigned long long>(__popcll(points & part));
      if (found == 0) continue;
      const unsigned long long value = (found << 32) + static_cast<unsigned>(__popcll(living & part));
      for (int row = down.first; row < down.last; ++row)
        atomicAdd(&counts[static_cast<std::uint64_t>(row) * columns.size + column], value);
    }
  }
}

__global__ void finish_row_pixels_kernel(const unsigned long long* __restrict__ counts, std::uint64_t area,
                                         std::uint16_t* __restrict__ pixels) {
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride())
    pixels[p] = density_value(counts[p] >> 32, counts[p] & 0xffffffffu);
}

unsigned blocks_for(const BitRows& rows) {
  return static_cast<unsigned>((rows.words() + kThreads - 1) / kThreads);
}

constexpr unsigned kLargerThreads = 128;
constexpr std::uint32_t kLargerWords = 2;

/// Rows of a strip. 2 * radius more are read than written, so that few strips are better, but they must have
/// enough thread blocks together, as many on each multiprocessor. Measured on an H200 (docs/results.md).
std::uint32_t strip_of(const BitRows& rows, std::uint32_t radius, std::uint32_t multiprocessors) {
  const std::uint32_t blocks = radius <= 4 ? 8 : radius <= 10 ? 4 : 2;  // of a multiprocessor
  const std::uint64_t across = 2 * rows.pitch / kLargerWords;
  const std::uint64_t strips =
      std::max<std::uint64_t>(1, std::uint64_t{blocks} * multiprocessors * kLargerThreads / across);
  const std::uint64_t even = (rows.height + strips - 1) / strips;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(even, std::max(4u, radius), 4096));
}

void step_larger_rows(const BitRows& rows, bool is_full, const std::uint64_t* now, const std::uint64_t* mask,
                      std::uint64_t* next, const LifeRule& rule, const LaunchSlices& slices,
                      const Stream& stream) {
  const RowStrips strips(rows, kLargerWords, strip_of(rows, rule.larger.radius, slices.multiprocessors));
  const std::uint64_t steps =
      std::uint64_t{kLargerThreads} * kStepsOfWord * (strips.rows + 2 * rule.larger.radius);
  with_radius(rule.larger.radius, [&](auto radius) {
    slices.each_block((strips.threads + kLargerThreads - 1) / kLargerThreads, steps,
                      [&](std::uint64_t first, std::uint64_t end) {
                        larger_rows_kernel<radius(), kLargerWords>
                            <<<static_cast<unsigned>(end - first), kLargerThreads, 0, stream.get()>>>(
                                strips, reinterpret_cast<const std::uint32_t*>(now),
                                is_full ? nullptr : reinterpret_cast<const std::uint32_t*>(mask),
                                reinterpret_cast<std::uint32_t*>(next), LargeMasks(rule),
                                static_cast<std::uint32_t>(first));
                        LOOM_CUDA(cudaGetLastError());
                      });
  });
}

}  // namespace

void step_rows(const BitRows& rows, bool is_full, const std::uint64_t* now, const std::uint64_t* mask,
               std::uint64_t* next, const LifeRule& rule, const LaunchSlices& slices, const Stream& stream) {
  if (rule.is_larger()) return step_larger_rows(rows, is_full, now, mask, next, rule, slices, stream);
  slices.each_block(blocks_for(rows), kThreads * kStepsOfWord, [&](std::uint64_t first, std::uint64_t end) {
    step_rows_kernel<<<static_cast<unsigned>(end - first), kThreads, 0, stream.get()>>>(
        rows, FastDivisor<std::uint64_t>(rows.pitch), now, mask, next, RuleMasks(rule),
        static_cast<std::uint32_t>(first));
    LOOM_CUDA(cudaGetLastError());
  });
}

void single_write_rows(const BitRows& rows, const std::uint64_t* mask, std::uint64_t* next,
                       std::uint32_t generation, const LaunchSlices& slices, const Stream& stream) {
  slices.each(rows.words(), kStepsOfPoints, [&](std::uint64_t first, std::uint64_t end) {
    launch_items(single_write_rows_kernel, end - first, stream, rows, FastDivisor<std::uint64_t>(rows.pitch),
                 mask, next, generation, first, end);
  });
}

void reduce_rows(const BitRows& rows, const std::uint64_t* now, unsigned long long* sum,
                 const LaunchSlices& slices, const Stream& stream) {
  LOOM_CUDA(cudaMemsetAsync(sum, 0, sizeof(*sum), stream.get()));
  slices.each(rows.words(), kStepsOfPoints, [&](std::uint64_t first, std::uint64_t end) {
    launch_items(reduce_rows_kernel, end - first, stream, rows, FastDivisor<std::uint64_t>(rows.pitch), now,
                 sum, first, end);
  });
}

void count_row_threads(const BitRows& rows, const std::uint64_t* mask, unsigned long long* counts,
                       const Stream& stream) {
  count_row_threads_kernel<<<blocks_for(rows), kThreads, 0, stream.get()>>>(rows, mask, counts);
  LOOM_CUDA(cudaGetLastError());
}

void paint_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask,
                const DeviceViewport& view, unsigned long long* counts, std::uint16_t* pixels,
                const LaunchSlices& slices, const Stream& stream) {
  const std::uint64_t area = static_cast<std::uint64_t>(view.columns.size) * view.rows.size;
  LOOM_CUDA(cudaMemsetAsync(counts, 0, area * sizeof(unsigned long long), stream.get()));
  slices.each(rows.words(), kStepsOfPoints, [&](std::uint64_t first, std::uint64_t end) {
    launch_items(paint_rows_kernel, end - first, stream, rows, FastDivisor<std::uint64_t>(rows.pitch), now,
                 mask, view, counts, first, end);
  });
  launch_items(finish_row_pixels_kernel, area, stream, counts, area, pixels);
}

}  // namespace loom::cuda
