#include "app/explain/thread_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <type_traits>

#include "app/explain/map_steps.h"
#include "app/explain/memory.h"
#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/canonical_order.h"
#include "compute/geometry/storage.h"
#include "compute/map/dispatch.h"

namespace loom::app::explain {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

std::optional<std::uint64_t> unless_saturated(std::uint64_t count) {
  if (count == kMost) return std::nullopt;
  return count;
}

/// Sets positions, cells and addresses of threads, with the map and storage of the kernels.
void find_cells(const MapMethod& method, const TiledFractal& tiled, const MapTables& tables,
                bool has_addresses, std::span<ThreadLocation> threads) {
  with_kernel_map(
      method, tiled, tables, [&]<typename Map, typename Storage>(const Map& map, const Storage& storage) {
        using Int = typename Map::Index;
        const std::uint32_t wide = map.launch_shape().threads_x;
        for (ThreadLocation& found : threads) {
          const auto omega = narrowed<Int>(found.ref.tile);
          const Coord32 thread{found.ref.thread % wide, found.ref.thread / wide};
          const Coord<Int> place = map.place(omega);
          const ThreadPosition position = position_in(map, place, thread, symmetry_of(map, omega));
          found.at = position.at;
          found.has_position = has_place(map, place);
          if (!found.has_position) continue;
          found.place = widened(place);
          if constexpr (Map::kExecutionScope == ExecutionScope::kMatrixCells) {
            found.cell = widened(map.arithmetic.cell(omega, position.at));
          } else {
            found.cell = widened(cell_in_tile(tiled, place, position.at));
          }
          found.has_cell = position.present;
          if (!found.has_cell || !has_addresses) continue;
          found.address = storage.tile_origin(omega, place) + std::uint64_t{position.at.y} * storage.pitch() +
                          position.at.x;
        }
      });
}

}  // namespace

namespace {

const FractalConfig& checked(const FractalConfig& config) {
  validate(config);
  if (!has_tiles(config)) throw InputError(fmt::format("{} Allowed: --storage bytes", kByteStorageOnly));
  return config;
}

}  // namespace

ThreadSpace::ThreadSpace(const FractalConfig& config)
    : config_(checked(config)),
      tiled_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      tables_(tiled_),
      shape_(launch_shape(config.method, tiled_)),
      launch_(gpu_launch(config.method, tiled_, shape_)),
      threads_(unless_saturated(
          saturating_multiply(saturating_multiply(shape_.tiles_x, shape_.tiles_y), launch_.threads_of_tile))),
      bytes_(unless_saturated(bytes_of_generation(config.method, tiled_))) {}

void ThreadSpace::check(const ThreadRef& ref) const {
  if (ref.tile.x >= shape_.tiles_x || ref.tile.y >= shape_.tiles_y) {
    throw InputError(fmt::format("there is no tile ({}, {}); allowed: (0, 0) to ({}, {})", ref.tile.x,
                                 ref.tile.y, shape_.tiles_x - 1, shape_.tiles_y - 1));
  }
  if (ref.thread >= threads_per_tile()) {
    throw InputError(
        fmt::format("a tile has no thread {}; allowed: 0 to {}", ref.thread, threads_per_tile() - 1));
  }
}

ThreadLocation ThreadSpace::in_launch(const ThreadRef& ref) const {
  ThreadLocation found;
  found.ref = ref;
  const Tiling& tiling = launch_.tiling;
  found.thread_block = {ref.tile.x / tiling.x, ref.tile.y / tiling.y};
  found.tile = static_cast<std::uint32_t>(ref.tile.y % tiling.y * tiling.x + ref.tile.x % tiling.x);
  found.round = found.tile / tiling.parallel;
  found.rank = found.tile % tiling.parallel * launch_.threads_of_tile + ref.thread;
  return found;
}

ThreadLocation ThreadSpace::location_of(const ThreadRef& ref) const {
  check(ref);
  ThreadLocation found = in_launch(ref);
  find_cells(config_.method, tiled_, tables_.view(), bytes_.has_value(), {&found, 1});
  return found;
}

std::array<std::optional<ThreadLocation>, kWarpLanes> ThreadSpace::locations_of(const Warp& warp) const {
  std::vector<ThreadLocation> threads;
  for (const auto& ref : warp.lanes) {
    if (!ref) continue;
    check(*ref);
    threads.push_back(in_launch(*ref));
  }
  find_cells(config_.method, tiled_, tables_.view(), bytes_.has_value(), threads);
  std::array<std::optional<ThreadLocation>, kWarpLanes> places;
  for (const ThreadLocation& thread : threads) places[thread.lane()] = thread;
  return places;
}

std::vector<ThreadLocation> ThreadSpace::locations_in_tile(Coord64 tile) const {
  check({tile, 0});
  std::vector<ThreadLocation> places;
  places.reserve(threads_per_tile());
  for (std::uint32_t thread = 0; thread < threads_per_tile(); ++thread) {
    places.push_back(in_launch({tile, thread}));
  }
  find_cells(config_.method, tiled_, tables_.view(), bytes_.has_value(), places);
  return places;
}

