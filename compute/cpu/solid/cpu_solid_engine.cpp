#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/stopwatch.h"
#include "compute/cpu/cpu_cell_engine.h"
#include "compute/cpu/engines.h"
#include "compute/cpu/life/canonical_walk.h"
#include "compute/solid/solid_engine.h"
#include "compute/solid/solid_rays.h"
#include "compute/workload/random_start.h"

namespace loom::cpu {
namespace {

/// Tiles of a chunk, the unit of work of OpenMP threads.
constexpr std::uint64_t kThreadsInChunk = 16384;

/// Calls `visit(first, last, worker state)` for ranges of `count` items in parallel, with a state per chunk.
template <typename Visit>
void for_each_chunk(std::uint64_t count, std::uint64_t chunk, const Visit& visit) {
  const auto chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
#pragma omp parallel for schedule(static) if (chunks > 1)
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::uint64_t first = static_cast<std::uint64_t>(i) * chunk;
    visit(first, std::min(first + chunk, count));
  }
}

std::uint64_t tiles_in_chunk(const SolidMap& map) {
  return std::max<std::uint64_t>(1, kThreadsInChunk / map.threads_per_tile());
}

/// Calls `use(cell, offset)` for each thread that has a cell, in the tiles [first, last).
template <typename Use>
void for_each_cell(const SolidMap& map, std::uint64_t first, std::uint64_t last, const Use& use) {
  const std::uint32_t threads = map.threads_per_tile();
  for (std::uint64_t tile = first; tile < last; ++tile) {
    const Coord3 place = map.place(tile);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      const SolidPosition mine = map.position(place, thread);
      if (mine.present) use(map.cell(place, mine.at), map.offset(tile, place, mine.at));
    }
  }
}

/// The living neighbours of a cell on expanded storage.
template <typename Rule>
std::uint32_t count_expanded(const Rule& rule, Coord3 size, const std::uint8_t* now, Coord3 cell) {
  std::uint32_t living = 0;
  const std::uint32_t first_x = cell.x > 0 ? cell.x - 1 : 0;
  const std::uint32_t last_x = std::min(cell.x + 1, size.x - 1);
  for (std::uint32_t z = cell.z > 0 ? cell.z - 1 : 0; z <= std::min(cell.z + 1, size.z - 1); ++z) {
    for (std::uint32_t y = cell.y > 0 ? cell.y - 1 : 0; y <= std::min(cell.y + 1, size.y - 1); ++y) {
      const std::uint8_t* const row = now + index_in(size, {0, y, z});
      for (std::uint32_t x = first_x; x <= last_x; ++x) living += living_of(rule, row[x]);
    }
  }
  return living - living_of(rule, now[index_in(size, cell)]);
}

/// The first bytes of the 27 tiles around a tile in compact storage; kNoSolidIndex for tiles without cells.
struct TileBases {
  std::uint64_t base[kSolidSteps];
  TileBases(const SolidMap& map, std::uint64_t tile, Coord3 place, std::uint32_t wanted) {
    const std::uint64_t points = map.tiled.points_per_tile();
    for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
      base[n] = kNoSolidIndex;
      if (n == kSolidSelf) base[n] = tile * points;
      if ((wanted >> n & 1u) == 0 || n == kSolidSelf) continue;
      const std::uint64_t found = map.tile_at(neighbour_place(place, n));
      if (found != kNoSolidIndex) base[n] = found * points;
    }
  }
};

/// The living neighbours of a point of a tile of compact storage, read without staging.
template <typename Rule>
std::uint32_t count_compact(const Rule& rule, Coord3 rho, const std::uint8_t* now, const TileBases& bases,
                            Coord3 at) {
  std::uint32_t living = 0;
  for (std::uint32_t n = 0; n < kSolidSteps; ++n) {
    if (n == kSolidSelf) continue;
    Coord3 to = neighbour_place(at, n);
    const std::uint64_t base = bases.base[take_neighbour_tile(to, rho)];
    if (base != kNoSolidIndex) living += living_of(rule, now[base + index_in(rho, to)]);
  }
  return living;
}

/// A tile and its halo, 1 for living cells and 0 for all others, and the sums over the 27 points around each
/// point of the box, as rows of bytes. The sums of points at the edge of the box mix rows and are not used.
class StagedTile {
 public:
  explicit StagedTile(Coord3 rho)
      : pitch_(rho.x + 2),
        slice_(pitch_ * (rho.y + 2)),
        points_(slice_ * (rho.z + 2)),
        states_(points_ + 2 * slice_),
        sums_(states_.size()),
        more_(states_.size()) {}

  std::uint8_t* states() { return states_.data() + slice_; }
  void sum() {
    add_beside(states_.data(), 1, sums_.data());
    add_beside(sums_.data(), pitch_, more_.data());
    add_beside(more_.data(), slice_, sums_.data());
  }
  std::uint32_t living(Coord3 at) const { return sums_[slice_ + index(at)] - states_[slice_ + index(at)]; }

