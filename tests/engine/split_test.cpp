#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "backend.h"
#include "compute/backend/split_factory.h"
#include "compute/check/reference_life.h"
#include "compute/split/sharing.h"
#include "compute/split/split_engine.h"
#include "compute/workload/rule_text.h"

namespace loom {
namespace {

/// Parts on one device stand for as many devices.
class Split : public tests::EngineTest {
 protected:
  std::unique_ptr<FractalEngine> in_parts(const FractalConfig& config, std::size_t count) const {
    return make_split_engine(config, std::vector<BackendSelection>(count, backend_));
  }
  static FractalConfig config_of(const NbbFractal& fractal, int level) {
    return {.fractal = fractal,
            .level = level,
            .method = {.map = MapKind::kCompact, .storage = CellStorage::kBits}};
  }
  /// The highest level with at most so many cells.
  static int level_with(const NbbFractal& fractal, std::uint64_t cells) {
    int level = 0;
    while (level < fractal.max_level() && fractal.cells(level + 1) <= cells) ++level;
    return level;
  }
};

void expect_same(const Census& found, const Census& expected) {
  EXPECT_EQ(found.population, expected.population);
  EXPECT_EQ(found.hash, expected.hash);
}

TEST_F(Split, GenerationsAreThoseOfPlainLife) {
  for (const NbbFractal& fractal : catalog()) {
    const int level = level_with(fractal, 20'000);
    for (const char* const rule_text : {"B2/S23", "B3/S23", "B0/S8", "B1357/S02468"}) {
      const LifeRule rule = parse_rule(rule_text);
      ReferenceLife plain(fractal, level);
      plain.reset({7, 0.4});
      plain.step(13, rule);
      for (const std::size_t parts : {1, 2, 3, 5}) {
        SCOPED_TRACE(fractal.name() + " " + rule_text + " " + std::to_string(parts));
        const auto engine = in_parts(config_of(fractal, level), parts);
        engine->reset({7, 0.4});
        engine->step(13, rule);
        EXPECT_EQ(engine->generation(), 13u);
        expect_same(engine->census(), plain.census());
      }
    }
  }
}

// Against cells in bytes on one device, which have nothing of this. With this rule whatever a cell is reaches
// all around it.
TEST_F(Split, SeveralGenerationsBetweenExchanges) {
  const LifeRule rule = parse_rule("B1357/S02468");
  const bool on_device = backend_.kind == BackendKind::kCuda;
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
    // A device makes whole replicas at once, of which there have to be many; the CPU where rims are small.
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
        EXPECT_EQ(dynamic_cast<SplitEngine&>(*split).most_at_once(), most);
      }
      expect_same(go_on(*split), expected);
    }
  }
}

