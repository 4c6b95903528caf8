#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "compute/cuda/life/box_rows.cuh"
#include "compute/cuda/life/place.cuh"
#include "compute/cuda/life/thread_cell.cuh"
#include "compute/cuda/timeline/span_recorder.cuh"
#include "compute/map/dispatch.h"
#include "compute/workload/larger_life.h"

namespace loom::cuda {

// Larger than Life on any map and storage: a thread block copies its tiles and the points around them into
// boxes in shared memory (TileBox, or rows of bits), as many tiles at a time as it has memory for. Each
// thread counts the neighbours of its cell there, or a warp those of all cells of a tile.

/// What the thread blocks of a launch need to know of their boxes.
struct BoxWork {
  /// Shared memory of a thread block on every GPU.
  static constexpr std::uint32_t kBytes = 49152;
  TileBox box;
  Counting counting;
  FastDivisor<std::uint32_t> rows;     ///< of a box
  FastDivisor<std::uint32_t> around;   ///< tiles around a tile, itself among them
  FastDivisor<std::uint32_t> tiles_x;  ///< of one row of them
  std::uint32_t tiles = 1;             ///< at a time
  std::uint32_t boxes_at = 0;          ///< offset in shared memory, after the tiles' offsets
  std::uint32_t bytes = 0;             ///< of shared memory

  /// `room` is the shared memory that the kernel leaves.
  BoxWork(const MapMethod& method, const TiledFractal& fractal, const LargerThanLife& rule,
          const GpuLaunch& launch, std::uint32_t room)
      : box(fractal, rule.radius),
        counting(counting_of(method, fractal, rule, true)),
        rows(of_rows() ? box.height - 1 : box.height),
        around(box.tiles_around()),
        tiles_x(box.tiles_x()) {
    const std::uint32_t of_tile =
        method.map == MapKind::kCompact ? box.tiles_around() * std::uint32_t{sizeof(std::uint64_t)} : 0;
    // Each thread counts for itself, at one tile at a time; warps count for all tiles.
    const bool box_map = method.map == MapKind::kBoundingBox;
    const std::uint32_t most = of_rows() || box_map ? launch.tiling.tiles() : launch.tiling.parallel;
    const std::uint32_t of_box =
        of_rows() ? std::uint32_t{sizeof(RowBox)} : box.cells() * std::uint32_t{sizeof(std::uint16_t)};
    tiles = std::clamp(room / (of_tile + of_box), 1u, most);
    boxes_at = tiles * of_tile;
    bytes = boxes_at + tiles * of_box;
  }
  bool of_rows() const { return counting == Counting::kBits || counting == Counting::kTensor; }
};

/// The tiles of a thread block: where they are, and which cell of them the calling thread has.
template <typename Map, typename Int = typename Map::Index>
struct BoxTiles {
  using Shared = typename CellsOf<Map>::Shared;

  /// All threads must take part, and pass a barrier before anything else is called.
  template <typename Storage>
  static __device__ __forceinline__ void find(const Map& map, const Storage& storage,
                                              const TileLayout& layout, Shared& shared) {
    if constexpr (!kIsBox<Map>) {
      if constexpr (Map::kExecutionScope == ExecutionScope::kMatrixCells) {
        CellsByMatrix<decltype(Map::arithmetic), Int>::find(map.arithmetic, shared,
                                                            coord_of_tile<Int>(layout, 0));
      } else {
        CellsInTiles<Map>::find_origins(map, storage, layout, shared);
      }
    }
  }
  template <typename Storage>
  static __device__ __forceinline__ TileOrigin<Int> origin(const Map& map, const Storage& storage,
                                                           const TileLayout& layout, const Shared& shared,
                                                           std::uint32_t tile) {
    if constexpr (kIsBox<Map>) {
      const Coord<Int> corner = cell_in_tile(map.tiled, place_in_box(layout, tile), {0, 0});
      return {corner, storage.offset_of(corner)};
    } else if constexpr (Map::kExecutionScope == ExecutionScope::kMatrixCells) {
      const Coord<Int> corner = {shared.xs[0], shared.ys[0]};
      return {corner, storage.offset_of(corner)};
    } else {
      return shared.origins[tile];
    }
  }
  static __device__ __forceinline__ TileThread thread(const TileLayout& layout) {
    if constexpr (kIsBox<Map>) return {threadIdx.z, 0};
    return tile_thread(layout);
  }
  /// The calling thread's position, before the tile is turned.
  static __device__ __forceinline__ ThreadPosition position(const Map& map, const TileLayout& layout,
                                                            const TileThread& mine) {
    if constexpr (kIsBox<Map>) {
      return map.position(place_in_box(layout, threadIdx.z), {threadIdx.x, threadIdx.y});
    } else {
      return position_in_tile(map, layout, mine);
    }
  }
  static __device__ __forceinline__ Coord32 turned(const Map& map, const Shared& shared, std::uint32_t tile,
                                                   Coord32 at) {
    if constexpr (Map::kTurned) return shared.turns.apply_to(tile, at, map.tiled.rho_x);
    return at;
  }

