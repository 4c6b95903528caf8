#include <gtest/gtest.h>

#include <vector>

#include "app/explain/colour_by.h"
#include "compute/backend/engine_factory.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/plane_partition.h"
#include "compute/geometry/storage.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app::explain {
namespace {

FractalConfig in_planes(const NbbFractal& fractal, int level) {
  return {.fractal = fractal,
          .level = level,
          .method = {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
}

/// The highest level with at most `points` points in the bounding box.
int level_with(const NbbFractal& fractal, std::uint64_t points) {
  int level = 0;
  while (fractal.width(level + 1) * fractal.height(level + 1) <= points) ++level;
  return level;
}

// Compares with the storage: the index of a cell gives its group, and the group its partition.
TEST(DeviceCells, CellsAreDealtByTheirPlaceInTheStorage) {
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config = in_planes(fractal, level_with(fractal, 60'000));
    const BitPlanes planes = make_bit_planes(fractal.shape(), config.level);
    const PlaneStorage<std::uint32_t> storage(make_tiled_fractal(fractal, config.level, 1));
    for (const std::uint32_t devices : {2u, 5u}) {
      if (!partition_problem(config, devices).empty()) continue;
      const DeviceCells cells(config, devices, "device");
      const auto ranges = partition_groups(planes, devices);
      std::vector<std::uint64_t> found(devices);
      for (std::uint32_t y = 0; y < fractal.height(config.level); ++y) {
        for (std::uint32_t x = 0; x < fractal.width(config.level); ++x) {
          const std::uint64_t place = storage.index_of({x, y});
          const auto device = cells.device_of(Coord64{x, y});
          ASSERT_EQ(device.has_value(), place != ~std::uint64_t{0}) << fractal.name() << " " << x << "," << y;
          if (!device) continue;
          const std::uint64_t group = place / (std::uint64_t{planes.planes} * planes.bits);
          std::uint32_t expected = 0;
          while (group >= std::uint64_t{ranges[expected].first} + ranges[expected].groups) ++expected;
          ASSERT_EQ(*device, expected) << fractal.name() << " " << x << "," << y;
          ++found[expected];
        }
      }
      for (std::uint32_t i = 0; i < devices; ++i) EXPECT_EQ(cells.cells(i), found[i]);
    }
  }
}

// Compares with the storage: the index of a cell gives its row of tiles, and the row its partition.
TEST(DeviceCells, BytesAreDealtByRowsOfTiles) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = level_with(fractal, 60'000);
    for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
      const FractalConfig config{
          .fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = MapKind::kCompact}};
      const TiledFractal tiled = make_tiled_fractal(fractal, level, tile_size);
      const TiledCompactStorage<std::uint32_t> storage(tiled);
      for (const std::uint32_t devices : {2u, 3u}) {
        if (!partition_problem(config, devices).empty()) continue;
        const DeviceCells cells(config, devices, "device");
        const auto parts = partition_rows(tiled, devices);
        std::vector<std::uint64_t> found(devices);
        for (std::uint32_t y = 0; y < tiled.height; ++y) {
          for (std::uint32_t x = 0; x < tiled.width; ++x) {
            const std::uint64_t place = storage.index_of({x, y});
            const auto device = cells.device_of(Coord64{x, y});
            ASSERT_EQ(device.has_value(), place != kNoIndex) << fractal.name() << " " << x << "," << y;
            if (!device) continue;
            ASSERT_LT(place / tiled.places_of_row() - parts[*device].first, parts[*device].count)
                << fractal.name() << " " << x << "," << y;
            ++found[*device];
          }
        }
        for (std::uint32_t i = 0; i < devices; ++i) EXPECT_EQ(cells.cells(i), found[i]);
      }
    }
  }
}

TEST(DeviceCells, OutsideAndAtHighLevels) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const DeviceCells cells(in_planes(gasket, 25), 2, "device");
  const std::uint64_t side = gasket.width(25);
  EXPECT_EQ(cells.device_of(Coord64{side, 0}), std::nullopt);
  EXPECT_EQ(cells.device_of(Coord64{side - 1, 0}), std::nullopt);  // a hole
  ASSERT_TRUE(cells.device_of(Coord64{0, 0}));
  ASSERT_TRUE(cells.device_of(Coord64{side - 1, side - 1}));
  EXPECT_NE(*cells.device_of(Coord64{0, 0}), *cells.device_of(Coord64{side - 1, side - 1}));
  EXPECT_EQ(cells.cells(0) + cells.cells(1), gasket.cells(25));
}

}  // namespace
}  // namespace loom::app::explain
