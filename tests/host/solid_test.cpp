#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/check/reference_life.h"
#include "compute/core/error.h"
#include "compute/solid/solid_config.h"
#include "compute/solid/solid_rays.h"
#include "compute/workload/rule_text.h"

namespace loom::test {
namespace {

/// Custom shapes beside the catalogue: unequal scales, an axis of scale 1, the most replicas.
std::vector<SolidFractal> all_shapes() {
  std::vector<SolidFractal> shapes = solid_catalog();
  shapes.emplace_back("uneven", Coord3{2, 3, 4},
                      std::vector<Coord3>{{1, 0, 0}, {0, 2, 1}, {1, 1, 2}, {0, 0, 3}, {1, 2, 3}});
  shapes.emplace_back("flat", Coord3{3, 1, 2}, std::vector<Coord3>{{0, 0, 0}, {2, 0, 1}, {1, 0, 1}});
  std::vector<Coord3> offsets;
  for (std::uint32_t i = 1; i < 64; ++i) offsets.push_back({i % 4, i / 4 % 4, i / 16});
  shapes.emplace_back("corner missing", Coord3{4, 4, 4}, offsets);
  return shapes;
}

TEST(Solid, CatalogueHasTheNamedShapes) {
  const auto expect = [](const char* name, std::uint32_t k, Coord3 scale) {
    const SolidFractal* const fractal = find_solid(name);
    ASSERT_NE(fractal, nullptr) << name;
    EXPECT_EQ(fractal->shape().k, k) << name;
    EXPECT_EQ(fractal->shape().scale, scale) << name;
  };
  expect("menger-sponge", 20, {3, 3, 3});
  expect("sierpinski-tetrahedron", 4, {2, 2, 2});
  expect("cantor-dust", 8, {3, 3, 3});
  expect("vicsek-3d", 7, {3, 3, 3});
  expect("octahedral", 6, {3, 3, 3});
  expect("mosely-snowflake", 18, {3, 3, 3});
  expect("step-pyramid", 10, {3, 2, 3});
  EXPECT_EQ(find_solid("vicsek"), nullptr);
  for (const SolidFractal& fractal : solid_catalog()) {
    const auto offsets = fractal.offsets();
    for (std::size_t i = 1; i < offsets.size(); ++i) {
      EXPECT_LT(index_in(fractal.shape().scale, offsets[i - 1]), index_in(fractal.shape().scale, offsets[i]))
          << fractal.name() << ": offsets run row by row";
    }
  }
  EXPECT_NEAR(find_solid("menger-sponge")->filled_share(5), 0.223, 0.001);
  EXPECT_NEAR(find_solid("sierpinski-tetrahedron")->filled_share(9), 0.00195, 0.00001);
  EXPECT_NEAR(find_solid("menger-sponge")->dimension(), 2.7268, 0.0001);
}

TEST(Solid, ShapesOutsideTheConditionsAreRefused) {
  const auto refused = [](Coord3 scale, const std::vector<Coord3>& offsets) {
    EXPECT_THROW(SolidFractal("x", scale, offsets), InputError);
  };
  refused({2, 2, 2}, {});
  refused({2, 2, 2}, {{0, 0, 0}});
  refused({5, 2, 2}, {{0, 0, 0}, {1, 1, 1}});
  refused({0, 2, 2}, {{0, 0, 0}, {1, 1, 1}});
  refused({2, 2, 2}, {{0, 0, 0}, {2, 0, 0}});
  refused({2, 2, 2}, {{0, 0, 0}, {0, 0, 0}});
  std::vector<Coord3> all;
  for (std::uint32_t i = 0; i < 64; ++i) all.push_back({i % 4, i / 4 % 4, i / 16});
  refused({4, 4, 4}, all);
}

TEST(Solid, LambdaAndNuAreInverseAndMembershipIsThatOfTheReference) {
  for (const SolidFractal& fractal : all_shapes()) {
    for (int level = 0; fractal.cells(level) <= 5000; ++level) {
      const TiledSolid tiled = make_tiled_fractal(fractal, level, 1);
      const SolidOrder order(tiled);
      const ReferenceLife reference(fractal, level);
      std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>> cells;
      for (std::uint64_t i = 0; i < tiled.cells; ++i) {
        const Coord3 cell = order.cell(i);
        const auto place = reference.coordinate(reference.point(i));
        ASSERT_EQ(place, (std::array<std::uint64_t, 3>{cell.x, cell.y, cell.z})) << fractal.name() << level;
        ASSERT_EQ(order.index(cell), i);
        cells.insert({cell.x, cell.y, cell.z});
      }
      ASSERT_EQ(cells.size(), tiled.cells);
      if (volume(tiled.size) > 100'000) continue;
      for (std::uint64_t point = 0; point < volume(tiled.size); ++point) {
        const Coord3 at = BoxIndex(tiled.size).at(point);
        const bool is_cell = cells.contains({at.x, at.y, at.z});
        ASSERT_EQ(is_member(tiled.transform, level, at), is_cell) << fractal.name();
        ASSERT_EQ(nu_map(tiled.transform, level, at).present, is_cell) << fractal.name();
      }
    }
  }
}

TEST(Solid, TablesGiveTheSameAsTheLoopAtEveryLevel) {
  std::mt19937_64 random(1);
  for (const SolidFractal& fractal : all_shapes()) {
    for (int level = 0; level <= fractal.max_level(); ++level) {
      const TiledSolid tiled = make_tiled_fractal(fractal, level, 1);
      const SolidTables tables(tiled);
      const SolidTableArithmetic table(tiled, tables.arithmetic.data());
      for (int sample = 0; sample < 50; ++sample) {
        const auto below = [&](std::uint32_t side) { return static_cast<std::uint32_t>(random() % side); };
        const Coord3 omega{below(tiled.orthotope.x), below(tiled.orthotope.y), below(tiled.orthotope.z)};
        const Coord3 cell = lambda_map(tiled.transform, level, omega);
        ASSERT_EQ(table.lambda(omega), cell) << fractal.name() << " level " << level;
        ASSERT_EQ(nu_map(tiled.transform, level, cell).omega, omega);
        ASSERT_TRUE(table.nu(cell).present);
        ASSERT_EQ(table.nu(cell).omega, omega);
        const Coord3 any{below(tiled.size.x), below(tiled.size.y), below(tiled.size.z)};
        ASSERT_EQ(table.nu(any).present, is_member(tiled.transform, level, any));
      }
    }
  }
}

TEST(Solid, TileSizesArePowersWithinAThreadBlock) {
  using Sizes = std::vector<std::uint32_t>;
  EXPECT_EQ(allowed_tile_sizes(*find_solid("menger-sponge"), 5), (Sizes{1, 3, 9}));
  EXPECT_EQ(allowed_tile_sizes(*find_solid("sierpinski-tetrahedron"), 9), (Sizes{1, 2, 4, 8}));
  EXPECT_EQ(allowed_tile_sizes(*find_solid("step-pyramid"), 5), (Sizes{1, 3, 9}));
  EXPECT_EQ(allowed_tile_sizes(*find_solid("menger-sponge"), 1), (Sizes{1, 3}));
  EXPECT_THROW(make_tiled_fractal(*find_solid("menger-sponge"), 5, 2), InputError);
  EXPECT_THROW(make_tiled_fractal(*find_solid("menger-sponge"), 99, 1), InputError);
}

TEST(Solid, StagedPointsAreTheCellsThatATileReads) {
  const SolidFractal& menger = *find_solid("menger-sponge");
  const TiledSolid tiled = make_tiled_fractal(menger, 2, 3);
  const SolidTables tables(tiled);
  EXPECT_EQ(tables.tile_cells.size(), 20u);
  // 20 own cells, 8 on each of the six sides, 3 along each of the twelve edges, of which all touch a cell of
  // the tile, and 8 corners.
  EXPECT_EQ(tables.staged.size(), 20u + 6 * 8 + 12 * 3 + 8);
  EXPECT_EQ(tables.halo_tiles, 0x7ffffffu & ~(1u << kSolidSelf));
  // The replicas of the dust do not touch: none of the halo's cells is beside one of the tile's.
  const TiledSolid dust = make_tiled_fractal(*find_solid("cantor-dust"), 2, 1);
  EXPECT_EQ(SolidTables(dust).staged.size(), 27u);
}

TEST(Solid, CompactStorageHoldsWhatItPromises) {
  const SolidFractal& menger = *find_solid("menger-sponge");
  SolidConfig config{.fractal = menger, .level = 4, .tile_size = 9, .method = {.map = MapKind::kCompact}};
  EXPECT_EQ(bytes_needed(config), 2u * 400 * 729);
  config.tile_size = 1;
  EXPECT_EQ(bytes_needed(config), 2u * 160'000);
  config.method.map = MapKind::kLambda;
  EXPECT_EQ(bytes_needed(config), 2u * 81 * 81 * 81);
  EXPECT_EQ(largest_level(config, 1'000'000), 3);
  config.method.map = MapKind::kCompact;
  EXPECT_EQ(largest_level(config, 1'000'000), 4);
  EXPECT_EQ(largest_level(config, 1), -1);
}

TEST(Solid, MethodsOfTwoDimensionsAreRefusedWithTheReason) {
  const auto reason = [](const MapMethod& method) {
    return method_problem(method, make_tiled_fractal(*find_solid("menger-sponge"), 3, 9));
  };
  EXPECT_NE(reason({.arithmetic = MapArithmetic::kShuffle}).find("allowed: loop, table"), std::string::npos);
  EXPECT_NE(reason({.arithmetic = MapArithmetic::kTensor1}).find("tensor-1"), std::string::npos);
  EXPECT_NE(reason({.storage = CellStorage::kBits}).find("allowed: --storage bytes"), std::string::npos);
  EXPECT_NE(reason({.tiles = 3}).find("allowed: auto, 1, 2, 4"), std::string::npos);
  EXPECT_EQ(reason({.map = MapKind::kBoundingBox, .arithmetic = MapArithmetic::kShuffle}), "");
  EXPECT_EQ(reason({.map = MapKind::kCompact, .tiles = 4}), "");
}

TEST(Solid, LaunchesFitIntoAThreadBlock) {
  for (const SolidFractal& fractal : all_shapes()) {
    for (const MapKind map : kMapKinds) {
      for (const std::uint32_t size : allowed_tile_sizes(fractal, 4)) {
        const TiledSolid tiled = make_tiled_fractal(fractal, 4, size);
        for (const IntraBlock intra_block : kIntraBlocks) {
          const SolidLaunch launch = solid_launch({.map = map, .intra_block = intra_block}, tiled);
          EXPECT_LE(launch.threads, kMaxBlockThreads);
          EXPECT_LE(launch.shared_bytes, 48u * 1024) << fractal.name() << " tile " << size;
          EXPECT_GE(launch.blocks * launch.tiling.tiles,
                    map == MapKind::kBoundingBox ? box_tiles(tiled) : tiled.orthotope_tiles());
        }
      }
    }
  }
}

/// The first cell that a ray meets among all cells, by the intersection with each: the parameter, or
/// infinity.
double nearest_cell(const std::vector<Coord3>& cells, const SolidVector& o, const SolidVector& d) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Coord3& cell : cells) {
    double enter = 0;
    double leave = std::numeric_limits<double>::infinity();
    const auto clip = [&](double origin, double direction, double low) {
      const double a = (low - origin) / direction;
      const double b = (low + 1 - origin) / direction;
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    };
    clip(o.x, d.x, cell.x);
    clip(o.y, d.y, cell.y);
    clip(o.z, d.z, cell.z);
    if (enter < leave - 1e-4) nearest = std::min(nearest, enter);
  }
  return nearest;
}

TEST(SolidView, RaysMeetTheNearestVisibleCell) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> number(-1, 1);
  for (const char* name : {"menger-sponge", "sierpinski-tetrahedron", "step-pyramid", "cantor-dust"}) {
    const TiledSolid tiled = make_tiled_fractal(*find_solid(name), 3, 1);
    const SolidTables tables(tiled);
    const SolidMap map =
        make_solid_map({.map = MapKind::kCompact}, tiled, tables.arithmetic.data(), tables.tile_cells.data());
    const SolidDigits digits(tiled);
    const SolidScene scene = make_solid_scene(map, solid_launch({.map = MapKind::kCompact}, tiled), digits);
    const SolidOrder order(tiled);
    std::vector<std::uint8_t> states(map.bytes());
    std::vector<Coord3> all;
    std::vector<Coord3> living;
    for (std::uint64_t i = 0; i < tiled.cells; ++i) {
      all.push_back(order.cell(i));
      if (random() % 3 != 0) continue;
      living.push_back(all.back());
      states[map.index_of(all.back())] = 1;
    }
    SolidView view{.high = tiled.size};
    const auto middle = static_cast<float>(tiled.size.x) / 2;
    int hits = 0;
    for (int ray = 0; ray < 300; ++ray) {
      view.living_only = ray % 2 == 1;
      const SolidVector d{number(random), number(random), number(random)};
      const SolidVector aim{middle * (1 + 0.8f * number(random)), middle * (1 + 0.8f * number(random)),
                            middle * (1 + 0.8f * number(random))};
      const SolidVector o = aim + -4 * middle * d;
      const double expected = nearest_cell(view.living_only ? living : all, o, d);
      const SolidHit hit = trace_ray(scene, view, states.data(), o, d);
      // A ray may graze an edge by less than the precision of float.
      if (hit.hit != std::isfinite(expected)) continue;
      if (!hit.hit) continue;
      ++hits;
      // It may stop at a cell that it touches only at an edge, and must not go past one that it enters.
      EXPECT_LT(hit.at, expected + 0.01) << name << " ray " << ray;
      const SolidVector at = o + hit.at * d;
      const auto touches = [](float position, std::uint32_t cell) {
        return position > static_cast<float>(cell) - 0.01f && position < static_cast<float>(cell) + 1.01f;
      };
      EXPECT_TRUE(touches(at.x, hit.cell.x) && touches(at.y, hit.cell.y) && touches(at.z, hit.cell.z))
          << name << " ray " << ray;
      EXPECT_EQ(hit.alive, states[map.index_of(hit.cell)] != 0);
    }
    EXPECT_GT(hits, 15) << name;
  }
}

TEST(SolidView, ACutPlaneShowsWhatIsBehindIt) {
  const TiledSolid tiled = make_tiled_fractal(*find_solid("menger-sponge"), 2, 1);
  const SolidTables tables(tiled);
  const SolidMap map =
      make_solid_map({.map = MapKind::kLambda}, tiled, tables.arithmetic.data(), tables.tile_cells.data());
  const SolidDigits digits(tiled);
  const SolidScene scene = make_solid_scene(map, solid_launch({.map = MapKind::kLambda}, tiled), digits);
  const std::vector<std::uint8_t> states(map.bytes());
  SolidView view{.high = tiled.size};
  const SolidVector towards{0, 0, 1};
  SolidHit hit = trace_ray(scene, view, states.data(), {0.5f, 0.5f, -5}, towards);
  EXPECT_EQ(hit.cell, (Coord3{0, 0, 0}));
  EXPECT_EQ(hit.face, 4);
  EXPECT_FLOAT_EQ(hit.at, 5);
  view.low.z = 3;
  hit = trace_ray(scene, view, states.data(), {0.5f, 0.5f, -5}, towards);
  EXPECT_EQ(hit.cell, (Coord3{0, 0, 3}));
  EXPECT_FLOAT_EQ(hit.at, 8);
  EXPECT_FALSE(trace_ray(scene, view, states.data(), {4.5f, 4.5f, -5}, towards).hit) << "through the hole";
  EXPECT_FALSE(trace_ray(scene, view, states.data(), {0.5f, 0.5f, 20}, towards).hit) << "behind the viewer";
  view.living_only = true;
  EXPECT_FALSE(trace_ray(scene, view, states.data(), {0.5f, 0.5f, -5}, towards).hit);
}

TEST(SolidDensity, TheReplicaIsTheOneNearestToThePixel) {
  const auto level_of = [](const char* name, float pixel) {
    const TiledSolid tiled = make_tiled_fractal(*find_solid(name), 4, 1);
    const SolidTables tables(tiled);
    return detail_level(make_solid_map({}, tiled, tables.arithmetic.data(), tables.tile_cells.data()), pixel);
  };
  EXPECT_EQ(level_of("menger-sponge", 0), 0);
  EXPECT_EQ(level_of("menger-sponge", 1), 0);
  EXPECT_EQ(level_of("menger-sponge", 1.7f), 0);
  EXPECT_EQ(level_of("menger-sponge", 1.75f), 1) << "3 cells are at most sqrt(3) pixels";
  EXPECT_EQ(level_of("menger-sponge", 5.1f), 1);
  EXPECT_EQ(level_of("menger-sponge", 5.2f), 2);
  EXPECT_EQ(level_of("menger-sponge", 1e9f), 4) << "the whole fractal";
  EXPECT_EQ(level_of("sierpinski-tetrahedron", 1.4f), 0);
  EXPECT_EQ(level_of("sierpinski-tetrahedron", 1.42f), 1);
}

TEST(SolidDensity, CountsTheLivingCellsOfEveryReplica) {
  std::mt19937 random(5);
  for (const SolidFractal& fractal : all_shapes()) {
    const int level = fractal.shape().k > 20 ? 2 : 3;
    for (const MapKind kind : kMapKinds) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
        const TiledSolid tiled = make_tiled_fractal(fractal, level, tile_size);
        const SolidTables tables(tiled);
        const SolidMap map =
            make_solid_map({.map = kind}, tiled, tables.arithmetic.data(), tables.tile_cells.data());
        const SolidOrder order(tiled);
        std::vector<std::uint8_t> states(map.bytes());
        // By level and first point.
        std::map<std::pair<int, std::uint64_t>, std::uint64_t> living;
        for (std::uint64_t i = 0; i < tiled.cells; ++i) {
          const Coord3 cell = order.cell(i);
          const std::uint8_t state = random() % 3 == 0 ? 1 : 0;
          states[map.index_of(cell)] = state;
          for (int mu = 0; mu <= level; ++mu) {
            const Coord3 side = fractal.size(mu);
            const Coord3 corner{cell.x / side.x * side.x, cell.y / side.y * side.y, cell.z / side.z * side.z};
            living[{mu, index_in(tiled.size, corner)}] += state;
          }
        }
        const BoxIndex points(tiled.size);
        for (const auto& [replica, count] : living) {
          const auto& [mu, first] = replica;
          const Coord3 side = fractal.size(mu);
          const Coord3 corner = points.at(first);
          const Coord3 last{corner.x + side.x - 1, corner.y + side.y - 1, corner.z + side.z - 1};
          for (const Coord3 point : {corner, last})
            ASSERT_EQ(count_living(map, states.data(), point, mu), count)
                << fractal.name() << ' ' << name_of(kind) << " tile " << tile_size << " level " << mu;
        }
      }
    }
  }
}

