#include <type_traits>

#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/gather_pixels.h"
#include "compute/engine/pixel_lookup.h"
#include "compute/geometry/stored_cells.h"

namespace loom::cuda {
namespace {

/// The result for a pixel: a density for a whole fractal, counts for a partition (resolve.h).
template <typename Cells>
using PixelOf = std::conditional_t<std::is_same_v<Cells, PartitionCells>, unsigned long long, std::uint16_t>;

/// One thread per pixel: counts the cells under it, for a square of width x height points.
template <typename Int, typename Storage, typename Cells>
__global__ void gather_pixels_kernel(const __grid_constant__ Storage storage, Int,
                                     const __grid_constant__ Cells cells, std::int64_t width,
                                     std::int64_t height, DeviceViewport view,
                                     PixelOf<Cells>* __restrict__ pixels) {
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
        if constexpr (std::is_same_v<Cells, PartitionCells>) {
          if (!cells.holds(at)) continue;
        }
        ++found;
        living += brightness(view.states, cells.load(at));
      }
    }
    if constexpr (std::is_same_v<Cells, PartitionCells>) {
      pixels[p] = (static_cast<unsigned long long>(found) << 32) + living;
    } else {
      pixels[p] = density_value(found * (view.states - 1), living);
    }
  }
}

/// Writes pixels of the type that Cells requires; has no effect for other types.
template <typename Pixel>
void gather(const StoredCells& cells, const DeviceViewport& view, Pixel* pixels, const Stream& stream) {
  const TiledFractal& fractal = cells.fractal;
  const std::uint64_t area = static_cast<std::uint64_t>(view.columns.size) * view.rows.size;
  with_stored(
      cells.stored, fractal, cells.memory,
      [&]<typename Int, typename Storage, typename Cells>(Int, const Storage& storage, const Cells& held) {
        if constexpr (std::is_same_v<Pixel, PixelOf<Cells>>) {
          launch_items(gather_pixels_kernel<Int, Storage, Cells>, area, stream, storage, Int{}, held,
                       static_cast<std::int64_t>(fractal.width), static_cast<std::int64_t>(fractal.height),
                       view, pixels);
        }
      });
}

}  // namespace

void gather_pixels(const StoredCells& cells, const DeviceViewport& view, std::uint16_t* pixels,
                   const Stream& stream) {
  gather(cells, view, pixels, stream);
}

void gather_counts(const StoredCells& cells, const DeviceViewport& view, unsigned long long* counts,
                   const Stream& stream) {
  gather(cells, view, counts, stream);
}

}  // namespace loom::cuda
