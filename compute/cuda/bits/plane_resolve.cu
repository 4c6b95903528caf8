#include <algorithm>

#include "compute/cuda/bits/plane_cells.h"
#include "compute/cuda/bits/plane_resolve.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/life/gather_pixels.h"
#include "compute/engine/pixel_lookup.h"

namespace loom::cuda {
namespace {

/// The largest number of nodes that the host selects: enough to skip most of the invisible ones.
constexpr std::size_t kMaxVisible = 1 << 15;
/// The largest number of threads that render: few enough for their atomics to be cheap, enough to distribute
/// the work.
constexpr std::uint64_t kMaxPainted = std::uint64_t{1} << 23;

static_assert(sizeof(PlaneTree) % sizeof(std::uint32_t) == 0);

/// Threads per thread block of the rendering kernel, and the largest number of thread blocks: several rounds
/// per thread block, and several thread blocks per multiprocessor.
constexpr unsigned kPaintThreads = 256;
constexpr std::uint64_t kMaxPaintBlocks = 4096;

/// Groups that span several pixels, collected until there are enough for all threads of a thread block: one
/// takes a few hundred times as long as a node within a pixel, and the other lanes of its warp would be idle.
struct CutGroups {
  static constexpr std::uint32_t kMost = 3 * kPaintThreads;
  std::int64_t x[kMost];  ///< x of the corner
  std::int64_t y[kMost];
  std::uint64_t group[kMost];
  std::uint32_t count;
};

/// One thread per node of height `height`; each visible node has `fan` of them.
template <typename Word, bool kCountsCells>
__global__ void __launch_bounds__(kPaintThreads)
    paint_tiles_kernel(const __grid_constant__ PlaneTree of_launch,
                       const __grid_constant__ PlanePicture picture,
                       const std::uint32_t* __restrict__ visible, std::uint64_t count,
                       FastDivisor<std::uint32_t> fan, int height,
                       unsigned long long* __restrict__ pixel_cells,
                       unsigned long long* __restrict__ pixel_living) {
  // Lanes read different children, which constant memory would serialise.
  __shared__ alignas(16) std::uint32_t copy[sizeof(PlaneTree) / sizeof(std::uint32_t)];
  const auto* const words = reinterpret_cast<const std::uint32_t*>(&of_launch);
  for (std::uint32_t i = threadIdx.x; i < sizeof(PlaneTree) / sizeof(std::uint32_t); i += blockDim.x)
    copy[i] = words[i];
  __shared__ CutGroups cut_groups;
  if (threadIdx.x == 0) cut_groups.count = 0;
  __syncthreads();
  const PlaneTree& tiles = *reinterpret_cast<const PlaneTree*>(copy);
  const auto add = [&](int row, int column, std::uint64_t cells, std::uint64_t living) {
    const std::uint64_t at = static_cast<std::uint64_t>(row) * picture.columns.size + column;
    if (kCountsCells) atomicAdd(&pixel_cells[at], static_cast<unsigned long long>(cells));
    if (living != 0) atomicAdd(&pixel_living[at], static_cast<unsigned long long>(living));
  };
  const auto cut = [&](std::uint64_t group, Coord<std::int64_t> corner) {
    const std::uint32_t slot = atomicAdd(&cut_groups.count, 1u);
    if (slot >= CutGroups::kMost) return paint_group<Word>(tiles, picture, group, corner, add);
    cut_groups.group[slot] = group;
    cut_groups.x[slot] = corner.x;
    cut_groups.y[slot] = corner.y;
  };
  // All threads of a thread block run the same number of rounds.
  for (std::uint64_t first = std::uint64_t{blockIdx.x} * kPaintThreads; first < count;
       first += grid_stride()) {
    const std::uint64_t i = first + threadIdx.x;
    if (i < count) {
      const std::uint32_t of = fan.divide(static_cast<std::uint32_t>(i));
      const std::uint32_t tile =
          visible[of] * fan.value() + (static_cast<std::uint32_t>(i) - of * fan.value());
      paint_tile(tiles, picture, height, tile, tiles.corner(height, tile), add, cut);
    }
    __syncthreads();
    const std::uint32_t held = min(cut_groups.count, CutGroups::kMost);
    const bool last = first + grid_stride() >= count;
    if (held >= kPaintThreads || last) {
      for (std::uint32_t k = threadIdx.x; k < held; k += kPaintThreads)
        paint_group<Word>(tiles, picture, cut_groups.group[k], {cut_groups.x[k], cut_groups.y[k]}, add);
      __syncthreads();
      if (threadIdx.x == 0) cut_groups.count = 0;
    }
    __syncthreads();
  }
}

__global__ void finish_plane_pixels_kernel(const unsigned long long* __restrict__ cells,
                                           const unsigned long long* __restrict__ living, std::uint64_t area,
                                           std::uint16_t* __restrict__ pixels) {
  for (std::uint64_t p = grid_thread(); p < area; p += grid_stride())
    pixels[p] = density_value(cells[p], living[p]);
}

}  // namespace

PlaneResolver::PlaneResolver(const PlaneTree& tiles) : tiles_(tiles) {
  const std::vector<std::uint64_t> x = bits_before(tiles, true);
  const std::vector<std::uint64_t> y = bits_before(tiles, false);
  bits_before_.reserve(x.size() + y.size());
  LOOM_CUDA(cudaMemcpy(bits_before_.data(), x.data(), x.size() * 8, cudaMemcpyHostToDevice));
  LOOM_CUDA(cudaMemcpy(bits_before_.data() + x.size(), y.data(), y.size() * 8, cudaMemcpyHostToDevice));
  visible_.reserve(kMaxVisible);
  next_visible_.reserve(kMaxVisible);
  device_visible_.reserve(kMaxVisible);
  visible_staging_.reserve(kMaxVisible);
}

void PlaneResolver::reserve(const Viewport& viewport) {
  memory_.reserve(viewport);
  living_.reserve(tiles_.planes.groups);
  living_above_.reserve(tiles_.above);
  const std::size_t area = ImageBuffer::area_of(viewport);
  // The cell counts for these edges are discarded, and the same edges may not be sent again.
  if (area > pixel_cells_.size()) memory_.invalidate_edges();
  pixel_living_.reserve(area);
  pixel_cells_.reserve(area);
}

void PlaneResolver::find_visible(const Viewport& viewport) {
  const auto end = [](const std::vector<std::int64_t>& edges) {
    return std::max(edges[edges.size() - 2] + 1, edges.back());
  };
  const std::int64_t right = end(viewport.x_edges);
  const std::int64_t bottom = end(viewport.y_edges);
  const auto seen = [&](int height, std::uint32_t tile) {
    const Coord<std::int64_t> at = tiles_.corner(height, tile);
    return at.x < right && at.y < bottom && at.x + tiles_.side_x[height] > viewport.x_edges.front() &&
           at.y + tiles_.side_y[height] > viewport.y_edges.front();
  };
  visible_height_ = tiles_.top;
  visible_.clear();
  const auto first_tile = static_cast<std::uint32_t>(tiles_.first_tile[tiles_.top]);
  for (std::uint32_t i = 0; i < tiles_.tiles[tiles_.top]; ++i) {
    if (seen(tiles_.top, first_tile + i)) visible_.push_back(first_tile + i);
  }
  while (visible_height_ > 0 && visible_.size() * tiles_.children_of(visible_height_) <= kMaxVisible) {
    const std::uint32_t children = tiles_.children_of(visible_height_);
    next_visible_.clear();
    for (const std::uint32_t tile : visible_) {
      for (std::uint32_t child = 0; child < children; ++child) {
        const std::uint32_t next = tile * children + child;
        if (seen(visible_height_ - 1, next)) next_visible_.push_back(next);
      }
    }
    visible_.swap(next_visible_);
    --visible_height_;
  }
}

void PlaneResolver::resolve(const StoredCells& cells, const Viewport& viewport, const Stream& stream) {
  const std::size_t area = ImageBuffer::area_of(viewport);
  if (area == 0) return;
  reserve(viewport);
  bool changed = false;
  const DeviceViewport view = memory_.send(viewport, stream, changed);
  if (covers_few_cells(viewport)) return gather_pixels(cells, view, memory_.pixels(), stream);
  count_pixels(cells, viewport, view, changed, stream);
  launch_items(finish_plane_pixels_kernel, area, stream, pixel_cells_.data(), pixel_living_.data(),
               std::uint64_t{area}, memory_.pixels());
}

PlaneResolver::PixelSums PlaneResolver::count_pixels(const StoredCells& cells, const Viewport& viewport,
                                                     const Stream& stream) {
  reserve(viewport);
  bool changed = false;
  const DeviceViewport view = memory_.send(viewport, stream, changed);
  count_pixels(cells, viewport, view, changed, stream);
  return {pixel_cells_.data(), pixel_living_.data(), changed};
}

void PlaneResolver::count_pixels(const StoredCells& cells, const Viewport& viewport,
                                 const DeviceViewport& view, bool changed, const Stream& stream) {
  const std::size_t area = ImageBuffer::area_of(viewport);
  if (count_state_ == CountState::kNothing) count_groups(tiles_, cells.memory, living_.data(), stream);
  if (count_state_ != CountState::kTiles) count_tiles(tiles_, living_.data(), living_above_.data(), stream);
  count_state_ = CountState::kTiles;
  if (changed) {
    find_visible(viewport);
    std::copy(visible_.begin(), visible_.end(), visible_staging_.data());
    LOOM_CUDA(cudaMemcpyAsync(device_visible_.data(), visible_staging_.data(),
                              visible_.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice, stream.get()));
    LOOM_CUDA(cudaMemsetAsync(pixel_cells_.data(), 0, area * sizeof(unsigned long long), stream.get()));
  }
  LOOM_CUDA(cudaMemsetAsync(pixel_living_.data(), 0, area * sizeof(unsigned long long), stream.get()));
  PlanePicture picture;
  picture.words = cells.memory;
  picture.living = living_.data();
  picture.living_above = living_above_.data();
  picture.bits_before_x = bits_before_.data();
  picture.bits_before_y = bits_before_.data() + tiles_.bits_x + 1;
  picture.columns = view.columns;
  picture.rows = view.rows;
  picture.last_row = viewport.height();
  int height = visible_height_;
  std::uint64_t fan = 1;
  while (height > 0 && visible_.size() * fan * tiles_.children_of(height) <= kMaxPainted) {
    fan *= tiles_.children_of(height);
    --height;
  }
  const std::uint64_t count = visible_.size() * fan;
  const auto paint = [&]<typename Word, bool kCountsCells>() {
    if (count == 0) return;
    const std::uint64_t blocks = std::min(kMaxPaintBlocks, (count + kPaintThreads - 1) / kPaintThreads);
    paint_tiles_kernel<Word, kCountsCells><<<static_cast<unsigned>(blocks), kPaintThreads, 0, stream.get()>>>(
        tiles_, picture, device_visible_.data(), count,
        FastDivisor<std::uint32_t>(static_cast<std::uint32_t>(fan)), height, pixel_cells_.data(),
        pixel_living_.data());
    LOOM_CUDA(cudaGetLastError());
  };
  if (tiles_.planes.wide()) {
    changed ? paint.template operator()<std::uint64_t, true>()
            : paint.template operator()<std::uint64_t, false>();
  } else {
    changed ? paint.template operator()<std::uint32_t, true>()
            : paint.template operator()<std::uint32_t, false>();
  }
}

}  // namespace loom::cuda