TEST(SolidThread, TheThreadOfACellIsTheOneThatTheMapGivesIt) {
  for (const SolidFractal& fractal : all_shapes()) {
    for (const MapKind kind : kMapKinds) {
      for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, 2)) {
        const TiledSolid tiled = make_tiled_fractal(fractal, 2, tile_size);
        const SolidTables tables(tiled);
        for (const IntraBlock intra_block : kIntraBlocks) {
          const MapMethod method{.map = kind, .intra_block = intra_block};
          const SolidMap map =
              make_solid_map(method, tiled, tables.arithmetic.data(), tables.tile_cells.data());
          const SolidLaunch launch = solid_launch(method, tiled);
          std::uint64_t cells = 0;
          for (std::uint64_t tile = 0; tile < map.tiles(); ++tile) {
            const Coord3 place = map.place(tile);
            for (std::uint32_t thread = 0; thread < map.threads_per_tile(); ++thread) {
              const SolidPosition position = map.position(place, thread);
              if (!position.present) continue;
              ++cells;
              const SolidThreadRef found = thread_of(map, map.cell(place, position.at));
              ASSERT_EQ(found, (SolidThreadRef{tile, thread})) << fractal.name() << ' ' << name_of(kind);
              const SolidThreadPlace there = place_of(map, launch.tiling, found);
              ASSERT_LT(there.rank, launch.threads);
              ASSERT_LT(there.block, launch.blocks);
              // As a kernel finds its tile: first tile of the block, the group's tiles, the round.
              const std::uint32_t group = there.rank / map.threads_per_tile();
              ASSERT_EQ(there.block * launch.tiling.tiles + group * launch.tiling.rounds + there.round, tile);
            }
          }
          EXPECT_EQ(cells, tiled.cells);
        }
      }
    }
  }
}