 private:
  static __device__ __forceinline__ Coord<Int> place_in_box(const TileLayout& layout, std::uint32_t tile) {
    return {(static_cast<Int>(layout.first.x) + blockIdx.x) * layout.tiles_x + tile,
            static_cast<Int>(layout.first.y) + blockIdx.y};
  }
};

/// The shared memory for nu of the tiles around; nothing where threads or the storage need none.
template <typename Map, bool kByWarp>
struct AroundShared {};
template <typename Map>
struct AroundShared<Map, true> : PlacesOf<Map>::NeighbourShared {};
template <typename Map, typename Storage>
using AroundSharedOf = AroundShared<Map, std::is_same_v<Storage, TiledCompactStorage<typename Map::Index>> &&
                                             Map::kExecutionScope != ExecutionScope::kOneThread>;

/// Finds the offsets of the tiles around `count` tiles from `first` on, by nu.
template <typename Map, typename Int, typename Shared>
__device__ __forceinline__ void find_tiles_around(const Map& map, const TiledCompactStorage<Int>& storage,
                                                  const TileLayout& layout, const BoxWork& work,
                                                  const TileOrigin<Int>* origins, std::uint32_t count,
                                                  Shared& shared, std::uint64_t* bases) {
  constexpr bool kByThread = Map::kExecutionScope == ExecutionScope::kOneThread;
  std::uint32_t worker = threadIdx.x;
  std::uint32_t workers = blockDim.x;
  if constexpr (!kByThread) {
    worker /= 32;
    workers = Map::kExecutionScope == ExecutionScope::kWarp ? workers / 32 : tensor_warps();
    if (worker >= workers) return;
  }
  for (std::uint32_t i = worker; i < count * work.around.value(); i += workers) {
    std::uint32_t tile = i;
    std::uint32_t row = work.around.take_digit(tile);
    const std::uint32_t column = work.tiles_x.take_digit(row);
    const TileOrigin<Int> origin = origins[tile];
    // Steps below 0 wrap around to coordinates beyond any grid.
    const Coord<Int> place{
        static_cast<Int>(origin.corner.x / layout.rho_x.value() + column - work.box.around_x),
        static_cast<Int>(origin.corner.y / layout.rho_y.value() + row - work.box.around_y)};
    CompactCoord<Int> found{};
    if (origin.offset != kNoTile && in_grid(storage.tiled, place))
      found = [&] {
        if constexpr (kByThread)
          return map.arithmetic.nu(place);
        else
          return PlacesOf<Map>::nu(map.arithmetic, shared, place);
      }();
    if (kByThread || threadIdx.x % 32 == 0) bases[i] = storage.held_base(found);
    if constexpr (!kByThread) __syncwarp();
  }
}

/// A column of points of boxes, from 0 on at the first one with points of the neighbourhood.
struct BoxColumn {
  std::uint32_t x;
  std::uint32_t tile_x;  ///< among the tiles around
  std::uint32_t in_x;    ///< in this tile
  __device__ __forceinline__ BoxColumn(const BoxWork& work, const TileLayout& layout, std::uint32_t of)
      : x(of), tile_x(of + work.box.around_x * layout.rho_x.value() - work.box.radius) {
    in_x = layout.rho_x.take_digit(tile_x);
  }
};

/// The state of a point of a tile's box; 0 outside of the fractal's square or of what is stored.
template <typename Storage, typename OriginOf>
__device__ __forceinline__ std::uint8_t state_in_box(const Storage& storage, const TileLayout& layout,
                                                     const BoxWork& work, const OriginOf& origin_of,
                                                     const std::uint64_t* bases,
                                                     const std::uint8_t* __restrict__ now, std::uint32_t tile,
                                                     const BoxColumn& column, std::uint32_t y) {
  using Int = decltype(origin_of(tile).corner.x);
  if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
    const TileOrigin<Int> origin = origin_of(tile);
    // Steps below 0 wrap around to coordinates beyond the square.
    const Coord<Int> point{static_cast<Int>(origin.corner.x + column.x - work.box.radius),
                           static_cast<Int>(origin.corner.y + y - work.box.radius)};
    const bool there = origin.offset != kNoTile && point.x < static_cast<Int>(storage.tiled.width) &&
                       point.y < static_cast<Int>(storage.tiled.height);
    return there ? now[storage.offset_of(point)] : 0;
  } else {
    std::uint32_t tile_y = y + work.box.around_y * layout.rho_y.value() - work.box.radius;
    const std::uint32_t in_y = layout.rho_y.take_digit(tile_y);
    const std::uint64_t base =
        bases[tile * work.around.value() + tile_y * work.tiles_x.value() + column.tile_x];
    return base != kNoIndex ? now[base + in_y * layout.rho_x.value() + column.in_x] : 0;
  }
}

