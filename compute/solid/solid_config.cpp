#include "compute/solid/solid_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/map/tiling.h"

namespace loom {
namespace {

/// Most threads of a thread block with several groups. On the compact map, tiles of at least
/// kThreadsOfOneGroup threads get one group.
constexpr std::uint32_t kThreads = 256;
constexpr std::uint32_t kThreadsOfOneGroup = 64;
/// Shared memory of a thread block; below the 48 KiB that need no opt-in.
constexpr std::uint32_t kSharedBytes = 40 * 1024;
/// Threads that fill a large GPU.
constexpr std::uint64_t kFillingThreads = std::uint64_t{1} << 16;

bool is_box(const MapMethod& method) {
  return method.map == MapKind::kBoundingBox;
}

std::uint32_t threads_per_tile(const MapMethod& method, const TiledSolid& tiled) {
  const bool every_point = is_box(method) || method.intra_block == IntraBlock::kSubBox;
  return every_point ? tiled.points_per_tile() : tiled.tile_cells;
}

std::uint64_t tiles_of(const MapMethod& method, const TiledSolid& tiled) {
  return is_box(method) ? box_tiles(tiled) : tiled.orthotope_tiles();
}

/// Whether it pays to read and write whole tiles.
bool has_few_holes(const TiledSolid& tiled) {
  return tiled.points_per_tile() <= 4 * tiled.tile_cells;
}

std::uint32_t shared_bytes_of(const MapMethod& method, const TiledSolid& tiled, SolidTiling tiling) {
  if (is_box(method)) return tiling.tiles * static_cast<std::uint32_t>(sizeof(Coord3));
  return SolidSharedMemory(tiled, method.map == MapKind::kCompact, tiling).bytes;
}

/// The largest number of tiles per thread. Measured: more are faster if a tile has many threads and few
/// holes.
std::uint32_t most_rounds(const MapMethod& method, const TiledSolid& tiled) {
  if (is_box(method)) return 1;
  const bool compact = method.map == MapKind::kCompact;
  const std::uint32_t most = compact && has_few_holes(tiled) ? kSolidRounds : kSolidRounds / 2;
  return std::bit_floor(std::clamp(threads_per_tile(method, tiled) / 4, kByteRounds, most));
}

/// Calls `use` with each allowed tiling, ascending.
template <typename Use>
void for_each_tiling(const MapMethod& method, const TiledSolid& tiled, const Use& use) {
  const std::uint32_t threads = threads_per_tile(method, tiled);
  const std::uint32_t most = most_rounds(method, tiled);
  for (std::uint32_t tiles = 1; tiles <= kMaxTiles; tiles *= 2) {
    const std::uint32_t rounds = std::min(tiles, most);
    const SolidTiling tiling{tiles, rounds, tiles / rounds};
    if (tiling.parallel * threads > kMaxBlockThreads) return;
    if (tiles > 1 && shared_bytes_of(method, tiled, tiling) > kSharedBytes) return;
    use(tiling);
  }
}

}  // namespace

SolidSharedMemory::SolidSharedMemory(const TiledSolid& tiled, bool compact, SolidTiling tiling) {
  const Coord3 rho = tiled.rho;
  const auto aligned = [](std::uint32_t size) { return ceil_divide(size, 16u) * 16; };
  box_points = (rho.x + 2) * (rho.y + 2) * (rho.z + 2);
  neighbours = aligned(tiling.parallel * box_points * 4);
  // More than one load each, they are padded: loads of different neighbours then have no bank conflicts.
  neighbour_rounds = std::max(tiling.rounds, 4u);
  neighbour_pitch = neighbour_rounds > 4 ? neighbour_rounds + 4 : 4;
  whole_tiles = compact && tiling.rounds >= 16 && has_few_holes(tiled);
  places = neighbours + (compact ? solid_neighbour(*this, tiling.parallel, 0) * 4 : 0);
  copies = aligned(places +
                   tiling.tiles * static_cast<std::uint32_t>(compact ? sizeof(Coord3) : sizeof(SolidOrigin)));
  bytes = copies + (whole_tiles ? tiling.tiles * tiled.points_per_tile() : 0);
}

std::string method_problem(const MapMethod& method, const TiledSolid& tiled) {
  if (method.storage != CellStorage::kBytes)
    return "three-dimensional fractals have no bit-packed storage; allowed: --storage bytes";
  if (!is_box(method) && method.arithmetic != MapArithmetic::kLoop &&
      method.arithmetic != MapArithmetic::kTable) {
    return fmt::format("{} is an arithmetic of two-dimensional maps only; allowed: loop, table",
                       name_of(method.arithmetic));
  }
  if (method.map == MapKind::kCompact && tiled.orthotope_tiles() >= kNoSolidTile) {
    return fmt::format("the compact map has {} tiles of this size; allowed: less than 2^32, larger tiles",
                       tiled.orthotope_tiles());
  }
  if (method.tiles == 0) return {};
  const auto allowed = allowed_tiles(method, tiled);
  if (std::ranges::find(allowed, method.tiles) != allowed.end()) return {};
  return fmt::format("{} tiles per thread block are not possible here; allowed: auto, {}", method.tiles,
                     fmt::join(allowed, ", "));
}

void validate(const SolidConfig& config) {
  const TiledSolid tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  if (const std::string reason = method_problem(config.method, tiled); !reason.empty())
    throw InputError(reason);
}

void keep_method_valid(SolidConfig& config) {
  const TiledSolid tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  if (!method_problem(config.method, tiled).empty()) config.method.tiles = 0;
}

std::uint64_t bytes_needed(const SolidConfig& config) {
  const TiledSolid tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  return saturating_multiply(2, config.method.map == MapKind::kCompact
                                    ? saturating_multiply(tiled.orthotope_tiles(), tiled.points_per_tile())
                                    : box_points(tiled));
}

SolidMap make_solid_map(const MapMethod& method, const TiledSolid& tiled, const SolidEntry* entries,
                        const std::uint32_t* tile_cells) {
  SolidMap map;
  map.tiled = tiled;
  map.kind = method.map;
  map.intra_block = is_box(method) ? IntraBlock::kSubBox : method.intra_block;
  map.arithmetic = SolidArithmetic(method.arithmetic, tiled, entries);
  map.tile_cells = tile_cells;
  map.grid = BoxIndex(is_box(method) ? tiled.grid : tiled.orthotope);
  map.points = BoxIndex(tiled.rho);
  const auto side = [&](int digits) {
    return static_cast<std::uint32_t>(*checked_power(tiled.transform.shape.k, digits));
  };
  const int levels = tiled.tile_level;
  map.unrolled = BoxIndex({side((levels + 2) / 3), side((levels + 1) / 3), side(levels / 3)});
  return map;
}

std::vector<std::uint32_t> allowed_tiles(const MapMethod& method, const TiledSolid& tiled) {
  std::vector<std::uint32_t> allowed;
  for_each_tiling(method, tiled, [&](SolidTiling tiling) { allowed.push_back(tiling.tiles); });
  return allowed;
}

SolidLaunch solid_launch(const MapMethod& method, const TiledSolid& tiled) {
  const std::uint64_t tiles = tiles_of(method, tiled);
  const std::uint32_t threads = threads_per_tile(method, tiled);
  SolidLaunch launch;
  launch.tiling = {1, 1, 1};
  const bool one_group = method.map == MapKind::kCompact && threads >= kThreadsOfOneGroup;
  // Without a chosen number of tiles, enough threads remain to fill a large GPU. Without staged tiles, a
  // thread that works on more of them only has more latency.
  const bool staged = method.map == MapKind::kLambda || method.halo;
  const std::uint64_t rounds = std::max<std::uint64_t>(
      kByteRounds, staged ? saturating_multiply(tiles, threads) / kFillingThreads : 0);
  for_each_tiling(method, tiled, [&](SolidTiling tiling) {
    const bool suits = tiling.rounds <= rounds && tiling.tiles < 2 * tiles &&
                       (tiling.parallel == 1 || (!one_group && tiling.parallel * threads <= kThreads));
    if (method.tiles == 0 ? suits : tiling.tiles == method.tiles) launch.tiling = tiling;
  });
  launch.blocks = ceil_divide<std::uint64_t>(tiles, launch.tiling.tiles);
  launch.threads = launch.tiling.parallel * threads;
  launch.shared_bytes = shared_bytes_of(method, tiled, launch.tiling);
  return launch;
}

}  // namespace loom
