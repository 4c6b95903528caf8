#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <unordered_set>

#include "compute/geometry/canonical_order.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/geometry/transforms.h"
#include "compute/map/dispatch.h"
#include "fractals.h"

namespace loom {
namespace {

TEST(Transforms, LambdaIsTheDefinitionAndNuItsInverse) {
  for (const NbbFractal& fractal : catalog()) {
    const NbbTransform<std::uint32_t> transform(fractal.shape());
    for (int level = 0; level <= tests::level_within(fractal, 1 << 16); ++level) {
      const std::vector<Coord64> cells = tests::cells_by_definition(fractal, level);
      const std::uint64_t wide = fractal.cells((level + 1) / 2);
      ASSERT_EQ(cells.size(), fractal.cells(level));
      for (std::uint64_t i = 0; i < cells.size(); ++i) {
        const Coord32 omega{static_cast<std::uint32_t>(i % wide), static_cast<std::uint32_t>(i / wide)};
        const Coord32 cell = lambda_map(transform, level, omega);
        ASSERT_EQ((Coord64{cell.x, cell.y}), cells[i])
            << fractal.name() << " level " << level << " cell " << i;
        const CompactCoord<std::uint32_t> back = nu_map(transform, level, cell);
        ASSERT_TRUE(back.present);
        ASSERT_EQ(back.omega, omega);
      }
    }
  }
}

TEST(Transforms, MembershipAndNuAgreeWithRecursionEverywhere) {
  for (const NbbFractal& fractal : catalog()) {
    const NbbTransform<std::uint64_t> transform(fractal.shape());
    for (int level = 0; level <= tests::level_within(fractal, 1 << 14); ++level) {
      for (std::uint64_t y = 0; y < fractal.height(level); ++y) {
        for (std::uint64_t x = 0; x < fractal.width(level); ++x) {
          const bool expected = tests::member_by_recursion(fractal, level, {x, y});
          ASSERT_EQ(is_member(transform, level, Coord64{x, y}), expected)
              << fractal.name() << " " << x << " " << y;
          ASSERT_EQ(nu_map(transform, level, Coord64{x, y}).present, expected);
        }
      }
    }
  }
}

TEST(Transforms, RandomLargeLevels) {
  EXPECT_TRUE(rc::check([] {
    const NbbFractal& fractal = *rc::gen::elementOf(catalog());
    const int level = *rc::gen::inRange(0, fractal.max_level() + 1);
    const std::uint64_t wide = fractal.cells((level + 1) / 2);
    const std::uint64_t high = fractal.cells(level / 2);
    const Coord64 omega{*rc::gen::arbitrary<std::uint64_t>() % wide,
                        *rc::gen::arbitrary<std::uint64_t>() % high};
    const NbbTransform<std::uint64_t> transform(fractal.shape());
    const Coord64 cell = lambda_map(transform, level, omega);
    RC_ASSERT(cell.x < fractal.width(level));
    RC_ASSERT(cell.y < fractal.height(level));
    RC_ASSERT(is_member(transform, level, cell));
    RC_ASSERT(tests::member_by_recursion(fractal, level, cell));
    const CompactCoord<std::uint64_t> back = nu_map(transform, level, cell);
    RC_ASSERT(back.present);
    RC_ASSERT(back.omega == omega);
    if (make_tiled_fractal(fractal, level, 1).fits_32_bits()) {
      const NbbTransform<std::uint32_t> narrow(fractal.shape());
      const Coord32 same = lambda_map(
          narrow, level, Coord32{static_cast<std::uint32_t>(omega.x), static_cast<std::uint32_t>(omega.y)});
      RC_ASSERT(same.x == cell.x);
      RC_ASSERT(same.y == cell.y);
    }
  }));
}

/// The expected number of visits of each point by definition: 1 for cells, 0 for holes.
std::vector<std::uint8_t> one_visit_a_cell(const NbbFractal& fractal, int level) {
  std::vector<std::uint8_t> visits;
  for (std::uint64_t y = 0; y < fractal.height(level); ++y) {
    for (std::uint64_t x = 0; x < fractal.width(level); ++x) {
      visits.push_back(tests::member_by_recursion(fractal, level, {x, y}));
    }
  }
  return visits;
}

/// Runs every thread of a launch and compares the visits of each point with `expected`.
template <typename Map>
void expect_visits(const Map& map, const NbbFractal& fractal, int level,
                   const std::vector<std::uint8_t>& expected) {
  using Int = typename Map::Index;
  const LaunchShape shape = map.launch_shape();
  const std::uint64_t width = fractal.width(level);
  const std::uint64_t height = fractal.height(level);
  std::vector<std::uint8_t> visits(width * height);
  std::uint64_t active = 0;
  for (std::uint64_t b_y = 0; b_y < shape.tiles_y; ++b_y) {
    for (std::uint64_t b_x = 0; b_x < shape.tiles_x; ++b_x) {
      for (std::uint32_t t_y = 0; t_y < shape.threads_y; ++t_y) {
        for (std::uint32_t t_x = 0; t_x < shape.threads_x; ++t_x) {
          const MaybeCell<Int> found =
              cell_at(map, Coord<Int>{static_cast<Int>(b_x), static_cast<Int>(b_y)}, Coord32{t_x, t_y});
          if (!found.present) continue;
          ++active;
          ASSERT_LT(found.cell.x, width);
          ASSERT_LT(found.cell.y, height);
          ++visits[found.cell.y * width + found.cell.x];
        }
      }
    }
  }
  EXPECT_EQ(active, fractal.cells(level));
  EXPECT_TRUE(visits == expected) << "a cell is not visited exactly once, or a hole is visited";
}

TEST(ThreadMaps, VisitEachCellExactlyOnce) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= std::min(6, tests::level_within(fractal, 1 << 15)); ++level) {
      const std::vector<std::uint8_t> once = one_visit_a_cell(fractal, level);
      for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        const HostMapTables tables(tiled);
        for (MapKind kind : kMapKinds) {
          for (MapArithmetic arithmetic : kMapArithmetics) {
            for (IntraBlock intra_block : kIntraBlocks) {
              if (!method_problem({kind, arithmetic, intra_block}, tiled).empty()) continue;
              SCOPED_TRACE(testing::Message()
                           << fractal.name() << " level " << level << " tile size " << tile_size << " "
                           << name_of(kind) << " " << name_of(arithmetic) << " " << name_of(intra_block));
              with_map({kind, arithmetic, intra_block}, tiled, tables.view(),
                       [&](const auto& map, const auto&) {
                         expect_visits(map, fractal, level, once);
                         if (kind != MapKind::kBoundingBox && intra_block != IntraBlock::kSubBox) {
                           EXPECT_EQ(map.launch_shape().threads(), fractal.cells(level))
                               << "no thread may be idle";
                         }
                       });
            }
          }
        }
      }
    }
  }
}

