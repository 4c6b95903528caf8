#include "app/explain/space_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/text/format.h"
#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/geometry/transforms.h"

namespace loom::app::explain {
namespace {

constexpr std::uint64_t kFewLines = 64;
constexpr std::uint64_t kColumnGap = 8;  ///< units between columns of lines

/// Threads of a tile per row. The threads of a one-dimensional tile form a full rectangle close to a square,
/// if there is one.
std::uint32_t row_of_threads(const LaunchShape& shape, std::uint32_t threads) {
  if (shape.threads_y > 1) return shape.threads_x;
  const auto side = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(threads))));
  for (std::uint32_t row = side; row <= 4 * side; ++row) {
    if (threads % row == 0) return row;
  }
  return side;
}

}  // namespace

std::string_view name_of(Space space) {
  static constexpr std::array<std::string_view, 3> kNames = {"cells", "threads", "memory"};
  return kNames[static_cast<std::size_t>(space)];
}

SpaceLayout::SpaceLayout(const ThreadSpace& threads, Space space) : threads_(&threads), space_(space) {
  const TiledFractal& tiled = threads.tiled();
  switch (space) {
    case Space::kCells:
      width_ = tiled.width;
      height_ = tiled.height;
      group_ = {tiled.rho_x, tiled.rho_y};
      break;
    case Space::kThreads:
      lay_out_threads();
      break;
    case Space::kMemory:
      lay_out_memory();
      break;
  }
}

void SpaceLayout::lay_out_threads() {
  const std::uint32_t count = threads_->threads_per_tile();
  tile_.x = row_of_threads(threads_->shape(), count);
  tile_.y = (count + tile_.x - 1) / tile_.x;
  const GpuLaunch& launch = threads_->launch();
  group_ = {std::uint64_t{tile_.x} * launch.tiling.x, std::uint64_t{tile_.y} * launch.tiling.y};
  width_ = saturating_multiply(group_.x, launch.blocks_x);
  height_ = saturating_multiply(group_.y, launch.blocks_y);
}

void SpaceLayout::lay_out_memory() {
  if (!threads_->bytes()) throw InputError("addresses of this storage exceed 64 bits");
  lines_ = std::max<std::uint64_t>(1, (*threads_->bytes() + kLineBytes - 1) / kLineBytes);
  const bool few = lines_ <= kFewLines;
  row_bytes_ = few ? kSectorBytes : kLineBytes;
  group_ = {row_bytes_, kLineBytes / row_bytes_};
  // Make the layout about square: the height of a column equals the width of all columns.
  const double rows = static_cast<double>(lines_) * static_cast<double>(group_.y);
  const auto columns = static_cast<std::uint64_t>(
      std::max(1.0, std::round(std::sqrt(rows / static_cast<double>(row_bytes_)))));
  lines_of_column_ = (lines_ + columns - 1) / columns;
  const std::uint64_t used = (lines_ + lines_of_column_ - 1) / lines_of_column_;
  width_ = used * row_bytes_ + (used - 1) * kColumnGap;
  height_ = lines_of_column_ * group_.y;
}

std::optional<std::uint64_t> SpaceLayout::byte_at(Coord64 unit) const {
  if (space_ != Space::kMemory || unit.x >= width_ || unit.y >= height_) return std::nullopt;
  const std::uint64_t column = unit.x / (row_bytes_ + kColumnGap);
  const std::uint64_t in_row = unit.x % (row_bytes_ + kColumnGap);
  const std::uint64_t line = column * lines_of_column_ + unit.y / group_.y;
  if (in_row >= row_bytes_ || line >= lines_) return std::nullopt;
  const std::uint64_t byte = line * kLineBytes + unit.y % group_.y * row_bytes_ + in_row;
  if (byte >= *threads_->bytes()) return std::nullopt;
  return byte;
}

Coord64 SpaceLayout::unit_of_byte(std::uint64_t byte) const {
  const std::uint64_t line = byte / kLineBytes;
  const std::uint64_t in_line = byte % kLineBytes;
  return {line / lines_of_column_ * (row_bytes_ + kColumnGap) + in_line % row_bytes_,
          line % lines_of_column_ * group_.y + in_line / row_bytes_};
}

std::optional<ThreadRef> SpaceLayout::thread_at(Coord64 unit) const {
  if (unit.x >= width_ || unit.y >= height_) return std::nullopt;
  if (space_ == Space::kCells) return threads_->thread_at(unit);
  if (space_ == Space::kMemory) {
    const auto byte = byte_at(unit);
    return byte ? threads_->thread_at_address(*byte) : std::nullopt;
  }
  const Coord64 tile{unit.x / tile_.x, unit.y / tile_.y};
  const auto thread = static_cast<std::uint32_t>(unit.y % tile_.y * tile_.x + unit.x % tile_.x);
  const bool launched = tile.x < threads_->shape().tiles_x && tile.y < threads_->shape().tiles_y;
  if (!launched || thread >= threads_->threads_per_tile()) return std::nullopt;
  return ThreadRef{tile, thread};
}