/// Copies the points of the boxes of `count` tiles, by state(tile, column, y). A thread has one column of
/// boxes, or every so manyth.
template <typename Map, typename State>
__device__ __forceinline__ void stage_boxes(const TileLayout& layout, const BoxWork& work,
                                            std::uint32_t count, const State& state, std::uint16_t* boxes) {
  const std::uint32_t rank = rank_in_block<Map>();
  const std::uint32_t columns = min(work.box.width, threads_in_block<Map>());
  const std::uint32_t rows_at_once = threads_in_block<Map>() / columns;
  const std::uint32_t first_row = rank / columns;
  if (first_row >= rows_at_once) return;
  for (std::uint32_t x = rank - first_row * columns; x < work.box.width; x += columns) {
    const BoxColumn column(work, layout, x - 1);
    for (std::uint32_t row = first_row; row < count * work.rows.value(); row += rows_at_once) {
      std::uint32_t tile = row;
      const std::uint32_t y = work.rows.take_digit(tile);
      const bool living = x > 0 && y > 0 && state(tile, column, y - 1) == 1;
      boxes[tile * work.box.cells() + y * work.box.pitch + x] = living ? 1 : 0;
    }
  }
}

/// The same to rows of bits. A warp has every so manyth row, some at a time, so that their loads overlap.
template <typename Map, typename State>
__device__ __forceinline__ void stage_rows(const TileLayout& layout, const BoxWork& work, std::uint32_t count,
                                           const State& state, RowBox* boxes) {
  constexpr std::uint32_t kAtOnce = 4;
  const std::uint32_t warps = threads_in_block<Map>() / 32;
  const std::uint32_t warp = rank_in_block<Map>() / 32;
  if (warp >= warps) return;
  const std::uint32_t lane = rank_in_block<Map>() % 32;
  const FastDivisor<std::uint32_t>& height = work.rows;
  const std::uint32_t width = work.box.width - 1;
  const std::uint32_t all = count * height.value();
  const BoxColumn near(work, layout, lane);
  const BoxColumn far(work, layout, lane + 32);
  for (std::uint32_t first = warp * kAtOnce; first < all; first += warps * kAtOnce) {
    std::uint8_t states[2][kAtOnce];
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      std::uint32_t tile = first + i;
      const bool there = tile < all;
      const std::uint32_t y = height.take_digit(tile);
      states[0][i] = there && near.x < width ? state(tile, near, y) : 0;
      states[1][i] = there && far.x < width ? state(tile, far, y) : 0;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      const std::uint32_t low = __ballot_sync(~0u, states[0][i] == 1);
      const std::uint32_t high = __ballot_sync(~0u, states[1][i] == 1);
      std::uint32_t tile = first + i;
      const std::uint32_t y = height.take_digit(tile);
      if (lane == i && first + i < all) boxes[tile].rows[y] = low | std::uint64_t{high} << 32;
    }
  }
}

/// Replaces the values of `count` boxes by their sums over all points to the left and above. Ends without a
/// barrier.
template <typename Map>
__device__ __forceinline__ void add_up_boxes(const BoxWork& work, std::uint32_t count, std::uint16_t* boxes) {
  const TileBox& box = work.box;
  for (std::uint32_t row = rank_in_block<Map>(); row < count * work.rows.value();
       row += threads_in_block<Map>()) {
    std::uint32_t tile = row;
    const std::uint32_t y = work.rows.take_digit(tile);
    add_up(boxes + tile * box.cells() + y * box.pitch, box.width, 1);
  }
  __syncthreads();
  for (std::uint32_t column = rank_in_block<Map>(); column < count * box.pitch;
       column += threads_in_block<Map>()) {
    const std::uint32_t tile = column / box.pitch;
    add_up(boxes + tile * box.cells() + (column - tile * box.pitch), box.height, box.pitch);
  }
}