 private:
  std::size_t index(Coord3 at) const { return (at.z + 1) * slice_ + (at.y + 1) * pitch_ + at.x + 1; }
  void add_beside(const std::uint8_t* from, std::size_t distance, std::uint8_t* to) const {
    for (std::size_t i = slice_; i < slice_ + points_; ++i)
      to[i] = static_cast<std::uint8_t>(from[i - distance] + from[i] + from[i + distance]);
  }
  std::size_t pitch_;
  std::size_t slice_;
  std::size_t points_;
  std::vector<std::uint8_t> states_;  ///< with a slice of zeros before and after
  std::vector<std::uint8_t> sums_;
  std::vector<std::uint8_t> more_;
};

}  // namespace

/// Life on a three-dimensional fractal, which runs the tiles of the map one by one and within each the
/// threads that a GPU would launch.
class CpuSolidEngine : public CpuCellEngine<3> {
 public:
  /// `config` must be valid. Throws std::bad_alloc.
  explicit CpuSolidEngine(const SolidConfig& config)
      : CpuCellEngine(config, bytes_needed(config) / 2),
        tables_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
        map_(make_solid_map(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size),
                            tables_.arithmetic.data(), tables_.tile_cells.data())),
        order_(map_.tiled) {}

  std::optional<std::uint8_t> cell(Coord3 expanded) const override {
    const std::uint64_t at = map_.index_of(expanded);
    return at == kNoSolidIndex ? std::nullopt : std::optional(now_[at]);
  }

  std::uint64_t edit(std::span<const Edit> edits) override {
    std::uint64_t edited = 0;
    for (const Edit& edit : edits) {
      const std::uint64_t at = map_.index_of(edit.cell);
      if (at == kNoSolidIndex) continue;
      now_[at] = edit.state;
      hold(edit.state);
      ++edited;
    }
    return edited;
  }

  StepReport trace(const SolidView& view, MemorySpace, SolidImage& image) override {
    check_view(config_, view);
    const Stopwatch stopwatch;
    const SolidScene scene = this->scene();
    const PixelWidth widths(view);
    const Region seen = seen_pixels(view);
    pixels_.resize(static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height));
    const ProgressScope call(monitor_, static_cast<std::uint64_t>(view.height));
