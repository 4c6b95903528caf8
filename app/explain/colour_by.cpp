#include "app/explain/colour_by.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "app/text/format.h"
#include "compute/core/input_text.h"
#include "compute/core/integer_math.h"
#include "compute/distributed/partitioning.h"

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
  return value_for<ColourBy::kDevice>({"state", "block", "thread", "warp", "tile", "address", "replica",
                                       "orientation", "multiprocessor", "device"},
                                      by);
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

namespace {

constexpr glm::u8vec3 kNothing = {62, 44, 46};  ///< dark red: idle threads, stored holes
constexpr glm::u8vec3 kDead = {44, 70, 140};
constexpr glm::u8vec3 kAlive = {255, 232, 60};

std::uint8_t byte_of(double part) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
}

/// All arguments are 0 to 1.
glm::u8vec3 from_hsv(double hue, double saturation, double value) {
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue * 6, 6.0);
    return byte_of(value - value * saturation * std::max(0.0, std::min({k, 4 - k, 1.0})));
  };
  return {channel(5), channel(3), channel(1)};
}

glm::u8vec3 number_colour(std::uint64_t number) {
  // Steps of the golden ratio around the hue circle: nearby numbers have distant hues.
  const double turns = static_cast<double>(number % 100003) * (std::numbers::phi - 1);
  constexpr std::array kValues = {0.95, 0.62, 0.80};
  return from_hsv(turns - std::floor(turns), 0.58, kValues[number % kValues.size()]);
}

}  // namespace

glm::u8vec3 ordered_colour(float share) {
  constexpr double kStart = 0.5;
  constexpr double kRotations = -1.5;
  constexpr double kHue = 1.2;
  const double light = 0.18 + 0.74 * std::clamp(static_cast<double>(share), 0.0, 1.0);
  const double angle = 2 * std::numbers::pi * (kStart / 3 + 1 + kRotations * light);
  const double amplitude = kHue * light * (1 - light) / 2;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {byte_of(light + amplitude * (-0.14861 * c + 1.78277 * s)),
          byte_of(light + amplitude * (-0.29227 * c - 0.90649 * s)),
          byte_of(light + amplitude * 1.97294 * c)};
}

glm::u8vec3 data_colour(const ColourKey& key) {
  switch (key.kind) {
    case ColourKey::Kind::kNumber:
      return number_colour(key.number);
    case ColourKey::Kind::kOrdered:
      return ordered_colour(key.share);
    case ColourKey::Kind::kNone:
      break;
  }
  return kNothing;
}

glm::u8vec3 level_colour(int level) {
  // The first colour is not white, so that it remains visible on paper.
  static constexpr std::array<glm::u8vec3, 8> kLevels = {{{214, 220, 230},
                                                          {255, 170, 70},
                                                          {110, 225, 235},
                                                          {250, 120, 200},
                                                          {160, 235, 110},
                                                          {190, 160, 255},
                                                          {255, 235, 90},
                                                          {120, 170, 255}}};
  return kLevels[static_cast<std::size_t>(level) % kLevels.size()];
}

glm::u8vec3 state_colour(bool alive) {
  return alive ? kAlive : kDead;
}

DeviceCells::DeviceCells(const FractalConfig& config, std::uint32_t devices, std::string name)
    : shape_(config.fractal.shape()), levels_(config.level), name_(std::move(name)) {
  const Partitioning partitioning = make_partitioning(config, devices);
  firsts_.push_back(0);
  for (const GroupRange& part : partitioning.groups) firsts_.push_back(firsts_.back() + part.groups);
  for (const TileRows& part : partitioning.rows) firsts_.push_back(firsts_.back() + part.count);
  cells_of_unit_ = config.fractal.cells(levels_) / firsts_.back();

  // The index of a group consists of the coarsest digits, the index of a row of every second digit of its
  // tiles.
  const bool in_groups = !partitioning.groups.empty();
  const BitPlanes planes = in_groups ? make_bit_planes(shape_, levels_) : BitPlanes{};
  if (in_groups) shape_ = planes.shape;  // bit planes order the replicas differently
  const int digits = in_groups ? levels_ - planes.split.plane_levels - planes.split.bit_levels
                               : make_tiled_fractal(config.fractal, levels_, config.tile_size).coarse_level;
  for (int depth = 0; depth < levels_; ++depth)
    is_unit_digit_.push_back(depth < digits && (in_groups || (digits - depth) % 2 == 0));
  units_.assign(static_cast<std::size_t>(levels_) + 1, 1);
  for (std::size_t depth = is_unit_digit_.size(); depth-- > 0;)
    units_[depth] = units_[depth + 1] * (is_unit_digit_[depth] ? shape_.k : 1);
  for (int depth = 0; depth <= levels_; ++depth)
    sizes_.push_back({config.fractal.width(levels_ - depth), config.fractal.height(levels_ - depth)});
}

std::uint32_t DeviceCells::device_of_unit(std::uint64_t unit) const {
  const auto next = std::upper_bound(firsts_.begin(), firsts_.end(), unit);
  return static_cast<std::uint32_t>(next - firsts_.begin() - 1);
}

std::optional<std::uint32_t> DeviceCells::device_of(Coord64 cell) const {
  if (cell.x >= sizes_[0].x || cell.y >= sizes_[0].y) return std::nullopt;
  Tile tile;
  while (tile.depth < levels_) {
    const Coord64 inner = size(tile.depth + 1);
    const std::uint64_t x = (cell.x - tile.corner.x) / inner.x;
    const std::uint64_t y = (cell.y - tile.corner.y) / inner.y;
    const int replica = shape_.replica_at[y * shape_.s_x + x];
    if (replica < 0) return std::nullopt;
    tile = child(tile, static_cast<std::uint32_t>(replica));
  }
  return device_of(tile);
}

std::uint64_t DeviceCells::cells(std::uint32_t device) const {
  return (firsts_[device + 1] - firsts_[device]) * cells_of_unit_;
}

DeviceCells::Tile DeviceCells::child(const Tile& tile, std::uint32_t replica) const {
  const Coord64 inner = size(tile.depth + 1);
  const bool in_unit = is_unit_digit_[static_cast<std::size_t>(tile.depth)];
  return {tile.depth + 1,
          in_unit ? tile.unit * shape_.k + replica : tile.unit,
          {tile.corner.x + shape_.offset_x[replica] * inner.x,
           tile.corner.y + shape_.offset_y[replica] * inner.y}};
}

std::optional<std::uint32_t> DeviceCells::device_of(const Tile& tile) const {
  const std::uint64_t units = units_[static_cast<std::size_t>(tile.depth)];
  const std::uint32_t part = device_of_unit(tile.unit * units);
  if (part != device_of_unit(tile.unit * units + units - 1)) return std::nullopt;
  return part;
}

}  // namespace loom::app::explain
