#include "compute/workload/larger_life.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "compute/cpu/life/life.h"
#include "compute/cpu/life/tile_loop.h"
#include "compute/geometry/storage.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cpu {
namespace {

/// Eight cells, one byte each, as bits: which of them are alive.
std::uint64_t living_bits(const std::uint8_t* cells) {
  std::uint64_t word;
  std::memcpy(&word, cells, sizeof(word));
  return ones_of(word) * 0x0102040810204080u >> 56;
}

/// The rows of a tile's box as bits: what the rule makes of the tile's cells, in place of the first rows.
void count_in_bits(const LargeRule& rule, std::uint32_t tile_rows, std::uint64_t* rows) {
  const std::uint32_t length = 2 * rule.rule.larger.radius + 1;
  std::array<RowCounts, kMaxBoxSide> counts;
  BoxCounts sum;  // of `length` rows
  for (std::uint32_t y = 0; y + 1 < tile_rows + length; ++y) {
    const RowCounts& added = counts[y] = count_in_row(rows[y], length);
    add_counts<6>(sum, [&](int i) { return added.planes[i]; });
    if (y + 1 < length) continue;
    const std::uint32_t top = y + 1 - length;
    rows[top] = states_of(rule, sum);
    // a - b is the complement of b added to that of a.
    for (std::uint32_t& plane : sum.planes) plane = ~plane;
    add_counts<6>(sum, [&](int i) { return counts[top].planes[i]; });
    for (std::uint32_t& plane : sum.planes) plane = ~plane;
  }
}

/// The living cells around each point of a tile, itself among them, by products with band matrices of ones:
/// as the tensor cores of a GPU count. `living` has 32 values per row.
void count_by_products(const TileBox& box, std::uint32_t tile_rows, const std::uint64_t* rows,
                       std::uint16_t* living) {
  constexpr std::uint32_t kSide = 32;
  const std::uint32_t length = 2 * box.radius + 1;
  const auto band = [&](std::uint32_t point, std::uint32_t cell) {
    return static_cast<std::uint16_t>(point - cell < length ? 1 : 0);
  };
  std::array<std::array<std::uint16_t, kSide>, kMaxBoxSide> bands;
  for (std::uint32_t point = 0; point < kMaxBoxSide; ++point)
    for (std::uint32_t cell = 0; cell < kSide; ++cell) bands[point][cell] = band(point, cell);
  std::fill_n(living, kSide * kSide, std::uint16_t{0});
  for (std::uint32_t y = 0; y + 1 < box.height; ++y) {
    std::array<std::uint16_t, kSide> of_row{};
    for (std::uint32_t x = 0; x + 1 < box.width; ++x) {
      const auto point = static_cast<std::uint16_t>(rows[y] >> x & 1u);
      for (std::uint32_t cell = 0; cell < kSide; ++cell)
        of_row[cell] = static_cast<std::uint16_t>(of_row[cell] + point * bands[x][cell]);
    }
    for (std::uint32_t cell_y = 0; cell_y < tile_rows; ++cell_y) {
      const std::uint16_t weight = bands[y][cell_y];
      for (std::uint32_t cell = 0; cell < kSide; ++cell)
        living[cell_y * kSide + cell] =
            static_cast<std::uint16_t>(living[cell_y * kSide + cell] + weight * of_row[cell]);
    }
  }
}

/// A generation of Larger than Life, tile by tile: the tile and the points around it are copied to a box
/// (TileBox, or rows of bits), in which the tile's threads count.
template <typename Map, typename Storage, typename Int = typename Map::Index>
class LargerStep {
 public:
  LargerStep(const Map& map, const Storage& storage, Counting counting, ByteCells now, ByteCells next,
             const LargeRule& rule)
      : map_(map),
        storage_(storage),
        counting_(counting),
        now_(now),
        next_(next),
        rule_(rule),
        box_(map.tiled, rule.rule.larger.radius) {}