template <typename Map, typename Storage>
__device__ __forceinline__ void larger_life_block(const TileLayout& layout, const Map& map,
                                                  const Storage& storage, const BoxWork& work,
                                                  const std::uint8_t* __restrict__ now,
                                                  std::uint8_t* __restrict__ next, const LargeRule& rule) {
  using Int = typename Map::Index;
  using Tiles = BoxTiles<Map>;
  constexpr bool kCompact = std::is_same_v<Storage, TiledCompactStorage<Int>>;
  __shared__ SharedMemory<typename Tiles::Shared> shared;
  __shared__ SharedMemory<AroundSharedOf<Map, Storage>> around;
  extern __shared__ uint4 dynamic[];
  auto* const bases = reinterpret_cast<std::uint64_t*>(dynamic);
  auto* const boxes =
      reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::uint8_t*>(dynamic) + work.boxes_at);

  const bool sums = work.counting == Counting::kSums;
  Tiles::find(map, storage, layout, shared.get());
  const TileThread mine = Tiles::thread(layout);
  const std::uint32_t parallel = kIsBox<Map> ? layout.tiles() : layout.parallel;
  const ThreadPosition position = Tiles::position(map, layout, mine);
  const bool works = mine.tile < parallel && position.present;
  if (!__syncthreads_or(works)) return;  // most tiles of the bounding box
  for (std::uint32_t first = 0; first < layout.tiles(); first += parallel) {
    const std::uint32_t end = min(first + parallel, layout.tiles());
    for (std::uint32_t from = first; from < end; from += work.tiles) {
      const std::uint32_t count = min(work.tiles, end - from);
      const auto origin_of = [&](std::uint32_t tile) {
        return Tiles::origin(map, storage, layout, shared.get(), from + tile);
      };
      if constexpr (kCompact) {
        find_tiles_around(map, storage, layout, work, shared.get().origins + from, count, around.get(),
                          bases);
        __syncthreads();
      }
      stage_boxes<Map>(
          layout, work, count,
          [&](std::uint32_t tile, const BoxColumn& column, std::uint32_t y) {
            return state_in_box(storage, layout, work, origin_of, bases, now, tile, column, y);
          },
          boxes);
      __syncthreads();
      if (sums) {
        add_up_boxes<Map>(work, count, boxes);
        __syncthreads();
      }
      const std::uint32_t tile = first + mine.tile - from;
      if (works && tile < count) {
        const TileOrigin<Int> origin = origin_of(tile);
        if (origin.offset != kNoTile) {
          const Coord32 at = Tiles::turned(map, shared.get(), from + tile, position.at);
          const std::uint64_t offset = origin.offset + std::uint64_t{at.y} * storage.pitch() + at.x;
          const std::uint16_t* const own = boxes + tile * work.box.cells() + work.box.at(at);
          const int pitch = static_cast<int>(work.box.pitch);
          const std::uint32_t living =
              sums ? count_by_sums(rule, own, pitch) : count_directly(rule, own, pitch);
          next[offset] = next_state(rule, now[offset], living);
        }
      }
      __syncthreads();
    }
  }
}