std::optional<Coord64> SpaceLayout::unit_of(const ThreadLocation& place) const {
  switch (space_) {
    case Space::kCells:
      if (!place.has_position) return std::nullopt;
      return place.cell;
    case Space::kMemory:
      if (!place.address) return std::nullopt;
      return unit_of_byte(*place.address);
    case Space::kThreads:
      break;
  }
  const std::uint32_t thread = place.ref.thread;
  return Coord64{place.ref.tile.x * tile_.x + thread % tile_.x,
                 place.ref.tile.y * tile_.y + thread / tile_.x};
}

bool SpaceLayout::exists(Coord64 unit) const {
  if (unit.x >= width_ || unit.y >= height_) return false;
  if (space_ == Space::kCells) return true;
  if (space_ == Space::kMemory) return byte_at(unit).has_value();
  return thread_at(unit).has_value();
}

std::optional<UnitRect> SpaceLayout::group_of(Coord64 unit) const {
  if (!exists(unit)) return std::nullopt;
  if (space_ == Space::kCells && threads_->config().method.map != MapKind::kBoundingBox) {
    const TiledFractal& tiled = threads_->tiled();
    const NbbTransform<std::uint64_t> transform(tiled.shape, tiled.levels, tiled.coarse_level);
    if (!is_member(transform, tiled.coarse_level, Coord64{unit.x / group_.x, unit.y / group_.y})) {
      return std::nullopt;
    }
  }
  if (space_ != Space::kMemory) {
    return UnitRect{{unit.x / group_.x * group_.x, unit.y / group_.y * group_.y}, group_};
  }
  return UnitRect{unit_of_byte(*byte_at(unit) / kLineBytes * kLineBytes), group_};
}

SolidThreadSpace::SolidThreadSpace(const SolidConfig& config)
    : config_(config), tables_(make_tiled_fractal(config.fractal, config.level, config.tile_size)) {
  validate(config);
  const TiledSolid tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  map_ = make_solid_map(config.method, tiled, tables_.arithmetic.data(), tables_.tile_cells.data());
  launch_ = solid_launch(config.method, tiled);
}

std::optional<SolidThreadLocation> SolidThreadSpace::location_of(Coord3 cell) const {
  const std::uint64_t address = map_.index_of(cell);
  if (address == kNoSolidIndex) return std::nullopt;
  const Coord3 rho = map_.tiled.rho;
  SolidThreadLocation location;
  location.cell = cell;
  location.ref = thread_of(map_, cell);
  location.omega = map_.grid.at(location.ref.tile);
  location.place = {cell.x / rho.x, cell.y / rho.y, cell.z / rho.z};
  location.at = {cell.x % rho.x, cell.y % rho.y, cell.z % rho.z};
  location.launch = place_of(map_, launch_.tiling, location.ref);
  location.address = address;
  return location;
}

std::vector<SolidLambdaStep> SolidThreadSpace::lambda_steps(Coord3 omega) const {
  std::vector<SolidLambdaStep> steps;
  if (map_.is_box()) return steps;
  const SolidShape& shape = map_.tiled.transform.shape;
  const struct {
    char name;
    std::uint32_t& digits;
  } axes[] = {{'x', omega.x}, {'y', omega.y}, {'z', omega.z}};
  Coord3 weight{1, 1, 1};
  Coord3 sum;
  for (int level = 1; level <= map_.tiled.coarse_level; ++level) {
    const auto& axis = axes[(level - 1) % 3];
    const std::uint32_t digit = axis.digits % shape.k;
    axis.digits /= shape.k;
    const Coord3 offset{shape.offset_x[digit], shape.offset_y[digit], shape.offset_z[digit]};
    sum = {sum.x + offset.x * weight.x, sum.y + offset.y * weight.y, sum.z + offset.z * weight.z};
    steps.push_back({level, axis.name, digit, offset, weight, sum});
    weight = {weight.x * shape.scale.x, weight.y * shape.scale.y, weight.z * shape.scale.z};
  }
  return steps;
}

std::string location_text(const SolidThreadSpace& space, const SolidThreadLocation& location) {
  const Coord3 omega = location.omega;
  return fmt::format("tile {}({}, {}, {}), thread {}, thread block {}, byte {}",
                     space.map().is_box() ? "" : "ω ", omega.x, omega.y, omega.z,
                     std::string_view(format_count(location.ref.thread)),
                     std::string_view(format_count(location.launch.block)),
                     std::string_view(format_count(location.address)));
}

}  // namespace loom::app::explain
