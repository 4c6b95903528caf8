#include <algorithm>

#include "compute/core/fast_divisor.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/resolve.h"
#include "compute/engine/density.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/geometry/storage.h"
#include "compute/map/loop_arithmetic.h"
#include "compute/map/thread_map.h"

namespace loom::cuda {
namespace {

/// A viewport in device memory.
struct DeviceViewport {
  PixelAxis columns;
  PixelAxis rows;
};

__device__ __forceinline__ std::int64_t footprint_end(const PixelAxis& axis, int pixel) {
  return max(axis.edges[pixel] + 1, axis.edges[pixel + 1]);
}

/// One thread a pixel: counts the cells under it.
template <typename Storage, typename Int>
__global__ void gather_pixels_kernel(const __grid_constant__ Storage storage, Int, DeviceViewport view,
                                     const std::uint8_t* __restrict__ cells,
                                     std::uint16_t* __restrict__ pixels) {
  const auto width = static_cast<std::int64_t>(storage.blocked.width);
  const auto height = static_cast<std::int64_t>(storage.blocked.height);
  const std::uint64_t area = static_cast<std::uint64_t>(view.columns.size) * view.rows.size;
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride()) {
    const int row = static_cast<int>(p / view.columns.size);
    const int column = static_cast<int>(p - static_cast<std::uint64_t>(row) * view.columns.size);
    const std::int64_t first_x = max(view.columns.edges[column], std::int64_t{0});
    const std::int64_t last_x = min(footprint_end(view.columns, column), width);
    const std::int64_t first_y = max(view.rows.edges[row], std::int64_t{0});
    const std::int64_t last_y = min(footprint_end(view.rows, row), height);
    std::uint32_t found = 0;
    std::uint32_t living = 0;
    for (std::int64_t y = first_y; y < last_y; ++y) {
      for (std::int64_t x = first_x; x < last_x; ++x) {
        const std::uint64_t at = storage.index_of({static_cast<Int>(x), static_cast<Int>(y)});
        if (at == kNoIndex) continue;
        ++found;
        living += cells[at];
      }
    }
    pixels[p] = density_value(found, living);
  }
}

/// Position `thread` of the block at compact coordinate `omega`, expanded coordinate `place`.
template <typename Int>
__device__ __forceinline__ std::uint64_t byte_in_block(const BlockedCompactStorage<Int>& storage,
                                                       Coord<Int> omega, Coord<Int>, std::uint32_t thread,
                                                       Coord32) {
  return storage.block_base(omega) + thread;
}
template <typename Int>
__device__ __forceinline__ std::uint64_t byte_in_block(const ExpandedStorage<Int>& storage, Coord<Int>,
                                                       Coord<Int> place, std::uint32_t, Coord32 t) {
  return storage.offset_of(cell_in_block(storage.blocked, place, t));
}

constexpr unsigned long long kOneCell = 1ull << 32;

/// Adds one cell to every pixel that covers it (several, where pixels are smaller than cells along one axis).
template <typename Int>
__device__ __forceinline__ void add_cell(const DeviceViewport& view, Coord<Int> cell, std::uint8_t alive,
                                         unsigned long long* counts) {
  const PixelRange columns = pixels_of(view.columns, static_cast<std::int64_t>(cell.x));
  if (columns.first == columns.last) return;
  const PixelRange rows = pixels_of(view.rows, static_cast<std::int64_t>(cell.y));
  for (int row = rows.first; row < rows.last; ++row) {
    for (int column = columns.first; column < columns.last; ++column) {
      atomicAdd(&counts[static_cast<std::uint64_t>(row) * view.columns.size + column], kOneCell + alive);
    }
  }
}

/// One warp a block of [first, last): where the whole block falls into one pixel it is summed in the warp and
/// added once.
template <typename Int, typename Storage>
__global__ void scatter_blocks_kernel(const __grid_constant__ LoopArithmetic<Int> arithmetic,
                                      const __grid_constant__ Storage storage,
                                      FastDivisor<std::uint64_t> orthotope_x,
                                      FastDivisor<std::uint32_t> rho_x, DeviceViewport view,
                                      std::uint64_t first, std::uint64_t last,
                                      const std::uint8_t* __restrict__ cells, unsigned long long* counts) {
  const BlockedFractal& fractal = storage.blocked;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::int64_t view_left = view.columns.edges[0];
  const std::int64_t view_top = view.rows.edges[0];
  const std::int64_t view_right = footprint_end(view.columns, view.columns.size - 1);
  const std::int64_t view_bottom = footprint_end(view.rows, view.rows.size - 1);
  for (std::uint64_t b = first + grid_thread() / 32; b < last; b += grid_stride() / 32) {
    const std::uint64_t row = orthotope_x.divide(b);
    const Coord<Int> omega{static_cast<Int>(b - row * orthotope_x.value()), static_cast<Int>(row)};
    const Coord<Int> place = arithmetic.lambda(omega);
    const auto left = static_cast<std::int64_t>(place.x * fractal.rho_x);
    const auto top = static_cast<std::int64_t>(place.y * fractal.rho_y);
    const std::int64_t right = left + fractal.rho_x - 1;
    const std::int64_t bottom = top + fractal.rho_y - 1;
    if (left >= view_right || right < view_left || top >= view_bottom || bottom < view_top) continue;

    // Four lanes look up the pixels of the block's four sides at once.
    PixelRange side{};
    if (lane < 2) side = pixels_of(view.columns, lane == 0 ? left : right);
    if (lane == 2 || lane == 3) side = pixels_of(view.rows, lane == 2 ? top : bottom);
    const bool one_pixel = side.last - side.first == 1;
    const int left_column = __shfl_sync(0xffffffffu, side.first, 0);
    const int right_column = __shfl_sync(0xffffffffu, side.first, 1);
    const int top_row = __shfl_sync(0xffffffffu, side.first, 2);
    const int bottom_row = __shfl_sync(0xffffffffu, side.first, 3);
    const bool whole = __all_sync(0xffffffffu, lane >= 4 || one_pixel) && left_column == right_column &&
                       top_row == bottom_row;
    std::uint32_t living = 0;
    for (std::uint32_t t = lane; t < fractal.block_area(); t += 32) {
      if (!fractal.micro_member(t)) continue;
      const std::uint32_t y = rho_x.divide(t);
      const Coord32 thread{t - y * fractal.rho_x, y};
      const std::uint8_t alive = cells[byte_in_block(storage, omega, place, t, thread)];
      if (whole) {
        living += alive;
      } else {
        add_cell(view, cell_in_block(fractal, place, thread), alive, counts);
      }
    }
    if (whole) {
      for (int lanes = 16; lanes > 0; lanes /= 2) living += __shfl_down_sync(0xffffffffu, living, lanes);
      if (lane == 0) {
        atomicAdd(&counts[static_cast<std::uint64_t>(top_row) * view.columns.size + left_column],
                  kOneCell * fractal.block_cells + living);
      }
    }
  }
}

/// One thread a position of the blocks, of [first, last); for blocks smaller than a warp.
template <typename Int, typename Storage>
__global__ void scatter_positions_kernel(const __grid_constant__ LoopArithmetic<Int> arithmetic,
                                         const __grid_constant__ Storage storage,
                                         FastDivisor<std::uint64_t> orthotope_x,
                                         FastDivisor<std::uint32_t> rho_x,
                                         FastDivisor<std::uint64_t> block_area, DeviceViewport view,
                                         std::uint64_t first, std::uint64_t last,
                                         const std::uint8_t* __restrict__ cells, unsigned long long* counts) {
  const BlockedFractal& fractal = storage.blocked;
  for (std::uint64_t p = first + grid_thread(); p < last; p += grid_stride()) {
    const std::uint64_t b = block_area.divide(p);
    const auto t = static_cast<std::uint32_t>(p - b * fractal.block_area());
    if (!fractal.micro_member(t)) continue;
    const std::uint64_t row = orthotope_x.divide(b);
    const Coord<Int> omega{static_cast<Int>(b - row * orthotope_x.value()), static_cast<Int>(row)};
    const Coord<Int> place = arithmetic.lambda(omega);
    const std::uint32_t y = rho_x.divide(t);
    const Coord32 thread{t - y * fractal.rho_x, y};
    add_cell(view, cell_in_block(fractal, place, thread),
             cells[byte_in_block(storage, omega, place, t, thread)], counts);
  }
}

__global__ void finish_pixels_kernel(const unsigned long long* __restrict__ counts, std::uint64_t area,
                                     std::uint16_t* __restrict__ pixels) {
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride()) {
    pixels[p] = density_value(counts[p] >> 32, counts[p] & 0xffffffffu);
  }
}

