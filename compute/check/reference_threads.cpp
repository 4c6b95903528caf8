#include "compute/check/reference_threads.h"

#include <fmt/format.h>

#include <initializer_list>
#include <vector>

#include "compute/geometry/bit_planes.h"
#include "compute/map/tiling.h"

namespace loom {
namespace {

/// A count and its allowed values.
struct Expectation {
  const char* figure;
  std::uint64_t got = 0;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

std::optional<std::string> first_wrong(std::initializer_list<Expectation> expectations) {
  for (const Expectation& expected : expectations) {
    if (expected.got >= expected.least && expected.got <= expected.most) continue;
    const std::string range = expected.least == expected.most
                                  ? fmt::format("{}", expected.least)
                                  : fmt::format("{} to {}", expected.least, expected.most);
    return fmt::format("{} {}, expected {}", expected.got, expected.figure, range);
  }
  return std::nullopt;
}

std::uint64_t half_up(std::uint64_t count) {
  return (count + 1) / 2;
}

std::uint64_t volume(const ReferenceLife::Point& box) {
  return box[0] * box[1] * box[2];
}

std::uint64_t whole_warps(std::uint64_t threads) {
  return (threads + 31) / 32 * 32;
}

}  // namespace

ReferenceTiles::ReferenceTiles(const ReferenceLife& reference, std::uint32_t tile_size) {
  // rho_x, a product of the lowest levels' s_x, determines j, and thereby the other sides; for s_x = 1 tiles
  // are single cells.
  const auto& levels = reference.levels();
  std::size_t j = 0;
  for (; rho_[0] < tile_size; ++j) {
    for (std::size_t axis = 0; axis < 3; ++axis) rho_[axis] *= levels[j].scale[axis];
  }
  const auto& sides = reference.sides();
  for (std::size_t axis = 0; axis < 3; ++axis) grid_[axis] = sides[axis] / rho_[axis];
  for (std::size_t i = j; i < levels.size(); ++i)
    orthotope_[(i - j) % static_cast<std::size_t>(reference.dimensions())] *= levels[i].offsets.size();

  const std::uint64_t pitch = (sides[0] + 63) / 64;
  words_ = pitch * sides[1] * sides[2];
  std::vector<bool> has_cells(words_);
  std::vector<bool> is_cell(reference.points());
  std::vector<bool> is_occupied(volume(grid_));
  std::optional<std::uint64_t> first_tile;
  for (std::uint64_t i = 0; i < reference.cell_count(); ++i) {
    const std::uint64_t point = reference.point(i);
    if (is_cell[point]) continue;
    is_cell[point] = true;
    ++cells_;
    const auto [x, y, z] = reference.coordinate(point);
    const std::uint64_t its_tile = (z / rho_[2] * grid_[1] + y / rho_[1]) * grid_[0] + x / rho_[0];
    if (!first_tile) first_tile = its_tile;
    if (its_tile == first_tile) ++cells_per_tile_;
    if (!is_occupied[its_tile]) ++occupied_;
    is_occupied[its_tile] = true;
    const std::uint64_t word = (z * sides[1] + y) * pitch + x / 64;
    if (!has_cells[word]) ++words_with_cells_;
    has_cells[word] = true;
  }
}

std::optional<std::string> ReferenceTiles::first_difference(const FractalConfig& config, const Device& device,
                                                            const ThreadCount& count) const {
  const MapMethod& method = config.method;
  const bool box = method.map == MapKind::kBoundingBox;
  if (method.storage == CellStorage::kBits) {
    // A thread has one word of the square, or the words of one or two groups of the planes.
    const BitPlanes planes =
        box ? BitPlanes{} : make_bit_planes(make_tiled_fractal(config.fractal, config.level, 1));
    const PlaneSplit split = planes.split;
    std::uint64_t groups = cells_;
    for (int i = 0; i < split.plane_levels + split.bit_levels; ++i) groups /= planes.shape.k;
    const std::uint64_t cell_pane_count = box                     ? words_with_cells_
                                          : split.slot_bits == 16 ? half_up(groups)
                                                                  : groups;
    return first_wrong({
        {"threads with a cell", count.threads_active, cell_pane_count, cell_pane_count},
        {"threads", count.threads_launched - count.threads_without_tile, box ? words_ : cell_pane_count,
         box ? words_ : cell_pane_count},
        {"tiles with cells", count.tiles_occupied, 1, count.tiles_launched},
    });
  }
  return first_difference(method, 1, device, count);
}

std::optional<std::string> ReferenceTiles::first_difference(const SolidConfig& config, const Device& device,
                                                            const ThreadCount& count) const {
  return first_difference(config.method, kMaxTiles, device, count);
}

std::optional<std::string> ReferenceTiles::first_difference(const MapMethod& method, std::uint64_t most_tiles,
                                                            const Device& device,
                                                            const ThreadCount& count) const {
  const bool box = method.map == MapKind::kBoundingBox;
  const ReferenceLife::Point& space = box ? grid_ : orthotope_;
  const std::uint64_t tiles = volume(space);
  const bool every_point = box || method.intra_block == IntraBlock::kSubBox;
  const std::uint64_t threads_per_tile = every_point ? volume(rho_) : cells_per_tile_;

  // Without thread blocks, tiles are processed one by one.
  std::uint64_t min_thread_blocks = 0;
  std::uint64_t max_thread_blocks = 0;
  std::uint64_t min_filling = 0;
  std::uint64_t max_filling = 0;
  if (device.warps) {
    const bool two_by_two = !box && method.arithmetic == MapArithmetic::kTensor2;
    const bool one_by_one = !box && method.arithmetic == MapArithmetic::kTensor3;
    const bool warps =
        !box && method.arithmetic != MapArithmetic::kLoop && method.arithmetic != MapArithmetic::kTable;
    min_thread_blocks = 1;
    max_thread_blocks = tiles;
    max_filling = (most_tiles - 1) * threads_per_tile;
    if (two_by_two) min_thread_blocks = max_thread_blocks = half_up(space[0]) * half_up(space[1]);
    if (one_by_one) min_thread_blocks = max_thread_blocks = tiles;
    if (!two_by_two && !one_by_one && method.tiles != 0) {
      min_thread_blocks = max_thread_blocks = (tiles + method.tiles - 1) / method.tiles;
      min_filling = max_filling = (min_thread_blocks * method.tiles - tiles) * threads_per_tile;
    }
    if (two_by_two || one_by_one) {
      const std::uint64_t of_tiles = (two_by_two ? 4 : 1) * threads_per_tile;
      min_filling = max_filling = min_thread_blocks * whole_warps(of_tiles) - tiles * threads_per_tile;
    } else if (warps) {
      max_filling = 31 * tiles;
    }
  }
  const std::uint64_t with_tile = tiles * threads_per_tile;
  const auto exactly = [](const char* figure, std::uint64_t got, std::uint64_t expected) {
    return Expectation{figure, got, expected, expected};
  };
  return first_wrong({
      exactly("blocks", count.tiles_launched, tiles),
      exactly("tiles with cells", count.tiles_occupied, occupied_),
      {"thread blocks", count.thread_blocks, min_thread_blocks, max_thread_blocks},
      {"threads without a tile", count.threads_without_tile, min_filling, max_filling},
      exactly("threads", count.threads_launched, with_tile + count.threads_without_tile),
      exactly("threads with a cell", count.threads_active, cells_),
      exactly("threads at another cell than theirs", count.threads_misplaced, 0),
  });
}

}  // namespace loom