TEST(TileThreads, ThreadAtIsTheInverseOfPosition) {
  for (const NbbFractal& fractal : catalog()) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, 8)) {
      const TiledFractal tiled = make_tiled_fractal(fractal, 8, tile_size);
      const std::vector<std::uint32_t> table = tile_cell_table(tiled);
      const UnrolledThreads unrolled(tiled);
      const LookupThreads lookup(tiled, table.data());
      for (std::uint32_t t = 0; t < tiled.tile_cells; ++t) {
        ASSERT_EQ(unrolled.thread_at(unrolled.position(tiled, {t, 0}).at), (Coord32{t, 0})) << fractal.name();
        ASSERT_EQ(lookup.thread_at(lookup.position(tiled, {t, 0}).at), (Coord32{t, 0})) << fractal.name();
      }
    }
  }
}

template <typename Threads>
void expect_same_threads(const AnyThreads& any, const Threads& threads, const TiledFractal& tiled) {
  ASSERT_EQ(any.threads_x, threads.threads_x);
  ASSERT_EQ(any.threads_y, threads.threads_y);
  for (std::uint32_t y = 0; y < threads.threads_y; ++y) {
    for (std::uint32_t x = 0; x < threads.threads_x; ++x) {
      const ThreadPosition expected = threads.position(tiled, {x, y});
      const ThreadPosition position = any.position(tiled, {x, y});
      ASSERT_EQ(position.present, expected.present);
      ASSERT_EQ(position.at, expected.at);
    }
  }
}

