#include "app/life/scene/block_space.h"

#include <gtest/gtest.h>

#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

// What the panels and overlays say must be what the engines count.
TEST(BlockSpace, AgreesWithTheEngines) {
  for (const NbbFractal& fractal : catalog()) {
    for (const MapKind map : kMapKinds) {
      for (const std::uint32_t block : allowed_blocks(fractal, 3)) {
        const FractalConfig config{.fractal = fractal, .level = 3, .block = block, .method = {.map = map}};
        const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
        const StepReport step = engine->step(1, {});
        const LaunchCount count = BlockSpace(config).launch_count(map);
        EXPECT_EQ(count.blocks, step.blocks_launched) << fractal.name();
        EXPECT_EQ(count.threads, step.threads_launched) << fractal.name();
        EXPECT_EQ(count.cells, step.threads_active) << fractal.name();
      }
    }
  }
}

TEST(BlockSpace, PlacesEveryPoint) {
  const FractalConfig config{.fractal = find_fractal("chandelier"), .level = 3, .block = 3};
  const BlockSpace space(config);
  const auto engine = make_fractal_engine(config, select_backend(BackendChoice::kCpu));
  std::uint64_t cells = 0;
  std::uint64_t occupied = 0;
  for (std::int64_t y = 0; y < 8; ++y) {
    for (std::int64_t x = 0; x < 27; ++x) {
      const auto place = space.place_at(x, y);
      ASSERT_TRUE(place);
      EXPECT_EQ(place->is_cell, engine->cell(place->cell).has_value());
      EXPECT_EQ(place->thread.has_value(), place->omega.has_value())
          << "lambda launches occupied blocks only";
      if (place->thread) {
        EXPECT_EQ(place->block.x * 3 + place->thread->x, place->cell.x);
        EXPECT_EQ(place->block.y * 2 + place->thread->y, place->cell.y);
      }
      EXPECT_EQ(place->omega.has_value(), space.holds_cells(place->block));
      if (place->omega) {
        EXPECT_EQ(space.expand(*place->omega), place->block);
      }
      cells += place->is_cell;
      occupied += place->thread == Coord32{0, 0} && place->omega;
    }
  }
  EXPECT_EQ(cells, config.fractal.cells(3));
  EXPECT_EQ(occupied, space.launch_count(MapKind::kLambda).occupied_blocks);
}

TEST(BlockSpace, KnowsTheThreadUnderEveryMapping) {
  for (const IntraBlock intra_block : kIntraBlocks) {
    FractalConfig config{.fractal = find_fractal("vicsek"), .level = 3, .block = 9};
    config.method.intra_block = intra_block;
    const BlockSpace space(config);
    std::uint64_t threads = 0;
    for (std::int64_t y = 0; y < 27; ++y) {
      for (std::int64_t x = 0; x < 27; ++x) threads += space.place_at(x, y)->thread.has_value();
    }
    EXPECT_EQ(threads, space.launch_count(MapKind::kLambda).threads) << name_of(intra_block);
  }
  const BlockSpace box(
      {.fractal = find_fractal("vicsek"), .level = 3, .block = 9, .method = {.map = MapKind::kBoundingBox}});
  EXPECT_TRUE(box.place_at(0, 0)->thread) << "a hole has a thread too";
}

TEST(BlockSpace, NothingOutside) {
  const BlockSpace space({.fractal = find_fractal("vicsek"), .level = 2, .block = 3});
  for (const auto& [x, y] : {std::pair{-1, 0}, {0, -1}, {9, 0}, {0, 9}}) EXPECT_FALSE(space.place_at(x, y));
}

}  // namespace
}  // namespace loom::app