/// Positions that a watched call resolves between two waits, a few milliseconds.
constexpr std::uint64_t kSlice = std::uint64_t{1} << 30;

std::size_t area_of(const Viewport& viewport) {
  return static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height());
}

/// Calls `enqueue(first, last)` for the items [0, count): all at once, or watched slice by slice.
template <typename Enqueue>
void in_slices(std::uint64_t count, std::uint64_t slice, Watch* watch, const Stream& stream,
               const Enqueue& enqueue) {
  const WatchedCall call(watch, count);
  for (std::uint64_t first = 0; first < count;) {
    if (call.cancelled()) {
      stream.wait();  // the next call may change what is still being sent
      call.check();
    }
    const std::uint64_t size = call.watched() ? std::min(slice, count - first) : count;
    enqueue(first, first + size);
    first += size;
    if (first == count) return;
    stream.wait();
    call.advance(size);
  }
}

}  // namespace

void Resolver::reserve(const Viewport& viewport) {
  const std::size_t area = area_of(viewport);
  if (area == 0) return;
  const std::size_t edges = viewport.x_edges.size() + viewport.y_edges.size();
  pixels_.reserve(area);
  counts_.reserve(area);
  if (edges > edges_.size()) columns_sent_ = 0;
  edges_.reserve(edges);
  staging_.reserve(edges);
}

