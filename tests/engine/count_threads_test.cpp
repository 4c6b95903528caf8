#include <array>

#include "backend.h"
#include "compute/check/reference_threads.h"

namespace loom {
namespace {

using tests::describe;

class CountedThreads : public tests::EngineTest {
 protected:
  ThreadCount count(const FractalConfig& config) const { return make(config)->count_threads(); }
  bool on_gpu() const { return backend_.device.kind == BackendKind::kCuda; }
};

TEST_F(CountedThreads, OfEveryMethodAreThoseOfTheDefinition) {
  for (const NbbFractal& fractal : catalog()) {
    const int most = fractal.shape().s_x * fractal.shape().s_y > 6 ? 3 : 5;
    for (int level = 0; level <= most; ++level) {
      const ReferenceLife reference(fractal, level);
      for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAllTiles)) {
        SCOPED_TRACE(describe(config) + " tiles " + std::to_string(config.method.tiles));
        const ReferenceTiles expected(reference, config.tile_size);
        EXPECT_EQ(expected.first_difference(config, backend_.device, count(config)), std::nullopt);
      }
    }
  }
}

// Gasket, level 7, tiles of 4 x 4: a square of 128 x 128 points in 32 x 32 tiles, of which 3^5 hold 3^2
// cells each.
TEST_F(CountedThreads, AreTheNumbersThatOneFindsByHand) {
  FractalConfig config{find_fractal("sierpinski-gasket"), 7, 4, {.map = MapKind::kBoundingBox}};
  ThreadCount expected{
      .tiles_launched = 1024, .tiles_occupied = 243, .threads_launched = 16384, .threads_active = 2187};
  const auto as_expected = [&] {
    ThreadCount counted = count(config);
    EXPECT_EQ(counted.thread_blocks > 0, on_gpu());
    counted.thread_blocks = 0;
    return counted == expected;
  };
  EXPECT_TRUE(as_expected());
  EXPECT_EQ(expected.tiles_empty(), 781u);
  for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
    config.method.map = map;
    expected.tiles_launched = 243;
    for (const IntraBlock intra_block : kIntraBlocks) {
      config.method.intra_block = intra_block;
      expected.threads_launched = intra_block == IntraBlock::kSubBox ? 3888 : 2187;
      EXPECT_TRUE(as_expected()) << name_of(map) << ", " << name_of(intra_block);
    }
  }
}

TEST_F(CountedThreads, TilesShareThreadBlocksAndChangeNothingElse) {
  FractalConfig config{find_fractal("sierpinski-gasket"), 7, 4, {.map = MapKind::kLambda}};
  for (const std::uint32_t tiles : {1u, 3u, 9u, 27u}) {
    config.method.tiles = tiles;
    const ThreadCount counted = count(config);
    EXPECT_EQ(counted.thread_blocks, on_gpu() ? 243 / tiles : 0);
    EXPECT_EQ(counted.tiles_launched, 243u) << tiles;
    EXPECT_EQ(counted.threads_launched, 3888u) << tiles;
    EXPECT_EQ(counted.threads_active, 2187u) << tiles;
  }
}

TEST_F(CountedThreads, ThoseThatFillUpWarpsAndTilesHaveNoTile) {
  FractalConfig config{find_fractal("sierpinski-gasket"), 7, 4, {.map = MapKind::kLambda}};
  config.method.arithmetic =
      MapArithmetic::kTensor2;  // 27 x 9 tiles in groups of 2 x 2: 14 x 5 groups of 4 x 16 threads
  EXPECT_EQ(count(config).threads_launched, on_gpu() ? 70u * 64 : 3888u);
  EXPECT_EQ(count(config).threads_without_tile, on_gpu() ? 70u * 64 - 3888 : 0u);
  config.method.arithmetic = MapArithmetic::kTensor3;  // the 16 threads of a tile are padded to a warp
  EXPECT_EQ(count(config).threads_launched, on_gpu() ? 243u * 32 : 3888u);
  EXPECT_EQ(count(config).threads_without_tile, on_gpu() ? 3888u : 0u);
  EXPECT_EQ(count(config).threads_active, 2187u);
}

