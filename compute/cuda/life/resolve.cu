#include <algorithm>

#include "compute/core/fast_divisor.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/gather_pixels.h"
#include "compute/cuda/life/resolve.h"
#include "compute/geometry/partition.h"
#include "compute/geometry/storage.h"
#include "compute/map/loop_arithmetic.h"
#include "compute/map/thread_map.h"
#include "compute/map/turned_arithmetic.h"

namespace loom::cuda {
namespace {

constexpr unsigned long long kOneCell = 1ull << 32;

/// Adds one cell to every pixel that covers it (several, if pixels are smaller than cells along an axis).
template <typename Int>
__device__ __forceinline__ void add_cell(const DeviceViewport& view, Coord<Int> cell, std::uint8_t state,
                                         unsigned long long* counts) {
  const PixelRange columns = pixels_of(view.columns, static_cast<std::int64_t>(cell.x));
  if (columns.first == columns.last) return;
  const PixelRange rows = pixels_of(view.rows, static_cast<std::int64_t>(cell.y));
  for (int row = rows.first; row < rows.last; ++row) {
    for (int column = columns.first; column < columns.last; ++column) {
      atomicAdd(&counts[static_cast<std::uint64_t>(row) * view.columns.size + column],
                kOneCell + brightness(view.states, state));
    }
  }
}

/// The numbers of living and of all cells of a part of a tile, 16 bits each: a tile has 1024 at most.
constexpr std::uint32_t kFoundOne = 1u << 16;
__device__ __forceinline__ unsigned long long counts_of(std::uint32_t part) {
  return (static_cast<unsigned long long>(part / kFoundOne) << 32) + part % kFoundOne;
}

__device__ __forceinline__ std::uint32_t warp_sum(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(0xffffffffu, value);
#else
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_xor_sync(0xffffffffu, value, lanes);
  return value;
#endif
}

/// The positions of a tile's row that one lane reads at a time: 8 if rows are whole words, otherwise 1.
template <typename Word>
struct Places {
  static constexpr std::uint32_t kCount = sizeof(Word);
  /// The lowest byte of each of the first `count` positions.
  static __device__ __forceinline__ Word first(int count) {
    if (count <= 0) return 0;
    const auto all = static_cast<Word>(0x0101010101010101ull);
    return count >= static_cast<int>(kCount) ? all : static_cast<Word>(all & ((Word{1} << (8 * count)) - 1));
  }
  /// The lowest byte of each position that is a cell; `thread` is the first position in the tile.
  static __device__ __forceinline__ Word members(const TiledFractal& fractal, std::uint32_t thread) {
    if constexpr (kCount == 1) return fractal.micro_member(thread);
    const std::uint64_t bits = fractal.micro_mask[thread >> 5] >> (thread & 31u) & 0xffu;
    const std::uint64_t apart = bits * 0x0101010101010101ull & 0x8040201008040201ull;  // bit i in byte i
    return static_cast<Word>((apart + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull);
  }
};

/// The pixels that a tile covers. If it covers at most two columns and two rows of pixels, and each cell is
/// in one pixel, the tile is cut at `cut_x` and `cut_y` (cells from its corner; beyond the tile if there is
/// no cut).
struct TilePixels {
  enum Kind : std::uint32_t { kHidden, kCut, kMany };
  Kind kind = kHidden;
  std::uint32_t pixel = 0;  ///< the top left pixel
  std::uint32_t cut_x = 0;
  std::uint32_t cut_y = 0;
};

/// Computes one axis: the pixel and the cut; false if the tile covers more pixels.
__device__ __forceinline__ bool cut_axis(const PixelAxis& axis, std::int64_t first, std::uint32_t size,
                                         std::uint32_t& pixel, std::uint32_t& cut) {
  const PixelRange begin = pixels_of(axis, first);
  const PixelRange end = pixels_of(axis, first + size - 1);
  pixel = static_cast<std::uint32_t>(begin.first);
  cut = size;
  if (begin.last - begin.first != 1 || end.last - end.first != 1) return false;
  if (end.first == begin.first) return true;
  cut = static_cast<std::uint32_t>(axis.edges[end.first] - first);
  return end.first == begin.first + 1;
}

__device__ __forceinline__ TilePixels pixels_of_tile(const DeviceViewport& view, std::int64_t left,
                                                     std::int64_t top, std::uint32_t rho_x,
                                                     std::uint32_t rho_y) {
  TilePixels found;
  if (left >= footprint_end(view.columns, view.columns.size - 1) || left + rho_x <= view.columns.edges[0] ||
      top >= footprint_end(view.rows, view.rows.size - 1) || top + rho_y <= view.rows.edges[0]) {
    return found;
  }
  std::uint32_t column = 0;
  std::uint32_t row = 0;
  const bool columns_cut = cut_axis(view.columns, left, rho_x, column, found.cut_x);
  const bool rows_cut = cut_axis(view.rows, top, rho_y, row, found.cut_y);
  found.kind = columns_cut && rows_cut ? TilePixels::kCut : TilePixels::kMany;
  found.pixel = row * static_cast<std::uint32_t>(view.columns.size) + column;
  return found;
}

/// A warp processes `group` <= 32 tiles of [first, last) at a time: each of its lanes computes one tile's
/// coordinate and pixels; then all lanes read one tile after another, one Word of positions each, and sum the
/// contributions to each of up to four pixels in the warp, which adds each sum once. Cells of tiles that
/// cover more pixels are added one by one.
template <typename Word, typename Int, typename Arithmetic, typename Storage>
__global__ void __launch_bounds__(256, 4)
    scatter_tiles_kernel(const __grid_constant__ Arithmetic arithmetic,
                         const __grid_constant__ Storage storage, FastDivisor<std::uint64_t> orthotope_x,
                         FastDivisor<std::uint32_t> rho_x, FastDivisor<std::uint32_t> row_words,
                         DeviceViewport view, std::uint32_t group, std::uint64_t first, std::uint64_t last,
                         const std::uint8_t* __restrict__ cells, unsigned long long* counts) {
  constexpr int kAtOnce = 4;  // tiles whose reads are in flight concurrently
  constexpr std::uint32_t kAll = 0xffffffffu;
  const TiledFractal& fractal = storage.tiled;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t words = row_words.value() * fractal.rho_y;
  const auto width = static_cast<std::uint32_t>(view.columns.size);
  for (std::uint64_t begin = first + grid_thread() / 32 * group; begin < last;
       begin += grid_stride() / 32 * group) {
    Coord<Int> omega{};
    Coord<Int> place{};
    std::uint64_t origin = 0;
    TilePixels mine;
    if (lane < group && begin + lane < last) {
      const std::uint64_t b = begin + lane;
      const std::uint64_t row = orthotope_x.divide(b);
      omega = {static_cast<Int>(b - row * orthotope_x.value()), static_cast<Int>(row)};
      place = arithmetic.lambda(omega);
      origin = storage.tile_origin(omega, place);
      mine = pixels_of_tile(view, static_cast<std::int64_t>(place.x * fractal.rho_x),
                            static_cast<std::int64_t>(place.y * fractal.rho_y), fractal.rho_x, fractal.rho_y);
    }
    const std::uint32_t cuts = mine.cut_y << 16 | mine.cut_x;
    for (std::uint32_t left = __ballot_sync(kAll, mine.kind == TilePixels::kCut); left != 0;) {
      int lanes[kAtOnce];
#pragma unroll
      for (int& one : lanes) {
        one = __ffs(static_cast<int>(left)) - 1;  // -1 if no tile is left
        left &= left - 1;
      }
      std::uint64_t origins[kAtOnce];
      std::uint32_t cuts_of[kAtOnce];
      std::uint32_t parts[kAtOnce][4] = {};  // top left, top right, bottom left, bottom right
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        origins[i] = __shfl_sync(kAll, origin, max(lanes[i], 0));
        cuts_of[i] = __shfl_sync(kAll, cuts, max(lanes[i], 0));
      }
      for (std::uint32_t word = lane; word < words; word += 32) {
        const std::uint32_t y = row_words.divide(word);
        const std::uint32_t x = (word - y * row_words.value()) * Places<Word>::kCount;
        const std::uint64_t offset = std::uint64_t{y} * storage.pitch() + x;
        Word states[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          states[i] = lanes[i] < 0 ? Word{0} : *reinterpret_cast<const Word*>(cells + origins[i] + offset);
        }
        const Word members = Places<Word>::members(fractal, y * fractal.rho_x + x);
        const auto counted = [&](Word which, Word state) {
          return __popcll(which) * kFoundOne + __popcll(static_cast<Word>(which & state));
        };
#pragma unroll
        for (int i = 0; i < kAtOnce; ++i) {
          const auto cut_x = static_cast<int>(cuts_of[i] & 0xffffu);
          const std::uint32_t both = counted(members, states[i]);
          const std::uint32_t before =
              counted(members & Places<Word>::first(cut_x - static_cast<int>(x)), states[i]);
          const bool top = y < cuts_of[i] >> 16;
          parts[i][0] += top ? before : 0;
          parts[i][1] += top ? both - before : 0;
          parts[i][2] += top ? 0 : before;
          parts[i][3] += top ? 0 : both - before;
        }
      }
#pragma unroll
      for (int i = 0; i < kAtOnce; ++i) {
        if (lanes[i] < 0) break;
        const std::uint32_t pixel = __shfl_sync(kAll, mine.pixel, lanes[i]);
        std::uint32_t part = 0;
#pragma unroll
        for (std::uint32_t p = 0; p < 4; ++p) {
          const std::uint32_t sum = warp_sum(parts[i][p]);
          if (lane == p) part = sum;
        }
        if (part != 0) atomicAdd(&counts[pixel + lane / 2 * width + lane % 2], counts_of(part));
      }
    }
    for (std::uint32_t left = __ballot_sync(kAll, mine.kind == TilePixels::kMany); left != 0;
         left &= left - 1) {
      const int one = __ffs(static_cast<int>(left)) - 1;
      const Coord<Int> tile_place{__shfl_sync(kAll, place.x, one), __shfl_sync(kAll, place.y, one)};
      const std::uint64_t base = __shfl_sync(kAll, origin, one);
      for (std::uint32_t t = lane; t < fractal.points_per_tile(); t += 32) {
        if (!fractal.micro_member(t)) continue;
        const std::uint32_t y = rho_x.divide(t);
        const Coord32 thread{t - y * fractal.rho_x, y};
        add_cell(view, cell_in_tile(fractal, tile_place, thread),
                 cells[base + std::uint64_t{y} * storage.pitch() + thread.x], counts);
      }
    }
  }
}

/// One thread per position of the tiles of [first, last); for tiles smaller than a warp, turned ones, and
/// several states.
template <typename Int, typename Arithmetic, typename Storage>
__global__ void scatter_positions_kernel(const __grid_constant__ Arithmetic arithmetic,
                                         const __grid_constant__ Storage storage,
                                         FastDivisor<std::uint64_t> orthotope_x,
                                         FastDivisor<std::uint32_t> rho_x,
                                         FastDivisor<std::uint64_t> points_per_tile, DeviceViewport view,
                                         std::uint64_t first, std::uint64_t last,
                                         const std::uint8_t* __restrict__ cells, unsigned long long* counts) {
  const TiledFractal& fractal = storage.tiled;
  for (std::uint64_t p = first + grid_thread(); p < last; p += grid_stride()) {
    const std::uint64_t b = points_per_tile.divide(p);
    const auto t = static_cast<std::uint32_t>(p - b * fractal.points_per_tile());
    if constexpr (!has_turns<Arithmetic>()) {
      if (!fractal.micro_member(t)) continue;
    }
    const std::uint64_t row = orthotope_x.divide(b);
    const Coord<Int> omega{static_cast<Int>(b - row * orthotope_x.value()), static_cast<Int>(row)};
    Coord<Int> place;
    if constexpr (has_turns<Arithmetic>()) {
      const TurnedCoord<Int> turned = arithmetic.turned_lambda(omega);
      if (!fractal.micro_member(t, turned.symmetry)) continue;
      place = turned.at;
    } else {
      place = arithmetic.lambda(omega);
    }
    const std::uint32_t y = rho_x.divide(t);
    const Coord32 thread{t - y * fractal.rho_x, y};
    add_cell(view, cell_in_tile(fractal, place, thread),
             cells[storage.tile_origin(omega, place) + std::uint64_t{y} * storage.pitch() + thread.x],
             counts);
  }
}

__global__ void finish_pixels_kernel(const unsigned long long* __restrict__ counts, std::uint64_t area,
                                     std::uint32_t states, std::uint16_t* __restrict__ pixels) {
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride()) {
    pixels[p] = density_value((counts[p] >> 32) * (states - 1), counts[p] & 0xffffffffu);
  }
}

__global__ void take_apart_kernel(const unsigned long long* __restrict__ counts, std::uint64_t area,
                                  unsigned long long* __restrict__ cells,
                                  unsigned long long* __restrict__ living) {
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride()) {
    cells[p] = counts[p] >> 32;
    living[p] = counts[p] & 0xffffffffu;
  }
}