void Resolver::resolve(StorageLayout layout, const BlockedFractal& fractal, const std::uint8_t* cells,
                       const Viewport& viewport, Watch* watch, const Stream& stream) {
  const std::size_t area = area_of(viewport);
  if (area == 0) return;
  reserve(viewport);
  const std::size_t columns = viewport.x_edges.size();
  const std::size_t rows = viewport.y_edges.size();
  const bool sent = columns == columns_sent_ && rows == rows_sent_ &&
                    std::equal(viewport.x_edges.begin(), viewport.x_edges.end(), staging_.data()) &&
                    std::equal(viewport.y_edges.begin(), viewport.y_edges.end(), staging_.data() + columns);
  if (!sent) {
    std::copy(viewport.x_edges.begin(), viewport.x_edges.end(), staging_.data());
    std::copy(viewport.y_edges.begin(), viewport.y_edges.end(), staging_.data() + columns);
    LOOM_CUDA(cudaMemcpyAsync(edges_.data(), staging_.data(), (columns + rows) * sizeof(std::int64_t),
                              cudaMemcpyHostToDevice, stream.get()));
    columns_sent_ = columns;
    rows_sent_ = rows;
  }
  const DeviceViewport view{
      make_pixel_axis(viewport.x_edges.data(), edges_.data(), viewport.width()),
      make_pixel_axis(viewport.y_edges.data(), edges_.data() + columns, viewport.height())};

  // Beyond this many cells a pixel, reading every cell once is cheaper than searching under every pixel.
  constexpr std::int64_t kGatherLimit = 16;
  const std::int64_t widest = longest_footprint(viewport.x_edges);
  const std::int64_t tallest = longest_footprint(viewport.y_edges);
  const bool few = widest <= kGatherLimit && tallest <= kGatherLimit && widest * tallest <= kGatherLimit;

  with_storage(
      layout, fractal, [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
        if (few) {
          in_slices(1, 1, watch, stream, [&](std::uint64_t, std::uint64_t) {
            launch_items(gather_pixels_kernel<Storage<Int>, Int>, area, stream, storage, Int{}, view, cells,
                         pixels_.data());
          });
          return;
        }
        LOOM_CUDA(cudaMemsetAsync(counts_.data(), 0, area * sizeof(unsigned long long), stream.get()));
        const LoopArithmetic<Int> lambda(fractal);
        const FastDivisor<std::uint64_t> orthotope_x(fractal.orthotope_x);
        const FastDivisor<std::uint32_t> rho_x(fractal.rho_x);
        const std::uint64_t blocks = fractal.orthotope_blocks();
        const std::uint64_t block_area = fractal.block_area();
        if (block_area >= 32) {
          in_slices(blocks, kSlice / block_area, watch, stream, [&](std::uint64_t first, std::uint64_t last) {
            launch_items(scatter_blocks_kernel<Int, Storage<Int>>, (last - first) * 32, stream, lambda,
                         storage, orthotope_x, rho_x, view, first, last, cells, counts_.data());
          });
        } else {
          in_slices(blocks * block_area, kSlice, watch, stream, [&](std::uint64_t first, std::uint64_t last) {
            launch_items(scatter_positions_kernel<Int, Storage<Int>>, last - first, stream, lambda, storage,
                         orthotope_x, rho_x, FastDivisor<std::uint64_t>(block_area), view, first, last, cells,
                         counts_.data());
          });
        }
        launch_items(finish_pixels_kernel, area, stream, counts_.data(), std::uint64_t{area}, pixels_.data());
      });
}

}  // namespace loom::cuda