  void run(const ProgressScope& call, RunRecorder* recorder) const {
    const LaunchShape shape = map_.launch_shape();
    for_each_tile<Int>(
        shape, call, [&](Coord<Int> omega) { step(shape, omega); }, recorder);
  }

 private:
  void step(const LaunchShape& shape, Coord<Int> omega) const {
    const Coord<Int> place = map_.place(omega);
    if (!has_place(map_, place)) return;
    std::array<Coord32, kMaxBlockThreads> threads;
    std::uint32_t count = 0;
    const Symmetry symmetry = symmetry_of(map_, omega);
    for_each_thread(shape, [&](Coord32 thread) {
      const ThreadPosition mine = position_in(map_, place, thread, symmetry);
      if (mine.present) threads[count++] = mine.at;
    });
    if (count == 0) return;  // most tiles of the bounding box
    const std::uint64_t origin = storage_.tile_origin(omega, place);
    const auto write = [&](const auto& next_of) {
      for (std::uint32_t i = 0; i < count; ++i) {
        const Coord32 at = threads[i];
        const std::uint64_t offset = origin + std::uint64_t{at.y} * storage_.pitch() + at.x;
        next_.store(offset, next_of(at, now_.load(offset)));
      }
    };
    const bool in_bits = counting_ == Counting::kBits;
    if (in_bits || counting_ == Counting::kTensor) {
      std::array<std::uint64_t, kMaxBoxSide> rows{};
      stage(place, [&](const std::uint8_t* from, std::uint64_t from_pitch, Coord64 to, std::uint64_t width,
                       std::uint64_t height) { copy(from, from_pitch, to, width, height, rows.data()); });
      if (in_bits) {
        count_in_bits(rule_, map_.tiled.rho_y, rows.data());
        return write([&](Coord32 at, std::uint32_t own) { return next_state(rule_, own, rows[at.y], at.x); });
      }
      std::array<std::uint16_t, 32 * 32> living;
      count_by_products(box_, map_.tiled.rho_y, rows.data(), living.data());
      return write([&](Coord32 at, std::uint32_t own) {
        return next_state(rule_, own, std::uint32_t{living[at.y * 32 + at.x]});
      });
    }
    std::array<std::uint16_t, TileBox::kMaxCells> box;
    std::fill_n(box.data(), box_.cells(), std::uint16_t{0});
    stage(place, [&](const std::uint8_t* from, std::uint64_t from_pitch, Coord64 to, std::uint64_t width,
                     std::uint64_t height) { copy(from, from_pitch, to, width, height, box.data()); });
    const bool sums = counting_ == Counting::kSums;
    if (sums) add_up_box(box.data());
    const int pitch = static_cast<int>(box_.pitch);
    write([&](Coord32 at, std::uint32_t own) {
      const std::uint16_t* const cell = box.data() + box_.at(at);
      return next_state(rule_, own,
                        sums ? count_by_sums(rule_, cell, pitch) : count_directly(rule_, cell, pitch));
    });
  }

  // Copies the living ones of width x height bytes to the box from the point `to` on.
  void copy(const std::uint8_t* from, std::uint64_t from_pitch, Coord64 to, std::uint64_t width,
            std::uint64_t height, std::uint16_t* box) const {
    std::uint16_t* row = box + (to.y + 1) * box_.pitch + to.x + 1;
    for (std::uint64_t y = 0; y < height; ++y, row += box_.pitch, from += from_pitch) {
      for (std::uint64_t x = 0; x < width; ++x) row[x] = from[x] == 1 ? 1 : 0;
    }
  }

  void copy(const std::uint8_t* from, std::uint64_t from_pitch, Coord64 to, std::uint64_t width,
            std::uint64_t height, std::uint64_t* rows) const {
    for (std::uint64_t y = 0; y < height; ++y, from += from_pitch) {
      std::uint64_t bits = 0;
      std::uint64_t x = 0;
      for (; x + 8 <= width; x += 8) bits |= living_bits(from + x) << x;
      for (; x < width; ++x) bits |= std::uint64_t{from[x] == 1} << x;
      rows[to.y + y] |= bits << to.x;
    }
  }

