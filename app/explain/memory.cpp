#include "app/explain/memory.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/text/format.h"
#include "compute/geometry/stored_cells.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"

namespace loom::app::explain {
namespace {

/// Bytes that are looked at in a column.
constexpr std::uint64_t kBytesOfColumn = 16;

}  // namespace

MemoryStrip::MemoryStrip(const FractalConfig& config) : config_(config) {
  if (!has_tiles(config)) {
    const std::uint64_t bytes = bytes_of_generation(
        config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size));
    if (bytes != ~std::uint64_t{0}) bytes_ = bytes;
    return;
  }
  auto threads = std::make_unique<ThreadSpace>(config);
  bytes_ = threads->bytes();
  if (!bytes_ || *bytes_ == 0) return;
  threads_ = std::move(threads);
  for (std::size_t column = 0; column < kColumns; ++column) {
    const auto at = [&](std::size_t edge) {
      return static_cast<std::uint64_t>(static_cast<double>(*bytes_) * static_cast<double>(edge) / kColumns);
    };
    const std::uint64_t first = std::min(at(column), *bytes_ - 1);
    const std::uint64_t size = std::max<std::uint64_t>(1, at(column + 1) - first);
    const std::uint64_t looked = std::min(size, kBytesOfColumn);
    std::uint64_t held = 0;
    for (std::uint64_t i = 0; i < looked; ++i) {
      // Steps of an odd size, so that a sample does not meet the same place of every row.
      const std::uint64_t step = size <= kBytesOfColumn ? 1 : (size / kBytesOfColumn) | 1;
      held += threads_->thread_at_address(std::min(first + i * step, *bytes_ - 1)).has_value() ? 1 : 0;
    }
    columns_[column] = static_cast<float>(held) / static_cast<float>(looked);
  }
}

std::optional<MemoryStrip::Place> MemoryStrip::place_of(Coord64 cell) const {
  if (!threads_ || cell.x >= threads_->tiled().width || cell.y >= threads_->tiled().height)
    return std::nullopt;
  const auto ref = threads_->thread_of(cell);
  if (!ref) return std::nullopt;
  const ThreadLocation location = threads_->location_of(*ref);
  if (!location.address) return std::nullopt;
  Place place{.thread = {}, .byte = *location.address};
  if (threads_->threads()) place.thread = threads_->number_of(*ref);
  return place;
}

std::optional<Coord64> MemoryStrip::cell_at(double fraction) const {
  if (!threads_ || fraction < 0 || fraction >= 1) return std::nullopt;
  const auto byte = static_cast<std::uint64_t>(static_cast<double>(*bytes_) * fraction);
  constexpr std::uint64_t kReach = 64;
  for (std::uint64_t i = 0; i < kReach && byte + i < *bytes_; ++i) {
    if (const auto ref = threads_->thread_at_address(byte + i)) return threads_->location_of(*ref).cell;
  }
  return std::nullopt;
}

bool has_tiles(const FractalConfig& config) {
  return config.method.storage == CellStorage::kBytes;
}

std::string bit_layout_text(const FractalConfig& config) {
  if (config.method.map != MapKind::kCompact) return "Words of 64 points of a row, one per thread";
  const BitPlanes planes = make_bit_planes(make_tiled_fractal(config.fractal, config.level, 1));
  const std::string word = planes.groups_in_word == 1
                               ? fmt::format("words of {}", planes.split.slot_bits)
                               : fmt::format("{} groups in words of 32", planes.groups_in_word);
  return fmt::format("{} planes of {} bits ({}): a thread computes {} of {} cells, of {}", planes.planes,
                     planes.bits, word, planes.groups_in_word == 1 ? "a group" : "two groups",
                     format_count(std::uint64_t{planes.planes} * planes.bits), format_count(planes.groups));
}

std::string bit_of_cell(const FractalConfig& config, Coord64 cell) {
  if (config.method.map != MapKind::kCompact)
    return fmt::format("bit {} of word {} of its row", cell.x % 64, format_count(cell.x / 64));
  const BitPlanes planes = make_bit_planes(make_tiled_fractal(config.fractal, config.level, 1));
  const std::uint64_t place =
      place_of(storage_format(config.method), make_tiled_fractal(config.fractal, config.level, 1), cell);
  const std::uint64_t tile = place / planes.planes;
  return fmt::format("plane {}, bit {} of group {}", place % planes.planes, tile % planes.bits,
                     format_count(tile / planes.bits));
}

}  // namespace loom::app::explain