TEST(TileThreads, AnyThreadsIsTheOneItWasMadeFor) {
  for (const NbbFractal& fractal : catalog()) {
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, 8)) {
      SCOPED_TRACE(testing::Message() << fractal.name() << " tile size " << tile_size);
      const TiledFractal tiled = make_tiled_fractal(fractal, 8, tile_size);
      const std::vector<std::uint32_t> table = tile_cell_table(tiled);
      const auto any = [&](IntraBlock kind) { return AnyThreads(kind, tiled, table.data()); };
      expect_same_threads(any(IntraBlock::kSubBox), SubBoxThreads(tiled), tiled);
      expect_same_threads(any(IntraBlock::kUnrolled), UnrolledThreads(tiled), tiled);
      expect_same_threads(any(IntraBlock::kLookup), LookupThreads(tiled, table.data()), tiled);
    }
  }
}

/// Runs on the CPU the maps that CUDA kernels use, whose intra-block mapping is a run-time value.
TEST(ThreadMaps, KernelMapsVisitEachCellExactlyOnce) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= std::min(4, tests::level_within(fractal, 1 << 12)); ++level) {
      const std::vector<std::uint8_t> once = one_visit_a_cell(fractal, level);
      for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        const HostMapTables tables(tiled);
        for (MapKind kind : kMapKinds) {
          for (MapArithmetic arithmetic : kMapArithmetics) {
            for (IntraBlock intra_block : kIntraBlocks) {
              const MapMethod method{kind, arithmetic, intra_block};
              if (!method_problem(method, tiled).empty()) continue;
              SCOPED_TRACE(testing::Message()
                           << fractal.name() << " level " << level << " tile size " << tile_size << " "
                           << name_of(kind) << " " << name_of(arithmetic) << " " << name_of(intra_block));
              with_kernel_map(method, tiled, tables.view(), [&](const auto& map, const auto&) {
                expect_visits(map, fractal, level, once);
                EXPECT_EQ(map.launch_shape().threads(), launch_shape(method, tiled).threads());
              });
            }
          }
        }
      }
    }
  }
}

/// Compares table and shuffle arithmetic with the loop for random tiles of large levels.
template <typename Int>
void expect_all_equal_the_loop(const TiledFractal& tiled) {
  const std::vector<Coord<Int>> entries = TableArithmetic<Int>::build(tiled);
  const TableArithmetic<Int> table(tiled, entries.data());
  const auto levels = ShuffleArithmetic<Int>::build(tiled);
  const ShuffleArithmetic<Int> shuffle(tiled, levels.data());
  const LoopArithmetic<Int> loop(tiled);
  for (int i = 0; i < 50; ++i) {
    const Coord<Int> omega{
        static_cast<Int>(*rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()) % tiled.orthotope_x),
        static_cast<Int>(*rc::gen::resize(1000, rc::gen::arbitrary<std::uint64_t>()) % tiled.orthotope_y)};
    const Coord<Int> place = loop.lambda(omega);
    RC_ASSERT(table.lambda(omega) == place);
    RC_ASSERT(shuffle.lambda(omega) == place);
    RC_ASSERT(shuffle.nu(place).present);
    RC_ASSERT(shuffle.nu(place).omega == omega);
    RC_ASSERT(table.nu(place).present);
    RC_ASSERT(table.nu(place).omega == omega);
    const Coord<Int> beside{static_cast<Int>((place.x + 1) % tiled.grid_x), place.y};
    RC_ASSERT(table.nu(beside).present == loop.nu(beside).present);
    RC_ASSERT(shuffle.nu(beside).present == loop.nu(beside).present);
    if (table.nu(beside).present) RC_ASSERT(table.nu(beside).omega == loop.nu(beside).omega);
  }
}

