#include "app/explain/colour_by.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/text/format.h"
#include "compute/core/integer_math.h"
#include "compute/core/named_choice.h"

namespace loom::app::explain {
namespace {

ColourKey number(std::uint64_t value) {
  return {.kind = ColourKey::Kind::kNumber, .number = value, .share = 0};
}

ColourKey ordered(std::uint64_t value, std::uint64_t count) {
  const double last = static_cast<double>(std::max<std::uint64_t>(count, 2) - 1);
  return {.kind = ColourKey::Kind::kOrdered,
          .number = value,
          .share = static_cast<float>(static_cast<double>(value) / last)};
}

/// The shape of a level; level 0 has one cell and no replica.
const NbbShape& shape_of(const TiledFractal& tiled, int level) {
  return level > tiled.level ? tiled.shape : tiled.level_shape(level);
}

/// The replica of a point at a level, 1 the finest; negative if the point is a hole at that level.
int replica_of(const TiledFractal& tiled, Coord64 cell, int level) {
  if (tiled.is_turned()) {
    int found = -1;
    const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, tiled.level);
    walk_turned(transform, tiled.level, cell, [&](int mu, int replica) {
      if (mu == level) found = replica;
    });
    return found;
  }
  for (int below = 1; below < level; ++below) {
    const NbbShape& shape = tiled.level_shape(below);
    cell = {cell.x / shape.s_x, cell.y / shape.s_y};
  }
  const NbbShape& shape = shape_of(tiled, level);
  return shape.replica_at[cell.y % shape.s_y * shape.s_x + cell.x % shape.s_x];
}

/// How the replicas of a cell from level `level` up turn the content of that level's replica.
loom::Symmetry orientation_of(const TiledFractal& tiled, Coord64 cell, int level) {
  loom::Symmetry symmetry = loom::Symmetry::kIdentity;
  if (!tiled.is_turned()) return symmetry;
  const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, tiled.level);
  walk_turned(transform, tiled.level, cell, [&](int mu, int replica) {
    if (mu >= level) symmetry = compose(symmetry, transform.level(mu).symmetry[replica]);
  });
  return symmetry;
}

ColourLegend worker_legend(const ThreadBlockWorkers& workers) {
  const std::string what = workers.gpu() ? "multiprocessor" : "CPU thread";
  std::string of = fmt::format("one colour per {} ({}) of the captured launch", what, workers.workers());
  if (workers.left_out() > 0) of += "; some spans were not recorded";
  return {ColourKey::Kind::kNumber, what, of, "", workers.workers()};
}

}  // namespace

std::string_view name_of(ColourBy by) {
  static constexpr std::array<std::string_view, 10> kNames = {
      "state",   "block",   "thread",      "warp",           "tile",
      "address", "replica", "orientation", "multiprocessor", "device"};
  return kNames[static_cast<std::size_t>(by)];
}

ColourBy parse_colour_by(std::string_view name) {
  return parse_choice("colour", name, kColourings);
}

ColourKey colour_key(const ThreadSpace& threads, const ThreadLocation& place, const Colouring& colouring) {
  switch (colouring.by) {
    case ColourBy::kState:
      return {};
    case ColourBy::kTileIndex:
      return number(place.ref.tile.y * threads.shape().tiles_x + place.ref.tile.x);
    case ColourBy::kThread:
      return ordered(place.ref.thread, threads.threads_per_tile());
    case ColourBy::kWarp: {
      const GpuLaunch& launch = threads.launch();
      const std::uint64_t block = place.thread_block.y * launch.blocks_x + place.thread_block.x;
      const std::uint64_t warps = (launch.threads + kWarpLanes - 1) / kWarpLanes;
      const std::uint64_t rounds =
          (launch.tiling.tiles() + launch.tiling.parallel - 1) / launch.tiling.parallel;
      return number((block * rounds + place.round) * warps + place.warp());
    }
    case ColourBy::kTileSlot:
      return number(place.tile);
    case ColourBy::kAddress:
      if (!place.address) return {};
      return ordered(*place.address, threads.bytes().value_or(0));
    case ColourBy::kReplica: {
      if (!place.has_cell) return {};
      const int replica = replica_of(threads.tiled(), place.cell, colouring.level);
      return replica < 0 ? ColourKey{} : number(static_cast<std::uint64_t>(replica));
    }
    case ColourBy::kOrientation:
      if (!place.has_cell) return {};
      return number(static_cast<std::uint64_t>(orientation_of(threads.tiled(), place.cell, colouring.level)));
    case ColourBy::kWorker: {
      const auto worker = colouring.workers ? colouring.workers->worker_of(threads, place) : std::nullopt;
      return worker ? number(*worker) : ColourKey{};
    }
    case ColourBy::kDevice:
      return {};
  }
  return {};
}

ColourLegend legend_of(const DeviceCells& devices) {
  return {ColourKey::Kind::kNumber, devices.name(),
          fmt::format("one colour per device ({}); pixels covering several keep the cell colour",
                      devices.devices()),
          "", devices.devices()};
}

ColourLegend legend_of(const ThreadSpace& threads, const Colouring& colouring) {
  using Kind = ColourKey::Kind;
  const bool box = threads.config().method.map == MapKind::kBoundingBox;
  const GpuLaunch& launch = threads.launch();
  switch (colouring.by) {
    case ColourBy::kState:
      break;
    case ColourBy::kTileIndex: {
      const std::uint64_t tiles = saturating_multiply(threads.shape().tiles_x, threads.shape().tiles_y);
      return {Kind::kNumber, box ? "tile" : "tile ω", "one colour per tile", "", tiles + 1 == 0 ? 0 : tiles};
    }
    case ColourBy::kThread:
      return {Kind::kOrdered, "thread index in tile", "0", format_count(threads.threads_per_tile() - 1), 0};
    case ColourBy::kWarp: {
      const std::uint64_t warps = (launch.threads + kWarpLanes - 1) / kWarpLanes;
      return {Kind::kNumber, "warp",
              fmt::format("one colour per warp, {} warps per thread block", format_count(warps)), "", 0};
    }
    case ColourBy::kTileSlot:
      return {Kind::kNumber, "tile in thread block",
              fmt::format("{} per thread block", format_count(launch.tiling.tiles())), "",
              launch.tiling.tiles()};
    case ColourBy::kAddress:
      return {Kind::kOrdered, "byte offset", "0",
              threads.bytes() ? format_count(*threads.bytes() - 1) : "over 64 bits", 0};
    case ColourBy::kReplica:
      return {Kind::kNumber, fmt::format("replica at level {}", colouring.level),
              fmt::format("{} replicas", shape_of(threads.tiled(), colouring.level).k), "",
              shape_of(threads.tiled(), colouring.level).k};
    case ColourBy::kOrientation:
      return {Kind::kNumber, fmt::format("orientation at level {}", colouring.level),
              "one colour per symmetry of the square", "", kSymmetryCount};
    case ColourBy::kWorker:
      if (!colouring.workers) break;
      return worker_legend(*colouring.workers);
    case ColourBy::kDevice:
      break;
  }
  return {Kind::kNone, "state", "dead", "alive", 2};
}

}  // namespace loom::app::explain