std::optional<ThreadRef> ThreadSpace::thread_at(Coord64 point) const {
  if (point.x >= tiled_.width || point.y >= tiled_.height) return std::nullopt;
  const Coord64 place{point.x / tiled_.rho_x, point.y / tiled_.rho_y};
  const Coord32 at{static_cast<std::uint32_t>(point.x % tiled_.rho_x),
                   static_cast<std::uint32_t>(point.y % tiled_.rho_y)};
  if (config_.method.map == MapKind::kBoundingBox) return ThreadRef{place, at.y * tiled_.rho_x + at.x};
  const NbbTransform<std::uint64_t> transform(tiled_.shape, tiled_.levels, tiled_.coarse_level);
  const CompactCoord<std::uint64_t> omega = nu_map(transform, tiled_.coarse_level, place);
  if (!omega.present) return std::nullopt;
  const std::optional<ThreadRef> ref = thread_in_tile(omega.omega, at);
  if (ref && !is_exact(config_.method.arithmetic) && location_of(*ref).cell != point) return std::nullopt;
  return ref;
}

std::optional<ThreadRef> ThreadSpace::thread_in_tile(Coord64 omega, Coord32 at) const {
  if (tiled_.is_turned()) {
    const NbbTransform<std::uint64_t> transform(tiled_.shape, tiled_.levels, tiled_.coarse_level);
    const Symmetry symmetry = turned_lambda_map(transform, tiled_.coarse_level, omega).symmetry;
    at = apply(inverse(symmetry), at, tiled_.rho_x);
  }
  const std::uint32_t position = at.y * tiled_.rho_x + at.x;
  if (config_.method.intra_block == IntraBlock::kSubBox) return ThreadRef{omega, position};
  if (!tiled_.micro_member(position)) return std::nullopt;
  if (config_.method.intra_block == IntraBlock::kUnrolled) {
    return ThreadRef{omega, UnrolledThreads(tiled_).thread_at(at).x};
  }
  return ThreadRef{omega, LookupThreads(tiled_, tables_.tile_cells().data()).thread_at(at).x};
}

std::optional<ThreadRef> ThreadSpace::thread_of(Coord64 cell) const {
  const std::optional<ThreadRef> ref = thread_at(cell);
  if (!ref || !location_of(*ref).has_cell) return std::nullopt;
  return ref;
}

std::optional<ThreadRef> ThreadSpace::thread_at_address(std::uint64_t byte) const {
  if (!bytes_ || byte >= *bytes_) return std::nullopt;
  if (layout_of(config_.method.map) == StorageLayout::kExpanded) {
    return thread_of({byte % tiled_.width, byte / tiled_.width});
  }
  const std::uint64_t tile = byte / tiled_.points_per_tile();
  const auto at = static_cast<std::uint32_t>(byte % tiled_.points_per_tile());
  const std::optional<ThreadRef> ref = thread_in_tile({tile % tiled_.orthotope_x, tile / tiled_.orthotope_x},
                                                      {at % tiled_.rho_x, at / tiled_.rho_x});
  if (!ref || location_of(*ref).address != byte) return std::nullopt;
  return ref;
}

std::uint64_t ThreadSpace::number_of(const ThreadRef& ref) const {
  check(ref);
  if (!threads_) throw InputError("thread indices of this launch exceed 64 bits");
  return (ref.tile.y * shape_.tiles_x + ref.tile.x) * threads_per_tile() + ref.thread;
}

ThreadRef ThreadSpace::thread_by_number(std::uint64_t number) const {
  if (!threads_) throw InputError("thread indices of this launch exceed 64 bits");
  if (number >= *threads_) {
    throw InputError(fmt::format("there is no thread {}; allowed: 0 to {}", number, *threads_ - 1));
  }
  const std::uint64_t tile = number / threads_per_tile();
  return {{tile % shape_.tiles_x, tile / shape_.tiles_x},
          static_cast<std::uint32_t>(number % threads_per_tile())};
}

std::optional<std::uint64_t> ThreadSpace::index_of_cell(Coord64 cell) const {
  if (cell.x >= tiled_.width || cell.y >= tiled_.height) return std::nullopt;
  const auto index = CanonicalOrder<std::uint64_t>(tiled_).index(cell);
  if (!index.present) return std::nullopt;
  return index.value;
}

Coord64 ThreadSpace::cell_by_index(std::uint64_t index) const {
  if (index >= tiled_.cells) {
    throw InputError(fmt::format("there is no cell {}; allowed: 0 to {}", index, tiled_.cells - 1));
  }
  return CanonicalOrder<std::uint64_t>(tiled_).cell(index);
}

Warp ThreadSpace::warp_of(const ThreadRef& ref) const {
  check(ref);
  const ThreadLocation mine = in_launch(ref);
  return warp_at(mine.thread_block, mine.warp(), mine.round);
}