TEST(MapArithmetics, EqualTheLoopAtRandomLargeLevels) {
  EXPECT_TRUE(rc::check([] {
    const NbbFractal& fractal = *rc::gen::elementOf(catalog());
    const int level = *rc::gen::inRange(0, fractal.max_level() + 1);
    const std::vector<std::uint32_t> tile_sizes = allowed_tile_sizes(fractal, level);
    const TiledFractal tiled = make_tiled_fractal(fractal, level, *rc::gen::elementOf(tile_sizes));
    expect_all_equal_the_loop<std::uint64_t>(tiled);
    if (tiled.fits_32_bits()) expect_all_equal_the_loop<std::uint32_t>(tiled);
  }));
}

TEST(TableArithmetic, EveryScaleBuilds) {
  for (std::uint32_t s_x = 1; s_x <= 8; ++s_x) {
    for (std::uint32_t s_y = 1; s_y <= 8; ++s_y) {
      if (s_x * s_y < 2) continue;
      std::vector<Coord32> corners = {{0, 0}, {s_x - 1, s_y - 1}};
      std::vector<Coord32> all;
      for (std::uint32_t i = 0; i < s_x * s_y; ++i) all.push_back({i % s_x, i / s_x});
      for (const auto& offsets : {corners, all}) {
        const NbbFractal fractal("f", s_x, s_y, offsets);
        const TiledFractal tiled = make_tiled_fractal(fractal, fractal.max_level(), 1);
        const auto entries = TableArithmetic<std::uint64_t>::build(tiled);
        const TableArithmetic<std::uint64_t> table(tiled, entries.data());
        const LoopArithmetic<std::uint64_t> loop(tiled);
        const Coord64 last{tiled.orthotope_x - 1, tiled.orthotope_y - 1};
        EXPECT_EQ(table.lambda(last), loop.lambda(last)) << s_x << "x" << s_y;
        EXPECT_EQ(table.nu(loop.lambda(last)).omega, last) << s_x << "x" << s_y;
      }
    }
  }
}

TEST(Storages, GiveEachCellItsOwnByte) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = std::min(6, tests::level_within(fractal, 1 << 15));
    const std::vector<Coord64> cells = tests::cells_by_definition(fractal, level);
    for (std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      for (MapKind map : kMapKinds) {
        SCOPED_TRACE(testing::Message()
                     << fractal.name() << " tile size " << tile_size << " " << name_of(map));
        const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
        with_storage(layout_of(map), tiled,
                     [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                       std::unordered_set<std::uint64_t> taken;
                       for (const Coord64& cell : cells) {
                         const std::uint64_t at =
                             storage.index_of({static_cast<Int>(cell.x), static_cast<Int>(cell.y)});
                         ASSERT_LT(at, storage.size());
                         ASSERT_TRUE(taken.insert(at).second);
                       }
                       for (std::uint64_t y = 0; y < tiled.height; ++y) {
                         for (std::uint64_t x = 0; x < tiled.width; ++x) {
                           if (tests::member_by_recursion(fractal, level, {x, y})) continue;
                           ASSERT_EQ(storage.index_of({static_cast<Int>(x), static_cast<Int>(y)}), kNoIndex);
                         }
                       }
                     });
      }
    }
  }
}

TEST(Storages, CompactHoldsAsManyTimesLessAsTheFormulaSays) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const TiledFractal tiled = make_tiled_fractal(gasket, 16, 16);
  const double ratio = double(storage_places(StorageLayout::kExpanded, tiled)) /
                       double(storage_places(StorageLayout::kTiledCompact, tiled));
  EXPECT_NEAR(ratio, std::pow(4.0 / 3.0, 16 - 4), 1e-9);  // 31.57
}

TEST(CanonicalOrder, IsTheDefinition) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = tests::level_within(fractal, 1 << 14);
    const std::vector<Coord64> cells = tests::cells_by_definition(fractal, level);
    const CanonicalOrder<std::uint64_t> order(make_tiled_fractal(fractal, level, 1));
    for (std::uint64_t i = 0; i < cells.size(); ++i) {
      ASSERT_EQ(order.cell(i), cells[i]);
      ASSERT_TRUE(order.index(cells[i]).present);
      ASSERT_EQ(order.index(cells[i]).value, i);
    }
  }
}

}  // namespace
}  // namespace loom
