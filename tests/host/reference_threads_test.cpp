#include "compute/check/reference_threads.h"

#include <gtest/gtest.h>

#include "compute/geometry/nbb_catalog.h"

namespace loom {
namespace {

// Chandelier, level 3, tiles of 3 x 2: 27 x 8 points in 9 x 4 tiles, 4^2 of which have 4 cells each.
struct Chandelier {
  FractalConfig config{.fractal = find_fractal("chandelier"), .level = 3, .tile_size = 3};
  ReferenceLife reference{config.fractal, 3};
  ReferenceTiles tiles{reference, 3};
};

TEST(ReferenceTiles, CountsCellsAndTiles) {
  const Chandelier chandelier;
  EXPECT_EQ(chandelier.tiles.cells(), 64u);
  EXPECT_EQ(chandelier.tiles.occupied(), 16u);
  EXPECT_EQ(chandelier.tiles.cells_per_tile(), 4u);
}

TEST(ReferenceTiles, AcceptsTheNumbersFoundByHandAndNoOthers) {
  Chandelier chandelier;
  FractalConfig& config = chandelier.config;
  const auto wrong = [&](const Device& device, const ThreadCount& count) {
    return chandelier.tiles.first_difference(config, device, count).value_or("");
  };
  config.method = {.map = MapKind::kBoundingBox};
  ThreadCount count{
      .tiles_launched = 36, .tiles_occupied = 16, .threads_launched = 216, .threads_active = 64};
  EXPECT_EQ(wrong({}, count), "");
  config.method = {.map = MapKind::kLambda, .intra_block = IntraBlock::kSubBox};
  EXPECT_EQ(wrong({}, count), "36 blocks, expected 16");
  count.tiles_launched = 16;
  EXPECT_EQ(wrong({}, count), "216 threads, expected 96");
  count.threads_launched = 96;
  EXPECT_EQ(wrong({}, count), "");
  config.method.intra_block = IntraBlock::kLookup;
  EXPECT_EQ(wrong({}, count), "96 threads, expected 64");
  count.threads_launched = 64;
  EXPECT_EQ(wrong({}, count), "");

  const ThreadCount right = count;
  count.threads_active = 63;
  EXPECT_EQ(wrong({}, count), "63 threads with a cell, expected 64");
  count = right;
  count.tiles_occupied = 17;
  EXPECT_EQ(wrong({}, count), "17 tiles with cells, expected 16");
  count = right;
  count.threads_misplaced = 1;
  EXPECT_EQ(wrong({}, count), "1 threads at another cell than theirs, expected 0");
  count = right;
  count.thread_blocks = 1;
  EXPECT_EQ(wrong({}, count), "1 thread blocks, expected 0");

  // 4 x 4 tiles: four tiles per thread block, or 2 x 2 with 16 threads padded to a warp.
  count.thread_blocks = 4;
  config.method.tiles = 4;
  EXPECT_EQ(wrong(cuda_device(0), count), "");
  config.method.tiles = 16;
  EXPECT_EQ(wrong(cuda_device(0), count), "4 thread blocks, expected 1");
  config.method = {
      .map = MapKind::kLambda, .arithmetic = MapArithmetic::kTensor2, .intra_block = IntraBlock::kLookup};
  EXPECT_EQ(wrong(cuda_device(0), count), "0 threads without a tile, expected 64");
  count.threads_without_tile = 64;
  EXPECT_EQ(wrong(cuda_device(0), count), "64 threads, expected 128");
  count.threads_launched = 128;
  EXPECT_EQ(wrong(cuda_device(0), count), "");
}

}  // namespace
}  // namespace loom