#pragma omp parallel for schedule(dynamic, 4)
    for (int row = 0; row < view.height; ++row) {
      if (call.cancelled()) continue;
      std::uint32_t* const to =
          pixels_.data() + static_cast<std::size_t>(row) * static_cast<std::size_t>(view.width);
      std::fill_n(to, view.width, 0u);
      const bool is_seen = static_cast<std::uint32_t>(row) - seen.y < seen.height;
      for (std::uint32_t i = 0; is_seen && i < seen.width; ++i)
        to[seen.x + i] = solid_pixel(scene, view, widths, now_.data(), static_cast<int>(seen.x + i), row);
      call.advance(1);
    }
    call.check();
    image = {pixels_.data(), view.width, view.height};
    StepReport report;
    report.milliseconds = stopwatch.milliseconds();
    report.allocated_bytes = allocated_bytes();
    return report;
  }

  SolidHit pick(const SolidView& view, int column, int row) override {
    check_view(config_, view);
    return trace_pixel(scene(), view, now_.data(), column, row);
  }

  Census census() const override {
    CensusSums sums;
    each_canonical(0, cell_count(), [&](std::uint64_t i, std::uint64_t at) {
      if (const std::uint8_t state = now_[at]) sums.add(i, state);
    });
    return sums.total();
  }

  ThreadCount count_threads() const override {
    ThreadCount total;
    for_each_chunk(map_.tiles(), tiles_in_chunk(map_), [&](std::uint64_t first, std::uint64_t last) {
      ThreadCount part;
      part.tiles_launched = last - first;
      part.threads_launched = (last - first) * map_.threads_per_tile();
      for (std::uint64_t tile = first; tile < last; ++tile) {
        const std::uint64_t before = part.threads_active;
        for_each_cell(map_, tile, tile + 1, [&](Coord3 cell, std::uint64_t at) {
          ++part.threads_active;
          if (map_.index_of(cell) != at) ++part.threads_misplaced;
        });
        if (part.threads_active > before) ++part.tiles_occupied;
      }
#pragma omp critical(loom_solid_threads)
      total += part;
    });
    return total;
  }

  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override {
    check_cell_range(cell_count(), first, cells.size());
    each_canonical(first, cells.size(), [&](std::uint64_t i, std::uint64_t at) { cells[i] = now_[at]; });
  }

  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override {
    check_cell_range(cell_count(), first, cells.size());
    hold(cells);
    each_canonical(first, cells.size(), [&](std::uint64_t i, std::uint64_t at) { now_[at] = cells[i]; });
  }

 private:
  /// Calls `use(i, position of cell first + i)` for `count` cells in canonical order, in parallel.
  template <typename Use>
  void each_canonical(std::uint64_t first, std::uint64_t count, const Use& use) const {
    for_each_chunk(count, kThreadsInChunk, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) use(i, map_.index_of(order_.cell(first + i)));
    });
  }
  void fill_random(std::uint8_t* cells, std::uint64_t seed, std::uint64_t threshold,
                   const ProgressScope& call) override {
    each_canonical(0, cell_count(), [&](std::uint64_t i, std::uint64_t at) {
      if (!call.cancelled()) cells[at] = random_cell(seed, i, threshold);
    });
    call.check();
  }
  std::uint64_t units_of_work() const override {
    return 1;
  }
  std::uint64_t run_once(const SolidWork& work, bool, const ProgressScope& call) override {
    std::uint64_t sum = 0;
    switch (work.workload) {
      case Workload::kSingleWrite:
        begin_single_write(call);
        single_write();
        break;
      case Workload::kReduction:
        sum = reduce();
        break;
      case Workload::kLife:
        with_states(work.rule, [&](const auto& rule) { step_life(rule); });
        break;
    }
    call.advance(1);
    return sum;
  }
  SolidScene scene() {
    if (!digits_) digits_.emplace(map_.tiled);
    SolidScene scene = make_solid_scene(map_, solid_launch(config_.method, map_.tiled), *digits_);
    scene.states = states_;
    return scene;
  }

  template <typename Rule>
  void step_life(const Rule& rule) {
    const std::uint8_t* const now = now_.data();
    std::uint8_t* const next = next_.data();
    const Coord3 size = map_.tiled.size;
    const Coord3 rho = map_.tiled.rho;
    const auto state = [rule](std::uint32_t own, std::uint32_t living) {
      return static_cast<std::uint8_t>(next_state(rule, own, living));
    };
    if (map_.is_box()) {
      for_each_chunk(map_.tiles(), tiles_in_chunk(map_), [&](std::uint64_t first, std::uint64_t last) {
        for_each_cell(map_, first, last, [&](Coord3 cell, std::uint64_t at) {
          next[at] = state(now[at], count_expanded(rule, size, now, cell));
        });
      });
      return;
    }
    const std::uint32_t threads = map_.threads_per_tile();
    const bool staged = !map_.is_compact() || config_.method.halo;
    for_each_chunk(map_.tiles(), tiles_in_chunk(map_), [&](std::uint64_t first, std::uint64_t last) {
      StagedTile work(rho);
      std::uint8_t* const box = work.states();
      for (std::uint64_t tile = first; tile < last; ++tile) {
        const Coord3 place = map_.place(tile);
        if (!staged) {
          const TileBases bases(map_, tile, place, ~0u);
          for (std::uint32_t thread = 0; thread < threads; ++thread) {
            const SolidPosition mine = map_.position(thread);
            if (!mine.present) continue;
            const std::uint64_t at = map_.offset(tile, place, mine.at);
            next[at] = state(now[at], count_compact(rule, rho, now, bases, mine.at));
          }
          continue;
        }
        if (map_.is_compact()) {
          const TileBases bases(map_, tile, place, tables_.halo_tiles);
          for (const StagedPoint& point : tables_.staged) {
            const std::uint64_t base = bases.base[point.tile];
            box[point.target] =
                base != kNoSolidIndex ? living_of(rule, now[base + point.source]) : std::uint8_t{0};
          }
        } else {
          const Coord3 corner = map_.cell(place, {0, 0, 0});
          for (const StagedPoint& point : tables_.staged) {
            const Coord3 at{corner.x + point.x - 1, corner.y + point.y - 1, corner.z + point.z - 1};
            const bool inside = at.x < size.x && at.y < size.y && at.z < size.z;
            box[point.target] = inside ? living_of(rule, now[index_in(size, at)]) : std::uint8_t{0};
          }
        }
        work.sum();
        for (std::uint32_t thread = 0; thread < threads; ++thread) {
          const SolidPosition mine = map_.position(thread);
          if (!mine.present) continue;
          const std::uint64_t at = map_.offset(tile, place, mine.at);
          next[at] = state(now[at], work.living(mine.at));
        }
      }
    });
  }

  void single_write() {
    const auto generation = static_cast<std::uint32_t>(generation_);
    for_each_chunk(map_.tiles(), tiles_in_chunk(map_), [&](std::uint64_t first, std::uint64_t last) {
      for_each_cell(map_, first, last,
                    [&](Coord3 cell, std::uint64_t at) { next_[at] = single_write_value(cell, generation); });
    });
  }

  std::uint64_t reduce() const {
    std::uint64_t sum = 0;
    for_each_chunk(map_.tiles(), tiles_in_chunk(map_), [&](std::uint64_t first, std::uint64_t last) {
      std::uint64_t part = 0;
      for_each_cell(map_, first, last,
                    [&](Coord3 cell, std::uint64_t at) { part += reduction_value(cell, now_[at]); });
#pragma omp atomic
      sum += part;
    });
    return sum;
  }

  SolidTables tables_;
  SolidMap map_;
  SolidOrder order_;
  std::optional<SolidDigits> digits_;  ///< of the first picture
  std::vector<std::uint32_t> pixels_;
};

std::unique_ptr<SolidEngine> make_solid_engine(const SolidConfig& config) {
  return std::make_unique<CpuSolidEngine>(config);
}

}  // namespace loom::cpu