/// A map of the sponge at level 2 in tiles of 3, and its picture.
struct SpongePicture {
  explicit SpongePicture(MapKind kind)
      : method{.map = kind},
        tiled(make_tiled_fractal(*find_solid("menger-sponge"), 2, 3)),
        tables(tiled),
        map(make_solid_map(method, tiled, tables.arithmetic.data(), tables.tile_cells.data())),
        digits(tiled),
        scene(make_solid_scene(map, solid_launch(method, tiled), digits)),
        states(map.bytes()) {
    // Orthographic, along z, ten pixels per cell.
    view = {.width = 90,
            .height = 90,
            .origin = {0.05f, 0.05f, -5},
            .right = {0.1f, 0, 0},
            .down = {0, 0.1f, 0},
            .direction = {0, 0, 1},
            .high = tiled.size,
            .nearest = 5,
            .farthest = 14};
  }
  std::uint32_t pixel(int i, int j) const {
    return solid_pixel(scene, view, PixelWidth(view), states.data(), i, j);
  }
  std::uint32_t colour(int i, int j) const { return pixel(i, j) >> kSolidColourShift & 255u; }
  std::uint32_t empty(int i, int j) const { return pixel(i, j) >> kSolidEmptyShift & kSolidMaxEmpty; }

  MapMethod method;
  TiledSolid tiled;
  SolidTables tables;
  SolidMap map;
  SolidDigits digits;
  SolidScene scene;
  std::vector<std::uint8_t> states;
  SolidView view;
};