/// Positions that a monitored call resolves between two waits, a few milliseconds.
constexpr std::uint64_t kSlice = std::uint64_t{1} << 30;
/// From this number of tiles on, 32 tiles per warp keep a GPU busy.
constexpr std::uint64_t kManyTiles = 1 << 18;

/// Steps per position of a tile (LaunchSlices), and per tile coordinate.
constexpr std::uint64_t kStepsOfPosition = 8;
constexpr std::uint64_t kStepsOfPlace = 64;

/// Calls `enqueue(first, last)` for the items [0, count): as many as a launch may have or, if monitored,
/// slice by slice.
template <typename Enqueue>
void in_slices(std::uint64_t count, std::uint64_t slice, std::uint64_t most, ProgressMonitor* monitor,
               const Stream& stream, const Enqueue& enqueue) {
  const ProgressScope call(monitor, count);
  for (std::uint64_t first = 0; first < count;) {
    if (call.cancelled()) {
      stream.wait();  // the next call may change data that is still being transferred
      call.check();
    }
    const std::uint64_t size = std::min({call.watched() ? slice : count, most, count - first});
    enqueue(first, first + size);
    first += size;
    if (first == count) return;
    if (call.watched()) stream.wait();
    call.advance(size);
  }
}

}  // namespace

void Resolver::reserve(const Viewport& viewport) {
  memory_.reserve(viewport);
  counts_.reserve(ImageBuffer::area_of(viewport));
}