Warp ThreadSpace::warp_at(Coord64 thread_block, std::uint32_t number, std::uint32_t round) const {
  const Tiling& tiling = launch_.tiling;
  Warp warp{.thread_block = thread_block, .number = number, .round = round, .lanes = {}};
  for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
    const std::uint32_t rank = number * kWarpLanes + lane;
    const std::uint32_t slot = rank / launch_.threads_of_tile;
    if (slot >= tiling.parallel) break;  // the remaining lanes pad the warp
    if (tiling.parallel * round >= tiling.tiles()) break;
    const std::uint32_t tile = round * tiling.parallel + slot;
    const Coord64 omega{thread_block.x * tiling.x + tile % tiling.x,
                        thread_block.y * tiling.y + tile / tiling.x};
    if (omega.x >= shape_.tiles_x || omega.y >= shape_.tiles_y) continue;
    warp.lanes[lane] = ThreadRef{omega, rank % launch_.threads_of_tile};
  }
  return warp;
}

std::string ThreadSpace::sentence(const ThreadRef& ref) const {
  const ThreadLocation found = location_of(ref);
  const auto pair = [](Coord64 c) { return fmt::format("({}, {})", format_count(c.x), format_count(c.y)); };
  std::string text = fmt::format("thread {} of tile {}{}", ref.thread,
                                 config_.method.map == MapKind::kBoundingBox ? "" : "ω ", pair(ref.tile));
  if (!found.has_position) return text + " → outside the square";
  if (!found.has_cell) return text + fmt::format(" → idle: {} is a hole", pair(found.cell));
  text += fmt::format(" → cell {}", pair(found.cell));
  if (!found.address) return text + " → byte offset exceeds 64 bits";
  return text +
         fmt::format(" → byte {}, cache line {}", format_count(*found.address), format_count(found.line()));
}

namespace {

/// The position of a tile of the map; for compact storage also the offsets of its neighbours.
template <typename Map, typename Storage>
PlacedTile find_tile(const Map& map, const Storage& storage, Coord64 omega64) {
  using Int = typename Map::Index;
  const auto omega = narrowed<Int>(omega64);
  const Coord<Int> place = map.place(omega);
  PlacedTile tile;
  std::fill(std::begin(tile.neighbours.base), std::end(tile.neighbours.base), kNoIndex);
  tile.there = has_place(map, place);
  tile.origin = storage.tile_origin(omega, place);
  tile.corner = widened(cell_in_tile(map.tiled, place, {0, 0}));
  if (!tile.there) return tile;
  if constexpr (std::is_same_v<Storage, TiledCompactStorage<Int>>) {
    for (std::uint32_t which = 0; which < 9; ++which) {
      tile.neighbours.base[which] =
          which == 4 ? tile.origin : neighbour_base(storage, map.arithmetic, place, which);
    }
  }
  return tile;
}

}  // namespace

std::vector<PlacedTile> tiles_of(const ThreadSpace& space, Coord64 thread_block) {
  const Tiling& tiling = space.launch().tiling;
  std::vector<PlacedTile> tiles(tiling.tiles());
  with_kernel_map(space.config().method, space.tiled(), space.tables().view(),
                  [&](const auto& map, const auto& storage) {
                    for (std::uint32_t i = 0; i < tiling.tiles(); ++i) {
                      const Coord64 omega{thread_block.x * tiling.x + i % tiling.x,
                                          thread_block.y * tiling.y + i / tiling.x};
                      if (omega.x >= space.shape().tiles_x || omega.y >= space.shape().tiles_y) continue;
                      tiles[i] = find_tile(map, storage, omega);
                    }
                  });
  return tiles;
}

ThreadBlockWorkers::ThreadBlockWorkers(const FractalConfig& config, const Timeline& timeline)
    : config_(config),
      gpu_(timeline.launches.front().occupancy.kernel.threads > 0),
      workers_(static_cast<std::uint32_t>(timeline.workers.size())),
      left_out_(timeline.spans_left_out) {
  for (const TimelineSpan& span : timeline.spans) runs_.push_back({span.block, span.count, span.worker});
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
}

std::shared_ptr<const ThreadBlockWorkers> ThreadBlockWorkers::of(const FractalConfig& config,
                                                                 const Timeline& timeline) {
  if (timeline.launches.size() != 1) return nullptr;
  return std::make_shared<const ThreadBlockWorkers>(config, timeline);
}

std::optional<std::uint32_t> ThreadBlockWorkers::worker_of(const ThreadSpace& threads,
                                                           const ThreadLocation& place) const {
  const std::uint64_t number = gpu_ ? place.thread_block.y * threads.launch().blocks_x + place.thread_block.x
                                    : place.ref.tile.y * threads.shape().tiles_x + place.ref.tile.x;
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), number,
                                      [](std::uint64_t at, const Run& run) { return at < run.first; });
  if (after == runs_.begin()) return std::nullopt;
  const Run& run = *std::prev(after);
  if (number - run.first >= run.count) return std::nullopt;
  return run.worker;
}

}  // namespace loom::app::explain