TEST(SolidView, PixelsHaveTheColourValueOfTheThread) {
  for (const MapKind kind : kMapKinds) {
    SpongePicture picture(kind);
    EXPECT_EQ(picture.colour(5, 5), 0u) << "no colouring";
    picture.view.colouring = SolidColouring::kTileIndex;
    EXPECT_EQ(picture.colour(5, 5), 1u) << "tile 0";
    EXPECT_EQ(picture.colour(25, 5), 1u) << "cell (2, 0, 0) is in the same tile";
    EXPECT_EQ(picture.colour(35, 5), 1 + thread_of(picture.map, {3, 0, 0}).tile);
    EXPECT_NE(picture.colour(35, 5), 1u);
    picture.view.colouring = SolidColouring::kThread;
    EXPECT_EQ(picture.colour(5, 5), 1u) << "the first thread";
    EXPECT_EQ(picture.colour(35, 5), 1u) << "the first of another tile";
    EXPECT_GT(picture.colour(25, 5), 1u);
    picture.view.colouring = SolidColouring::kAddress;
    EXPECT_EQ(picture.colour(5, 5), 1u);
    EXPECT_LT(picture.colour(25, 5), picture.colour(85, 85));
    picture.view.colouring = SolidColouring::kWarp;
    EXPECT_EQ(picture.colour(5, 5), 1u);
  }
}