TEST_F(CountedThreads, OfWideSpaces) {
  // 3^21 > 2^32: 64-bit coordinates.
  const FractalConfig cantor{find_fractal("cantor"), 21, 27, {.map = MapKind::kCompact}};
  const ThreadCount counted = count(cantor);
  EXPECT_EQ(counted.tiles_launched, 1u << 18);
  EXPECT_EQ(counted.tiles_occupied, 1u << 18);
  EXPECT_EQ(counted.threads_launched, 27u << 18);
  EXPECT_EQ(counted.threads_active, 1u << 21);
  EXPECT_EQ(counted.threads_misplaced, 0u);
}

TEST_F(CountedThreads, CountingLeavesTheCellsAsTheyAre) {
  for (const FractalConfig& config : all_methods(find_fractal("chandelier"), 4, MethodSet::kMaps)) {
    SCOPED_TRACE(describe(config));
    const auto engine = make(config);
    engine->reset({3, 0.5});
    engine->step(2, LifeRule{});
    std::vector<std::uint8_t> before(engine->cell_count());
    std::vector<std::uint8_t> after(engine->cell_count());
    engine->read_cells(0, before);
    const ThreadCount first = engine->count_threads();
    EXPECT_EQ(engine->count_threads(), first);
    EXPECT_EQ(engine->generation(), 2u);
    engine->read_cells(0, after);
    EXPECT_EQ(after, before);
  }
}

/// Counts where plain FP16 weights place the cells of a fractal of scale 3 at level 8 with tile size 1. The
/// weight of level 8, 3^7 = 2187, lies midway between two FP16 numbers and is rounded to the even one, 2188.
struct Astray {
  std::uint64_t inside = 0;
  std::uint64_t elsewhere = 0;  ///< inside the square, but not at the cell's position
};
Astray astray_by_hand(const NbbFractal& fractal) {
  const std::vector<Coord32> offsets = fractal.offsets();
  Astray astray;
  std::vector<Coord64> low = {{0, 0}};
  for (const std::uint64_t weight : {1, 3, 9, 27, 81, 243, 729}) {
    std::vector<Coord64> next;
    for (const Coord64& place : low) {
      for (const Coord32& tau : offsets) next.push_back({place.x + tau.x * weight, place.y + tau.y * weight});
    }
    low.swap(next);
  }
  for (const Coord64& place : low) {
    for (const Coord32& tau : offsets) {
      if (place.x + tau.x * 2188 >= 6561 || place.y + tau.y * 2188 >= 6561) continue;
      ++astray.inside;
      astray.elsewhere += tau.x + tau.y > 0;
    }
  }
  return astray;
}

TEST_F(CountedThreads, PlainFp16WeightsLeadAstray) {
  for (const char* name : {"vicsek", "x-fractal"}) {
    const NbbFractal& fractal = find_fractal(name);
    const Astray expected = astray_by_hand(fractal);
    ASSERT_LT(expected.inside, 390625u);
    for (const MapKind map : {MapKind::kLambda, MapKind::kCompact}) {
      SCOPED_TRACE(std::string(name) + " " + std::string(name_of(map)));
      FractalConfig config{fractal, 8, 1, {.map = map, .arithmetic = MapArithmetic::kTensorFp16}};
      const ThreadCount wrong = count(config);
      EXPECT_EQ(wrong.tiles_launched, 390625u);
      EXPECT_EQ(wrong.threads_active, expected.inside) << "a thread mapped outside the square must be idle";
      EXPECT_EQ(wrong.tiles_occupied, expected.inside);
      EXPECT_EQ(wrong.threads_misplaced, expected.elsewhere);
      config.level = 7;
      const ThreadCount right = count(config);
      EXPECT_EQ(right.threads_active, 78125u);
      EXPECT_EQ(right.threads_misplaced, 0u);
    }
  }
}

}  // namespace
}  // namespace loom