  /// Calls copy_to(from, pitch, to, width, height) for the parts of a tile's box that are stored.
  template <typename Copy>
  void stage(Coord<Int> place, const Copy& copy_to) const {
    const TiledFractal& fractal = map_.tiled;
    const std::uint64_t radius = box_.radius;
    if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
      const Coord64 corner{std::uint64_t{place.x} * fractal.rho_x, std::uint64_t{place.y} * fractal.rho_y};
      const Coord64 first{corner.x - std::min(corner.x, radius), corner.y - std::min(corner.y, radius)};
      const Coord64 end{std::min(corner.x + fractal.rho_x + radius, fractal.width),
                        std::min(corner.y + fractal.rho_y + radius, fractal.height)};
      copy_to(now_.bytes + first.y * fractal.width + first.x, fractal.width,
              Coord64{first.x + radius - corner.x, first.y + radius - corner.y}, end.x - first.x,
              end.y - first.y);
    } else {
      // Points of the box as distances from the corner of the first tile around, which has some of them.
      const Coord64 side{fractal.rho_x, fractal.rho_y};
      const Coord64 first{box_.around_x * side.x - radius, box_.around_y * side.y - radius};
      const Coord64 end{first.x + side.x + 2 * radius, first.y + side.y + 2 * radius};
      for (std::uint32_t i = 0; i < box_.tiles_around(); ++i) {
        const Coord64 tile{i % box_.tiles_x(), i / box_.tiles_x()};
        const Coord<Int> at{static_cast<Int>(place.x + tile.x - box_.around_x),
                            static_cast<Int>(place.y + tile.y - box_.around_y)};
        if (!in_grid(fractal, at)) continue;
        const std::uint64_t base = storage_.held_base(map_.arithmetic.nu(at));
        if (base == kNoIndex) continue;
        const Coord64 from{std::max(first.x, tile.x * side.x), std::max(first.y, tile.y * side.y)};
        const Coord64 to{std::min(end.x, (tile.x + 1) * side.x), std::min(end.y, (tile.y + 1) * side.y)};
        copy_to(now_.bytes + base + (from.y - tile.y * side.y) * side.x + (from.x - tile.x * side.x), side.x,
                Coord64{from.x - first.x, from.y - first.y}, to.x - from.x, to.y - from.y);
      }
    }
  }

  void add_up_box(std::uint16_t* box) const {
    for (std::uint32_t y = 1; y < box_.height; ++y) {
      std::uint16_t* const row = box + y * box_.pitch;
      const std::uint16_t* const above = row - box_.pitch;
      add_up(row, box_.width, 1);
      for (std::uint32_t x = 0; x < box_.width; ++x) row[x] = static_cast<std::uint16_t>(row[x] + above[x]);
    }
  }

  const Map& map_;
  const Storage& storage_;
  Counting counting_;
  ByteCells now_;
  ByteCells next_;
  const LargeRule& rule_;
  TileBox box_;
};

}  // namespace

void step_larger_life(const MapMethod& method, const TiledFractal& fractal, const MapTables& tables,
                      std::uint8_t* now, std::uint8_t* next, const LifeRule& rule, const ProgressScope& call,
                      RunRecorder* recorder) {
  const LargeRule large(rule);
  // The intra-block mapping as a value: counting neighbours takes longer.
  with_kernel_map(method, fractal, tables, [&](const auto& map, const auto& storage) {
    LargerStep(map, storage, counting_of(method, fractal, rule.larger, false), ByteCells{now},
               ByteCells{next}, large)
        .run(call, recorder);
  });
}

}  // namespace loom::cpu