void Resolver::resolve(const StoredCells& cells, const Viewport& viewport, ProgressMonitor* monitor,
                       const LaunchSlices& slices, const Stream& stream) {
  const std::size_t area = ImageBuffer::area_of(viewport);
  if (area == 0) return;
  reserve(viewport);
  bool changed = false;
  const DeviceViewport view = memory_.send(viewport, stream, changed);
  if (covers_few_cells(viewport)) {
    in_slices(1, 1, 1, monitor, stream,
              [&](std::uint64_t, std::uint64_t) { gather_pixels(cells, view, memory_.pixels(), stream); });
    return;
  }
  scatter(cells, view, area, monitor, slices, stream);
  launch_items(finish_pixels_kernel, area, stream, counts_.data(), std::uint64_t{area}, view.states,
               memory_.pixels());
}

const unsigned long long* Resolver::count_pixels(const StoredCells& cells, const Viewport& viewport,
                                                 ProgressMonitor* monitor, const LaunchSlices& slices,
                                                 const Stream& stream) {
  reserve(viewport);
  bool changed = false;
  const DeviceViewport view = memory_.send(viewport, stream, changed);
  if (covers_few_cells(viewport) && !cells.fractal.holds_all()) {
    in_slices(1, 1, 1, monitor, stream,
              [&](std::uint64_t, std::uint64_t) { gather_counts(cells, view, counts_.data(), stream); });
  } else {
    scatter(cells, view, ImageBuffer::area_of(viewport), monitor, slices, stream);
  }
  return counts_.data();
}

