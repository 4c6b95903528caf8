#include "compute/workload/larger_life.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "compute/cpu/life/life.h"
#include "compute/cpu/life/tile_loop.h"
#include "compute/geometry/storage.h"
#include "compute/workload/life_neighbours.h"

namespace loom::cpu {
namespace {

/// A generation of Larger than Life, tile by tile: the tile and the points around it are copied to a box
/// (TileBox), in which the tile's threads count.
template <typename Map, typename Storage, typename Int = typename Map::Index>
class LargerStep {
 public:
  LargerStep(const Map& map, const Storage& storage, bool sums, ByteCells now, ByteCells next,
             const LargeRule& rule)
      : map_(map),
        storage_(storage),
        sums_(sums),
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
    std::array<std::uint16_t, TileBox::kMaxCells> box;
    std::fill_n(box.data(), box_.cells(), std::uint16_t{0});
    stage(place, box.data());
    if (sums_) add_up_box(box.data());
    const std::uint64_t origin = storage_.tile_origin(omega, place);
    const int pitch = static_cast<int>(box_.pitch);
    for (std::uint32_t i = 0; i < count; ++i) {
      const Coord32 at = threads[i];
      const std::uint64_t offset = origin + std::uint64_t{at.y} * storage_.pitch() + at.x;
      const std::uint16_t* const own = box.data() + box_.at(at);
      const std::uint32_t living =
          sums_ ? count_by_sums(rule_, own, pitch) : count_directly(rule_, own, pitch);
      next_.store(offset, next_state(rule_, now_.load(offset), living));
    }
  }

  /// Copies the living ones of width x height bytes to the box's column and row `to`.
  void copy(const std::uint8_t* from, std::uint64_t from_pitch, Coord64 to, std::uint64_t width,
            std::uint64_t height, std::uint16_t* box) const {
    std::uint16_t* row = box + to.y * box_.pitch + to.x;
    for (std::uint64_t y = 0; y < height; ++y, row += box_.pitch, from += from_pitch) {
      for (std::uint64_t x = 0; x < width; ++x) row[x] = from[x] == 1 ? 1 : 0;
    }
  }

  void stage(Coord<Int> place, std::uint16_t* box) const {
    const TiledFractal& fractal = map_.tiled;
    const std::uint64_t radius = box_.radius;
    if constexpr (std::is_same_v<Storage, ExpandedStorage<Int>>) {
      const Coord64 corner{std::uint64_t{place.x} * fractal.rho_x, std::uint64_t{place.y} * fractal.rho_y};
      const Coord64 first{corner.x - std::min(corner.x, radius), corner.y - std::min(corner.y, radius)};
      const Coord64 end{std::min(corner.x + fractal.rho_x + radius, fractal.width),
                        std::min(corner.y + fractal.rho_y + radius, fractal.height)};
      copy(now_.bytes + first.y * fractal.width + first.x, fractal.width,
           {first.x + radius + 1 - corner.x, first.y + radius + 1 - corner.y}, end.x - first.x,
           end.y - first.y, box);
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
        copy(now_.bytes + base + (from.y - tile.y * side.y) * side.x + (from.x - tile.x * side.x), side.x,
             {from.x - first.x + 1, from.y - first.y + 1}, to.x - from.x, to.y - from.y, box);
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
  bool sums_;
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
    LargerStep(map, storage, counts_by_sums(method.counting, rule.larger), ByteCells{now}, ByteCells{next},
               large)
        .run(call, recorder);
  });
}

}  // namespace loom::cpu
