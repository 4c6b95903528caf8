#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/check/reference_life.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/workload/rule_text.h"
#include "split_parts.h"

namespace loom {
namespace {

using tests::expect_same;

class Split : public tests::SplitTest {};

TEST_P(Split, GenerationsAreThoseOfPlainLife) {
  std::size_t turn = 0;
  for (const NbbFractal& fractal : catalog()) {
    const int level = level_with(fractal, 20'000);
    for (const char* const rule_text : {"B2/S23", "B3/S23", "B0/S8", "B1357/S02468", "B13/S024/C6"}) {
      const LifeRule rule = parse_rule(rule_text);
      if (rule.states > 2 && in_bits()) continue;
      ReferenceLife plain(fractal, level);
      plain.reset({7, 0.4});
      plain.step(13, rule);
      for (const std::size_t parts : {1, 2, 3, 5}) {
        // Cycle through the tile sizes across the rules.
        const FractalConfig config = any_config_of(fractal, level, parts, turn++);
        SCOPED_TRACE(tests::describe(config) + " " + rule_text + " " + std::to_string(parts));
        const auto engine = in_parts(config, parts);
        engine->reset({7, 0.4});
        engine->step(13, rule);
        EXPECT_EQ(engine->generation(), 13u);
        expect_same(engine->census(), plain.census());
      }
    }
  }
}

TEST_P(Split, EveryLevelIsSharedAsFarAsItCanBe) {
  for (const NbbFractal& fractal : catalog()) {
    for (int level = 0; level <= level_with(fractal, 3'000); ++level) {
      const auto one = make(config_of(fractal, level));
      one->reset({3, 0.5});
      one->step(5, {});
      const Census expected = one->census();
      for (std::size_t parts = 1; parts <= 3; ++parts) {
        for (const FractalConfig& config : configs_of(fractal, level, parts)) {
          if (!partition_problem(config, parts).empty()) continue;
          SCOPED_TRACE(tests::describe(config) + " " + std::to_string(parts));
          const auto engine = in_parts(config, parts);
          engine->reset({3, 0.5});
          engine->step(5, {});
          expect_same(engine->census(), expected);
        }
      }
    }
  }
}

TEST_P(Split, PartsMayBeOfAnySize) {
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config = config_of(fractal, level_with(fractal, in_bits() ? 60'000 : 20'000));
    const auto one = make(config);
    one->reset({4, 0.5});
    one->step(9, {});
    for (const std::vector<std::uint32_t>& shares :
         {std::vector<std::uint32_t>{5, 4}, {1, 2, 3}, {1, 7}, {7, 1}}) {
      SCOPED_TRACE(fractal.name());
      const auto split =
          make_distributed_engine(config, std::vector<Device>(shares.size(), backend_.device), shares);
      split->reset({4, 0.5});
      split->step(9, {});
      expect_same(split->census(), one->census());
    }
  }
}

// Fewer states than the cells have: the partitions and their halos drop the others.
TEST_P(Split, StatesThatTheNextRuleLacksBecomeDeadInAllParts) {
  if (in_bits()) GTEST_SKIP() << "bit-packed storage holds two states";
  const auto go_on = [](FractalEngine& engine) {
    engine.reset({5, 0.4});
    engine.step(9, parse_rule("B13/S024/C9"));
    engine.step(4, parse_rule("B2/S34/C3"));
    engine.step(3, parse_rule("B13/S024/C9"));
    engine.step(4, parse_rule("B3/S23"));
    std::vector<std::uint8_t> cells(engine.cell_count());
    engine.read_cells(0, cells);
    return cells;
  };
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config = config_of(fractal, level_with(fractal, 3'000));
    SCOPED_TRACE(fractal.name());
    EXPECT_EQ(go_on(*in_parts(config, 3)), go_on(*make(config)));
  }
}

// Compares with byte storage on one device, which exchanges no halos. With this rule, every cell affects all
// of its neighbours, so a wrong halo shows.
TEST_P(Split, SeveralGenerationsBetweenExchanges) {
  if (!in_bits()) GTEST_SKIP() << "byte storage exchanges halos after every generation";
  const LifeRule rule = parse_rule("B1357/S02468");
  const bool on_device = backend_.device.kind == BackendKind::kCuda;
  const std::uint32_t most = on_device ? 32 : 8;
  const auto go_on = [&](FractalEngine& engine) {
    engine.reset({11, 0.5});
    engine.step(most + 3, rule);
    engine.edit(std::vector<CellEdit>{{{0, 0}, true}, {{3, 3}, true}});
    engine.step(2 * most + 1, rule);
    engine.step(1, rule);
    EXPECT_EQ(engine.generation(), 3 * most + 5);
    return engine.census();
  };
  for (const NbbFractal& fractal : catalog()) {
    const bool gasket = fractal.name() == "sierpinski-gasket";
    // Levels at which several generations per exchange pay off: a GPU needs many replicas, the CPU small
    // halos.
    const FractalConfig config = config_of(fractal, level_with(fractal, on_device ? 20'000'000
                                                                        : gasket  ? 600'000
                                                                                  : 200'000));
    FractalConfig bytes = config;
    bytes.method.storage = CellStorage::kBytes;
    const Census expected = go_on(*make(bytes));
    for (const std::size_t parts : {2, 3}) {
      SCOPED_TRACE(fractal.name() + " level " + std::to_string(config.level) + " " + std::to_string(parts));
      const auto split = in_parts(config, parts);
      if (gasket) {
        EXPECT_EQ(max_generations_per_exchange(*split), most);
      }
      expect_same(go_on(*split), expected);
    }
  }
}

// Random operations: every operation that changes cells must invalidate the halos.
TEST_P(Split, WhateverIsDoneTheCellsAreThoseOfOneDevice) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    const NbbFractal& fractal = catalog()[random() % catalog().size()];
    const std::size_t parts = 1 + random() % 4;
    const FractalConfig config = any_config_of(fractal, level_with(fractal, 60'000), parts, random());
    const auto one = make(config);
    const auto split = in_parts(config, parts);
    SCOPED_TRACE(fractal.name() + " seed " + std::to_string(seed) + " parts " + std::to_string(parts));
    for (int turn = 0; turn < 12; ++turn) {
      const std::uint64_t what = random() % 8;
      const std::uint64_t number = random();
      for (FractalEngine* const engine : {one.get(), split.get()}) {
        std::mt19937_64 own(number);
        switch (what) {
          case 0:
            engine->reset({own(), 0.3});
            break;
          case 1: {
            std::vector<CellEdit> edits;
            for (int i = 0; i < 200; ++i) {
              const Coord64 cell{own() % fractal.width(config.level), own() % fractal.height(config.level)};
              edits.push_back({cell, own() % 2 == 0});
            }
            const std::uint64_t edited = engine->edit(edits);
            if (engine == split.get()) {
              EXPECT_EQ(edited, one->edit(edits));
            }
            break;
          }
          case 2: {
            std::vector<std::uint8_t> cells(engine->cell_count() / 3);
            for (std::uint8_t& cell : cells) cell = own() % 2;
            engine->write_cells(engine->cell_count() / 4, cells);
            break;
          }
          case 3:
            engine->run(2, {.workload = Workload::kSingleWrite});
            break;
          case 4:
            engine->clear();
            break;
          default:
            engine->step(static_cast<std::uint32_t>(1 + own() % 9), {});
        }
      }
      expect_same(split->census(), one->census());
      EXPECT_EQ(split->generation(), one->generation());
      const Work sums{.workload = Workload::kReduction};
      EXPECT_EQ(split->run(1, sums).sum, one->run(1, sums).sum);
      for (int i = 0; i < 20; ++i) {
        const Coord64 cell{random() % fractal.width(config.level), random() % fractal.height(config.level)};
        EXPECT_EQ(split->cell(cell), one->cell(cell));
      }
      std::vector<std::uint8_t> cells(one->cell_count());
      std::vector<std::uint8_t> found(one->cell_count());
      one->read_cells(0, cells);
      split->read_cells(0, found);
      ASSERT_EQ(found, cells);
    }
  }
}

TEST_P(Split, CellsGoOutAndInAsBits) {
  for (const std::size_t parts : {1, 2, 3, 5}) {
    const FractalConfig config = config_of(catalog()[0], 11, 8);
    const auto one = make(config);
    const auto split = in_parts(config, parts);
    one->reset({8, 0.4});
    std::vector<std::uint8_t> cells((one->cell_count() + 7) / 8);
    std::vector<std::uint8_t> found(cells.size(), 0xff);
    one->read_bits(cells);
    split->write_bits(cells);
    split->read_bits(found);
    EXPECT_EQ(found, cells);
    one->step(7, {});
    split->step(7, {});
    expect_same(split->census(), one->census());
    EXPECT_THROW(split->read_bits(std::span(found).first(3)), InputError);
    EXPECT_THROW(split->write_bits(std::span(found).first(3)), InputError);
  }
}

// The reset is cancelled when some partitions already hold new cells.
TEST_P(Split, AResetThatIsCancelledLeavesAllPartsAsTheyWere) {
  const FractalConfig config =
      config_of(catalog()[0], backend_.device.kind == BackendKind::kCuda ? 19 : 15, in_bits() ? 1 : 16);
  const auto engine = in_parts(config, 2);
  engine->reset({5, 0.5});
  engine->step(3, {});
  const Census before = engine->census();
  ProgressMonitor watch;
  int cancelled_late = 0;
  for (int attempt = 0; attempt < 12 && cancelled_late < 2; ++attempt) {
    watch.reset();
    std::atomic<bool> over = false;
    std::thread canceller([&] {
      while (!over && watch.share() < 0.5) std::this_thread::yield();
      watch.cancel();
    });
    bool cancelled = false;
    {
      const ScopedMonitor watched(*engine, &watch);
      try {
        cancelled_late % 2 == 0 ? engine->reset({6, 0.5}) : engine->clear();
      } catch (const OperationCancelled&) {
        cancelled = true;
      }
    }
    cancelled = cancelled && watch.share() >= 0.5;
    over = true;
    canceller.join();
    if (cancelled) {
      ++cancelled_late;
      EXPECT_EQ(engine->generation(), 3u);
      expect_same(engine->census(), before);
    } else {
      engine->reset({5, 0.5});
      engine->step(3, {});
    }
  }
  EXPECT_GT(cancelled_late, 0);
  // The halos match the restored cells.
  engine->step(5, {});
  const auto one = make(config);
  one->reset({5, 0.5});
  one->step(8, {});
  expect_same(engine->census(), one->census());
}

TEST_P(Split, WhatEachDeviceDoesIsRecordedAndTheCellsStay) {
  const NbbFractal& fractal = catalog()[0];
  const FractalConfig config = config_of(fractal, level_with(fractal, 300'000));
  for (const std::size_t parts : {2, 3}) {
    const auto engine = in_parts(config, parts);
    engine->reset({5, 0.5});
    engine->step(3, {});
    const Census before = engine->census();
    const DeviceTimeline times = engine->record_devices({});
    expect_same(engine->census(), before);
    EXPECT_EQ(engine->generation(), 3u);
    ASSERT_EQ(times.devices.size(), parts);
    EXPECT_GT(times.milliseconds, 0);
    EXPECT_GT(times.plain_milliseconds, 0);
    EXPECT_FALSE(times.clock.empty());
    std::uint64_t first = ~std::uint64_t{0};
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < parts; ++i) {
      std::set<DeviceWork> works;
      for (const DeviceWorkSpan& span : times.devices[i].spans) {
        EXPECT_LE(span.begin, span.end);
        EXPECT_TRUE(works.insert(span.work).second);
        first = std::min(first, span.begin);
        last = std::max(last, span.end);
      }
      for (const DeviceWork work :
           {DeviceWork::kBoundary, DeviceWork::kExchange, DeviceWork::kInterior, DeviceWork::kScatter})
        EXPECT_TRUE(works.contains(work)) << name_of(work);
      EXPECT_GT(time_breakdown(times, i).step, 0u);
    }
    EXPECT_EQ(first, 0u);
    // No span lies outside the measured time, within the tolerance between the two clocks.
    EXPECT_LE(static_cast<double>(last),
              times.milliseconds * 1e6 * 1.5 + static_cast<double>(times.clock_uncertainty) + 1e6);
    // Recording does not affect later generations.
    const auto one = make(config);
    one->reset({5, 0.5});
    one->step(3, {});
    for (int i = 0; i < 3; ++i) {
      one->step(2, {});
      engine->step(2, {});
      engine->record_devices({});
      expect_same(engine->census(), one->census());
    }
  }
  EXPECT_THROW(make(config)->record_devices({}), InputError);
}

TEST_P(Split, ABackendOfSeveralDevicesIsOneEngineOverThem) {
  const FractalConfig config = config_of(catalog()[0], 9);
  BackendSelection several = backend_;
  several.others = {backend_.device, backend_.device};
  EXPECT_FALSE(several.same_device(backend_));
  const auto split = make_fractal_engine(config, several);
  const auto one = make(config);
  for (FractalEngine* const engine : {one.get(), split.get()}) {
    engine->reset({2, 0.5});
    engine->step(20, {});
  }
  expect_same(split->census(), one->census());
  EXPECT_NE(split->backend_name().find("3 parts"), std::string::npos) << split->backend_name();
  EXPECT_EQ(partition_problem(config, 3), "");
  EXPECT_NE(partition_problem(config, 100000).find("at most"), std::string::npos);
  FractalConfig square = config;
  square.method = {.map = MapKind::kLambda};
  EXPECT_NE(partition_problem(square, 2).find("--map compact"), std::string::npos);
}

TEST_P(Split, WhatCannotBeSplitIsRefused) {
  FractalConfig config = config_of(catalog()[0], 8);
  for (const MapKind map : {MapKind::kLambda, MapKind::kBoundingBox}) {
    FractalConfig square = config;
    square.method = {.map = map};
    EXPECT_THROW(in_parts(square, 2), InputError);
  }
  EXPECT_THROW(in_parts(config, 1000), InputError);
  EXPECT_NO_THROW(in_parts(config, in_bits() ? 9 : 81));  // the number of groups, or of rows of tiles
  EXPECT_THROW(in_parts(config, in_bits() ? 10 : 82), InputError);
  EXPECT_THROW(in_parts(config_of(catalog()[0], 1), 2), InputError);
}

TEST_P(Split, EveryMethodOfTheCompactMapWorksOnParts) {
  if (in_bits()) GTEST_SKIP() << "bit-packed storage has only one method";
  for (const std::size_t number : {0u, 1u, 7u}) {
    const NbbFractal& fractal = catalog()[number];
    const int level = level_with(fractal, 8'000);
    const auto one = make(config_of(fractal, level));
    one->reset({6, 0.4});
    one->step(7, {});
    const Census expected = one->census();
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kAll)) {
      if (config.method.storage != CellStorage::kBytes || !partition_problem(config, 3).empty()) continue;
      SCOPED_TRACE(tests::describe(config));
      const auto split = in_parts(config, 3);
      split->reset({6, 0.4});
      split->step(7, {});
      expect_same(split->census(), expected);
    }
  }
}

// Each cell belongs to one thread of one partition.
TEST_P(Split, ThreadsOfAllPartsAreCounted) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = level_with(fractal, 60'000);
    for (const FractalConfig& config : configs_of(fractal, level, 3)) {
      SCOPED_TRACE(tests::describe(config));
      const ThreadCount all = make(config)->count_threads();
      const ThreadCount found = in_parts(config, 3)->count_threads();
      EXPECT_EQ(found.threads_misplaced, 0u);
      if (in_bits())
        continue;  // a thread updates whole words, and the last word of a partition may hold only one group
      EXPECT_EQ(found.threads_active, fractal.cells(level));
      EXPECT_EQ(found.tiles_occupied, all.tiles_occupied);
      EXPECT_EQ(found.threads_launched, all.threads_launched);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Storages, Split, testing::ValuesIn(kCellStorages),
                         [](const auto& storage) { return std::string(name_of(storage.param)); });

}  // namespace
}  // namespace loom