void take_counts_apart(const unsigned long long* counts, std::uint64_t area, unsigned long long* cells,
                       unsigned long long* living, const Stream& stream) {
  launch_items(take_apart_kernel, area, stream, counts, area, cells, living);
}

void Resolver::scatter(const StoredCells& cells, const DeviceViewport& view, std::size_t area,
                       ProgressMonitor* monitor, const LaunchSlices& slices, const Stream& stream) {
  const TiledFractal& fractal = cells.fractal;
  const std::uint8_t* const by_place = loom::by_place(fractal, cells.memory);
  with_storage(
      cells.stored.layout, fractal,
      [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
        LOOM_CUDA(cudaMemsetAsync(counts_.data(), 0, area * sizeof(unsigned long long), stream.get()));
        const FastDivisor<std::uint64_t> orthotope_x(fractal.orthotope_x);
        const FastDivisor<std::uint32_t> rho_x(fractal.rho_x);
        const std::uint64_t begin = fractal.held.first * fractal.orthotope_x;
        const std::uint64_t tiles = fractal.held.count * fractal.orthotope_x;
        const std::uint64_t points_per_tile = fractal.points_per_tile();
        const auto scatter_tiles = [&]<typename Arithmetic>(const Arithmetic& arithmetic) {
          const bool whole_words = fractal.rho_x % sizeof(std::uint64_t) == 0;
          const FastDivisor<std::uint32_t> row_words(whole_words ? fractal.rho_x / 8 : fractal.rho_x);
          // Few tiles are distributed over more warps.
          const std::uint32_t group = tiles >= kManyTiles ? 32 : 4;
          const std::uint64_t most = slices.max_items(points_per_tile * kStepsOfPosition + kStepsOfPlace);
          in_slices(tiles, kSlice / points_per_tile, most, monitor, stream,
                    [&](std::uint64_t first, std::uint64_t last) {
                      launch_items(whole_words
                                       ? scatter_tiles_kernel<std::uint64_t, Int, Arithmetic, Storage<Int>>
                                       : scatter_tiles_kernel<std::uint8_t, Int, Arithmetic, Storage<Int>>,
                                   (last - first + group - 1) / group * 32, stream, arithmetic, storage,
                                   orthotope_x, rho_x, row_words, view, group, begin + first, begin + last,
                                   by_place, counts_.data());
                    });
        };
        const auto scatter_positions = [&]<typename Arithmetic>(const Arithmetic& arithmetic) {
          const std::uint64_t place = begin * points_per_tile;
          const std::uint64_t most = slices.max_items(kStepsOfPosition + kStepsOfPlace);
          in_slices(tiles * points_per_tile, kSlice, most, monitor, stream,
                    [&](std::uint64_t first, std::uint64_t last) {
                      launch_items(scatter_positions_kernel<Int, Arithmetic, Storage<Int>>, last - first,
                                   stream, arithmetic, storage, orthotope_x, rho_x,
                                   FastDivisor<std::uint64_t>(points_per_tile), view, place + first,
                                   place + last, by_place, counts_.data());
                    });
        };
        const auto scatter_by = [&](const auto& arithmetic) {
          if (points_per_tile >= 32 && view.states == 2 && cells.states == 2) {
            scatter_tiles(arithmetic);
          } else {
            scatter_positions(arithmetic);
          }
        };
        if (fractal.is_turned()) {
          scatter_positions(TurnedArithmetic<Int>(fractal, nullptr));
        } else if (!fractal.is_uniform()) {
          scatter_by(LoopArithmetic<Int, true>(fractal));
        } else {
          scatter_by(LoopArithmetic<Int>(fractal));
        }
      });
}

}  // namespace loom::cuda