TEST(SolidView, OnlyTheBoundingBoxHasEmptyTiles) {
  SpongePicture box(MapKind::kBoundingBox);
  EXPECT_EQ(box.empty(45, 45), 0u) << "not requested";
  box.view.empty_tiles = true;
  EXPECT_EQ(box.pixel(45, 45) & kSolidHit, 0u) << "through the hole";
  EXPECT_GT(box.empty(45, 45), 0u) << "which consists of three empty tiles";
  EXPECT_GT(box.empty(30, 45), box.empty(45, 45)) << "at the edge of the tile is a line";
  EXPECT_EQ(box.empty(5, 5), 0u) << "a cell in front";
  EXPECT_EQ(box.empty(15, 15), 0u) << "a hole within an occupied tile";
  SpongePicture compact(MapKind::kCompact);
  compact.view.empty_tiles = true;
  EXPECT_EQ(compact.pixel(45, 45), 0u);
}

TEST(SolidView, CellsThatAreLargeEnoughHaveDarkEdges) {
  SpongePicture picture(MapKind::kCompact);
  const auto open = [&](int i, int j) { return picture.pixel(i, j) >> kSolidOpenShift & 15u; };
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(open(i, 5), 15u) << "ten pixels per cell: lines would hide the faces";
  const auto with_pixels = [&](float pixel) {
    picture.view.origin = {pixel / 2, pixel / 2, -5};
    picture.view.right = {pixel, 0, 0};
    picture.view.down = {0, pixel, 0};
  };
  with_pixels(0.0625f);  // sixteen per cell
  EXPECT_EQ(open(8, 8), 15u) << "within a face";
  for (const auto& [i, j] : {std::pair(15, 8), {16, 8}, {8, 15}, {8, 16}, {0, 8}})
    EXPECT_LT(open(i, j), 15u) << i << ' ' << j;
  EXPECT_EQ(open(13, 8), 15u) << "the line is a pixel wide on each side";
  const std::uint32_t before = open(15, 8);
  with_pixels(0.03125f);
  EXPECT_LT(open(31, 8), before) << "darker where there is more room";
}