// In any order: what changes cells makes what parts know of each other stale.
TEST_F(Split, WhateverIsDoneTheCellsAreThoseOfOneDevice) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    std::mt19937_64 random(seed);
    const NbbFractal& fractal = catalog()[random() % catalog().size()];
    const FractalConfig config = config_of(fractal, level_with(fractal, 60'000));
    const auto one = make(config);
    const std::size_t parts = 1 + random() % 4;
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

std::vector<std::uint16_t> picture(FractalEngine& engine, const Viewport& viewport) {
  ImageView image;
  engine.resolve(viewport, MemorySpace::kHost, image);
  const auto* const pixels = static_cast<const std::uint16_t*>(image.pixels);
  return {pixels, pixels + image.width * image.height};
}

TEST_F(Split, PicturesAreThoseOfOneDevice) {
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config = config_of(fractal, level_with(fractal, 300'000));
    const auto one = make(config);
    const auto width = static_cast<std::int64_t>(fractal.width(config.level));
    for (const std::size_t parts : {2, 3}) {
      const auto split = in_parts(config, parts);
      for (FractalEngine* const engine : {one.get(), split.get()}) engine->reset({3, 0.5});
      for (const auto& [from, to] : {std::pair{std::int64_t{0}, width}, std::pair{-width / 8, width / 2},
                                     std::pair{width / 3, width / 3 + 40}}) {
        for (FractalEngine* const engine : {one.get(), split.get()}) engine->step(3, {});
        Viewport viewport;
        for (std::int64_t i = 0; i <= 64; ++i) viewport.x_edges.push_back(from + (to - from) * i / 64);
        for (std::int64_t i = 0; i <= 48; ++i) viewport.y_edges.push_back(from + (to - from) * i / 48);
        SCOPED_TRACE(fractal.name() + " from " + std::to_string(from) + " parts " + std::to_string(parts));
        EXPECT_EQ(picture(*split, viewport), picture(*one, viewport));
      }
    }
  }
}

// Two of several parts and one of one device, begun together and in turns, with everything that a frame may
// wish.
TEST_F(Split, FramesThatAreBegunAndEndedAreThoseOfOneDevice) {
  std::mt19937_64 random(5);
  for (const NbbFractal& fractal : catalog()) {
    const FractalConfig config = config_of(fractal, level_with(fractal, 300'000));
    const auto width = fractal.width(config.level);
    const auto height = fractal.height(config.level);
    std::vector<std::unique_ptr<FractalEngine>> engines;
    engines.push_back(make(config));
    engines.push_back(in_parts(config, 2));
    engines.push_back(in_parts(config, 3));
    for (const auto& engine : engines) engine->reset({3, 0.5});
    for (int frame = 0; frame < 12; ++frame) {
      SCOPED_TRACE(fractal.name() + " frame " + std::to_string(frame));
      std::vector<CellEdit> edits;
      if (frame % 3 == 1) {
        for (int i = 0; i < 50; ++i)
          edits.push_back({{random() % width, random() % height}, random() % 2 == 0});
      }
      Viewport viewport;
      const auto columns = static_cast<std::int64_t>(20 + random() % 60);
      const auto wide = static_cast<std::int64_t>(width) / (frame % 4 < 2 ? 1 : 40);
      for (std::int64_t i = 0; i <= columns; ++i) viewport.x_edges.push_back(i * wide / columns);
      for (std::int64_t i = 0; i <= 30; ++i) viewport.y_edges.push_back(i * wide / 30);
      FrameWish wish{.edits = edits, .generations = static_cast<std::uint32_t>(random() % 5)};
      if (frame % 5 == 3) wish.work = {.workload = Workload::kSingleWrite};
      if (frame % 6 != 4) wish.viewport = &viewport;
      if (frame % 2 == 0) wish.probe = Coord64{random() % width, random() % height};
      std::shuffle(engines.begin() + 1, engines.end(), random);
      for (const auto& engine : engines) {
        engine->begin_frame(wish);
        wish.after = engine.get();
      }
      const FrameReport expected = engines.front()->end_frame();
      const std::vector<std::uint16_t> pixels = tests::pixels_of(expected.image);
      EXPECT_EQ(pixels.empty(), wish.viewport == nullptr);
      for (auto engine = engines.begin() + 1; engine != engines.end(); ++engine) {
        const FrameReport done = (*engine)->end_frame();
        EXPECT_EQ(done.edited, expected.edited);
        EXPECT_EQ(done.step.generations, expected.step.generations);
        EXPECT_EQ(done.step.bytes_moved, expected.step.bytes_moved);
        EXPECT_GE(done.step.milliseconds, 0);
        EXPECT_EQ(done.probed, expected.probed);
        EXPECT_EQ(tests::pixels_of(done.image), pixels);
        EXPECT_EQ((*engine)->generation(), engines.front()->generation());
        expect_same((*engine)->census(), engines.front()->census());
      }
    }
    engines.back()->begin_frame({.generations = 40});  // which nobody ends
  }
}

TEST_F(Split, CellsGoOutAndInAsBits) {
  for (const std::size_t parts : {1, 2, 3, 5}) {
    const FractalConfig config = config_of(catalog()[0], 11);
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

// When some parts are new already.
TEST_F(Split, AResetThatIsCancelledLeavesAllPartsAsTheyWere) {
  const FractalConfig config = config_of(catalog()[0], backend_.kind == BackendKind::kCuda ? 19 : 15);
  const auto engine = in_parts(config, 2);
  engine->reset({5, 0.5});
  engine->step(3, {});
  const Census before = engine->census();
  Watch watch;
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
      const WatchedEngine watched(*engine, &watch);
      try {
        cancelled_late % 2 == 0 ? engine->reset({6, 0.5}) : engine->clear();
      } catch (const Cancelled&) {
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
  // What parts know of each other is of these cells.
  engine->step(5, {});
  const auto one = make(config);
  one->reset({5, 0.5});
  one->step(8, {});
  expect_same(engine->census(), one->census());
}

TEST_F(Split, WhatEachDeviceDoesIsRecordedAndTheCellsStay) {
  const NbbFractal& fractal = catalog()[0];
  const FractalConfig config = config_of(fractal, level_with(fractal, 300'000));
  for (const std::size_t parts : {2, 3}) {
    const auto engine = in_parts(config, parts);
    engine->reset({5, 0.5});
    engine->step(3, {});
    const Census before = engine->census();
    const DeviceTimes times = engine->record_devices({});
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
      for (const DevicePiece& span : times.devices[i].spans) {
        EXPECT_LE(span.begin, span.end);
        EXPECT_TRUE(works.insert(span.work).second);
        first = std::min(first, span.begin);
        last = std::max(last, span.end);
      }
      for (const DeviceWork work :
           {DeviceWork::kRim, DeviceWork::kExchange, DeviceWork::kInside, DeviceWork::kPlace})
        EXPECT_TRUE(works.contains(work)) << name_of(work);
      EXPECT_GT(share_of(times, i).step, 0u);
    }
    EXPECT_EQ(first, 0u);
    // Nothing that was recorded lies outside what was timed, but for how far two clocks are apart.
    EXPECT_LE(static_cast<double>(last),
              times.milliseconds * 1e6 * 1.5 + static_cast<double>(times.exact_to) + 1e6);
    // What follows is as if nothing had been recorded: pictures and generations too.
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

TEST_F(Split, ABackendOfSeveralDevicesIsOneEngineOverThem) {
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
  EXPECT_EQ(why_not_shared(config, 3), "");
  EXPECT_NE(why_not_shared(config, 100000).find("at most"), std::string::npos);
  FractalConfig bytes = config;
  bytes.method.storage = CellStorage::kBytes;
  EXPECT_NE(why_not_shared(bytes, 2).find("--storage bits"), std::string::npos);
}

TEST_F(Split, WhatCannotBeSplitIsRefused) {
  FractalConfig config = config_of(catalog()[0], 8);
  config.method.storage = CellStorage::kBytes;
  EXPECT_THROW(in_parts(config, 2), InputError);
  config.method.storage = CellStorage::kBits;
  EXPECT_THROW(in_parts(config, 1000), InputError);
  EXPECT_NO_THROW(in_parts(config, 9));  // as many as it has groups
}

}  // namespace
}  // namespace loom
