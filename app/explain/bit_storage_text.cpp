#include "app/explain/bit_storage_text.h"

#include <fmt/format.h>

#include "app/text/format.h"
#include "compute/geometry/stored_cells.h"

namespace loom::app::explain {

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