/// The same with rows of bits: warps copy the rows and count, a tile each; then each thread has its cells.
template <typename Map, typename Storage>
__device__ __forceinline__ void larger_rows_block(const TileLayout& layout, const Map& map,
                                                  const Storage& storage, const BoxWork& work,
                                                  const std::uint8_t* __restrict__ now,
                                                  std::uint8_t* __restrict__ next, const LargeRule& rule) {
  using Int = typename Map::Index;
  using Tiles = BoxTiles<Map>;
  __shared__ SharedMemory<typename Tiles::Shared> shared;
  __shared__ SharedMemory<AroundSharedOf<Map, Storage>> around;
  extern __shared__ uint4 dynamic[];
  auto* const bases = reinterpret_cast<std::uint64_t*>(dynamic);
  auto* const boxes = reinterpret_cast<RowBox*>(reinterpret_cast<std::uint8_t*>(dynamic) + work.boxes_at);

  Tiles::find(map, storage, layout, shared.get());
  const TileThread mine = Tiles::thread(layout);
  const std::uint32_t parallel = kIsBox<Map> ? layout.tiles() : layout.parallel;
  const ThreadPosition position = Tiles::position(map, layout, mine);
  const bool works = mine.tile < parallel && position.present;
  if (!__syncthreads_or(works)) return;  // most tiles of the bounding box
  const std::uint32_t rank = rank_in_block<Map>();
  const std::uint32_t warps = threads_in_block<Map>() / 32;
  std::uint32_t tile = mine.tile;
  for (std::uint32_t from = 0; from < layout.tiles(); from += work.tiles) {
    const std::uint32_t count = min(work.tiles, layout.tiles() - from);
    const auto origin_of = [&](std::uint32_t of) {
      return Tiles::origin(map, storage, layout, shared.get(), from + of);
    };
    if constexpr (std::is_same_v<Storage, TiledCompactStorage<Int>>) {
      find_tiles_around(map, storage, layout, work, shared.get().origins + from, count, around.get(), bases);
      __syncthreads();
    }
    stage_rows<Map>(
        layout, work, count,
        [&](std::uint32_t of, const BoxColumn& column, std::uint32_t y) {
          return state_in_box(storage, layout, work, origin_of, bases, now, of, column, y);
        },
        boxes);
    __syncthreads();
    if (rank < warps * 32) {
      for (std::uint32_t of = rank / 32; of < count; of += warps) {
        if (work.counting == Counting::kBits) {
          count_in_bits(boxes[of], work.rows.value(), rank % 32, rule);
        } else {
          count_by_products(boxes[of], {layout.rho_x.value(), layout.rho_y.value()}, rank % 32, rule);
        }
      }
    }
    __syncthreads();
    for (; works && tile < from + count; tile += parallel) {
      const TileOrigin<Int> origin = origin_of(tile - from);
      if (origin.offset == kNoTile) continue;
      const Coord32 at = Tiles::turned(map, shared.get(), tile, position.at);
      const std::uint64_t offset = origin.offset + std::uint64_t{at.y} * storage.pitch() + at.x;
      const std::uint32_t own = rule.rule.states == 2 ? 0 : now[offset];
      next[offset] = next_state(rule, own, boxes[tile - from].rows[at.y], at.x);
    }
    __syncthreads();
  }
}

/// Recorder as in life_expanded.cuh.
template <typename Recorder, bool kRows, typename Map, typename Storage>
__global__ void __launch_bounds__(kMaxBlockThreads)
    larger_life_kernel(const __grid_constant__ TileLayout layout, const __grid_constant__ Map map,
                       const __grid_constant__ Storage storage, const __grid_constant__ BoxWork work,
                       const std::uint8_t* __restrict__ now, std::uint8_t* __restrict__ next,
                       const __grid_constant__ LargeRule rule, const __grid_constant__ Recorder recorder) {
  record_work(
      recorder,
      [&] {
        if constexpr (kRows)
          larger_rows_block(layout, map, storage, work, now, next, rule);
        else
          larger_life_block(layout, map, storage, work, now, next, rule);
      },
      [&] { return block_in_launch(layout); });
}

/// Calls `use(kernel, work)` with the kernel for a method's map and storage.
template <typename Recorder, typename Map, typename Storage, typename Use>
void with_larger_kernel(const MapMethod& method, const TiledFractal& fractal, const LifeRule& rule,
                        const Map& map, const Storage&, const Use& use) {
  constexpr std::uint32_t kUsed =
      sizeof(typename BoxTiles<Map>::Shared) + sizeof(AroundSharedOf<Map, Storage>);
  const BoxWork work(method, fractal, rule.larger, gpu_launch(method, fractal, map.launch_shape()),
                     BoxWork::kBytes - kUsed);
  use(work.of_rows() ? larger_life_kernel<Recorder, true, Map, Storage>
                     : larger_life_kernel<Recorder, false, Map, Storage>,
      work);
}

/// Launches it.
template <typename Recorder, typename Map, typename Storage>
void launch_larger(void (*kernel)(TileLayout, Map, Storage, BoxWork, const std::uint8_t*, std::uint8_t*,
                                  LargeRule, Recorder),
                   const BoxWork& work, const Map& map, const Storage& storage, const MapMethod& method,
                   const std::uint8_t* now, std::uint8_t* next, const LifeRule& rule,
                   const Recorder& recorder, const LaunchSlices& slices, const Stream& stream) {
  // Steps beyond those of launch_tiles(), which are 8 per point.
  const std::uint64_t points = map.tiled.points_per_tile();
  const std::uint64_t counted = (work.counting == Counting::kDirect ? rule.larger.area() : 4) * points;
  LaunchSlices own = slices;
  own.max_steps =
      std::max<std::uint64_t>(1, slices.max_steps / (1 + (counted + 4 * work.box.cells()) / (8 * points)));
  launch_tiles(kernel, map, method, work.bytes, own, stream, map, storage, work, now, next, LargeRule(rule),
               recorder);
}

}  // namespace loom::cuda