TEST(SolidRule, ReadsListsRangesAndBaysNotation) {
  const auto same = [](const char* text, const char* canonical) {
    EXPECT_EQ(to_string(parse_solid_rule(text)), canonical) << text;
  };
  same("B5..7/S4..7", "B5..7/S4..7");
  same("s4..7 b5,6,7", "B5..7/S4..7");
  same("B4/S", "B4/S");
  same("B/S0..26", "B/S0..26");
  same("B4,6,7,10..12,26/S5", "B4,6,7,10..12,26/S5");
  same("5766", "B6/S5..7");
  same("4555", "B5/S4,5");
  same("10,21,10,21", "B10..21/S10..21");
  EXPECT_EQ(parse_solid_rule("B5..7/S4..7"), SolidRule{});
  for (const char* wrong : {"", "B", "B5", "B27/S3", "B567/S4", "B7..5/S4", "B5/B6", "B5/S4x", "576", "57666",
                            "7566", "B5,/S", "B99999999999/S", "B3-5/S", "5,7,6"}) {
    EXPECT_THROW(parse_solid_rule(wrong), InputError) << wrong;
  }
  EXPECT_EQ(next_state(SolidRule{}, 0, 5), 1u);
  EXPECT_EQ(next_state(SolidRule{}, 0, 4), 0u);
  EXPECT_EQ(next_state(SolidRule{}, 1, 4), 1u);
  EXPECT_EQ(next_state(SolidRule{.birth = 0, .survival = 1u << 26}, 1, 26), 1u);
}

TEST(ReferenceLife, GivesTheCheckValue) {
  ReferenceLife reference(*find_solid("menger-sponge"), 3);
  reference.reset({.seed = 1, .density = 0.3});
  reference.step(20, parse_solid_rule("B5..7/S4..7"));
  EXPECT_EQ(reference.cell_count(), 8000u);
  EXPECT_EQ(reference.census().population, 1653u);
  EXPECT_EQ(reference.census().hash, 0x40291969d9579656u);
  EXPECT_THROW(ReferenceLife(*find_solid("menger-sponge"), -1), InputError);
  EXPECT_THROW(ReferenceLife(*find_solid("menger-sponge"), 14), std::bad_alloc);
}

}  // namespace
}  // namespace loom::test
