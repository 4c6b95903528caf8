#include "app/explain/map_metrics.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/explain/memory.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::explain {
namespace {

FractalConfig config_of(MapKind map, int level = 6, std::uint32_t tile_size = 4) {
  FractalConfig config{.fractal = find_fractal("sierpinski-gasket"), .level = level, .tile_size = tile_size};
  config.method.map = map;
  return config;
}

TEST(MapMetrics, EqualWhatLensCounts) {
  for (const MapKind map : kMapKinds) {
    const MapMetrics metrics = map_metrics(config_of(map), 1 << 20);
    const LaunchTraffic lens = launch_traffic(ThreadSpace(config_of(map)), 1 << 20);
    ASSERT_TRUE(metrics.traffic.exact);
    EXPECT_EQ(metrics.warps, lens.warps);
    const GlobalTraffic global = metrics.global();
    EXPECT_EQ(global.requests,
              lens.sum.cells_read.requests + lens.sum.tables_read.requests + lens.sum.cells_written.requests);
    EXPECT_EQ(global.sectors,
              lens.sum.cells_read.sectors + lens.sum.tables_read.sectors + lens.sum.cells_written.sectors);
  }
}

TEST(MapMetrics, ThreadsAreThoseOfTheLaunch) {
  const MapMetrics box = map_metrics(config_of(MapKind::kBoundingBox), 8);
  const MapMetrics lambda = map_metrics(config_of(MapKind::kLambda), 8);
  const MapMetrics compact = map_metrics(config_of(MapKind::kCompact), 8);
  EXPECT_EQ(box.threads, 64u * 64);
  EXPECT_EQ(box.active, 729u);
  EXPECT_EQ(box.idle(), 64u * 64 - 729);
  EXPECT_EQ(lambda.active, 729u);
  EXPECT_LT(lambda.threads, box.threads);
  EXPECT_EQ(box.bytes, lambda.bytes);
  EXPECT_LT(compact.bytes, box.bytes);
  EXPECT_GT(box.idle_lanes(), lambda.idle_lanes());
}

// 243 threads are 7 warps and 19 lanes of an eighth: the map editor's coverage has the same definition.
TEST(MapMetrics, IdleLanesIncludeThoseThatFillUpTheLastWarp) {
  FractalConfig config = config_of(MapKind::kLambda, 9, 16);
  config.method.intra_block = IntraBlock::kUnrolled;
  config.method.tiles = 3;
  const MapMetrics metrics = map_metrics(config, 8);
  EXPECT_EQ(metrics.threads, metrics.active) << "each of the 3 × 81 threads has a cell";
  EXPECT_DOUBLE_EQ(metrics.idle_lanes(), 13.0 / 256);
  const auto rows = metric_rows({metrics}, {});
  const auto row = std::ranges::find(rows, "Idle lanes", &MetricRow::name);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->values[0].text, "5.08 %");
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile_size : {1u, 2u, 4u, 8u}) {
      const ThreadSpace space(config_of(map, 4, tile_size));
      const MapMetrics counted = map_metrics(space.config(), 8);
      std::uint64_t lanes = 0;
      std::uint64_t idle = 0;
      const GpuLaunch& launch = space.launch();
      for (std::uint64_t block = 0; block < launch.blocks_x * launch.blocks_y; ++block) {
        for (std::uint32_t round = 0; round < launch.tiling.tiles() / launch.tiling.parallel; ++round) {
          for (std::uint32_t first = 0; first < launch.threads; first += 32) {
            const Warp warp =
                space.warp_at({block % launch.blocks_x, block / launch.blocks_x}, first / 32, round);
            for (const auto& lane : space.locations_of(warp)) {
              ++lanes;
              idle += lane && lane->has_cell ? 0 : 1;
            }
          }
        }
      }
      EXPECT_EQ(counted.lanes, lanes) << name_of(map) << tile_size;
      EXPECT_NEAR(counted.idle_lanes(), static_cast<double>(idle) / static_cast<double>(lanes), 1e-12);
    }
  }
}

TEST(MapMetrics, ASampleIsScaledToTheLaunch) {
  const MapMetrics all = map_metrics(config_of(MapKind::kCompact, 8), 1 << 20);
  const MapMetrics sample = map_metrics(config_of(MapKind::kCompact, 8), 64);
  EXPECT_FALSE(sample.traffic.exact);
  EXPECT_NEAR(static_cast<double>(sample.global().requests), static_cast<double>(all.global().requests),
              0.2 * static_cast<double>(all.global().requests));
}

TEST(MapMetrics, RowsSayWhatIsNotKnown) {
  std::vector<MapMetrics> maps;
  for (const MapKind map : kMapKinds) maps.push_back(map_metrics(config_of(map), 8));
  MapStepTimes times;
  times.ms[0] = 2.0;
  const auto rows = metric_rows(maps, times);
  const auto row = [&](const char* name) { return *std::ranges::find(rows, name, &MetricRow::name); };
  EXPECT_EQ(row("Bandwidth").values[0].text, "no GPU");
  EXPECT_EQ(row("Occupancy").values[2].text, "no GPU");
  EXPECT_EQ(row("Step time").values[1].text, "press K");
  EXPECT_EQ(row("Step time").origin, "measured, live");
  EXPECT_NE(row("Requests").origin.find("computed"), std::string::npos);
  times.on_gpu = true;
  const auto on_gpu = metric_rows(maps, times);
  const auto bandwidth = std::ranges::find(on_gpu, std::string("Bandwidth"), &MetricRow::name);
  EXPECT_DOUBLE_EQ(*bandwidth->values[0].number, static_cast<double>(maps[0].global().bytes_moved()) / 2e-3);
}

TEST(MemoryStrip, PlacesAreThoseOfTheThreads) {
  for (const MapKind map : kMapKinds) {
    const FractalConfig config = config_of(map);
    const MemoryStrip strip(config);
    const ThreadSpace space(config);
    EXPECT_EQ(strip.bytes(), space.bytes());
    double held = 0;
    for (std::size_t i = 0; i < MemoryStrip::kColumns; ++i) held += static_cast<double>(strip.occupancy(i));
    EXPECT_NEAR(held / MemoryStrip::kColumns, 729.0 / static_cast<double>(*space.bytes()), 0.15);
    for (std::uint64_t index = 0; index < 729; index += 7) {
      const Coord64 cell = space.cell_by_index(index);
      const auto place = strip.place_of(cell);
      ASSERT_TRUE(place && place->thread);
      EXPECT_EQ(space.location_of(space.thread_by_number(*place->thread)).cell, cell);
      const double at = (static_cast<double>(place->byte) + 0.5) / static_cast<double>(*space.bytes());
      EXPECT_EQ(strip.cell_at(at), cell);
    }
  }
  EXPECT_FALSE(MemoryStrip(config_of(MapKind::kLambda)).place_of({1, 0})) << "a hole of the gasket";
}

}  // namespace
}  // namespace loom::app::explain
