#include <memory>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/cuda/engines.h"
#include "engine/plain_subdivision.h"
#include "fault_walk.h"

namespace loom::tests {
namespace {

using Regions = MandelbrotEngine::Regions;

const MandelbrotView kView{.window = {}, .width = 200, .height = 144};

std::vector<MandelbrotConfig> configs() {
  std::vector<MandelbrotConfig> all;
  for (const MandelbrotMethod method :
       {MandelbrotMethod::kExhaustive, MandelbrotMethod::kAsk, MandelbrotMethod::kDp}) {
    for (const RegionScheme scheme : {RegionScheme::kSbr, RegionScheme::kMbr}) {
      for (const bool plain : {true, false}) {
        MandelbrotConfig config{
            .method = method, .scheme = scheme, .g = 4, .r = 2, .b = 8, .dwell_limit = 100};
        if (plain) config.optimisations = kNoOptimisations;
        all.push_back(config);
      }
    }
  }
  return all;
}

std::vector<std::uint32_t> dwells_of(const MandelbrotEngine& engine) {
  std::vector<std::uint32_t> dwells(kView.pixels());
  engine.read_dwells(0, dwells);
  return dwells;
}

class MandelbrotFault : public DeviceFaultTest {};

TEST_F(MandelbrotFault, AnEngineIsMadeWholeOrNotAtAll) {
  const std::int64_t held = buffers_held();
  const std::uint64_t failed =
      walk([] { return std::unique_ptr<MandelbrotEngine>(); },
           [&](std::unique_ptr<MandelbrotEngine>& engine) { engine = make_mandelbrot_engine(backend_); },
           [](std::unique_ptr<MandelbrotEngine>& engine, Came came) {
             EXPECT_EQ(engine != nullptr, came == Came::kDone);
           });
  EXPECT_GT(failed, 1u);
  EXPECT_EQ(buffers_held(), held) << "buffers leak";
}

// Each run makes every call, on a new engine.
TEST_F(MandelbrotFault, WhateverFailsTheEngineWorksOn) {
  std::uint64_t failed = 0;
  for (const MandelbrotConfig& config : configs()) {
    SCOPED_TRACE(std::string(name_of(config.method)) + " " + std::string(name_of(config.scheme)) + " " +
                 to_string(config.optimisations));
    const PlainResult plain = PlainSubdivision<float>(config, kView).result();
    const std::int64_t held = buffers_held();
    const auto all_of_it = [&](std::unique_ptr<MandelbrotEngine>& engine) {
      engine->compute(config, kView);
      engine->compute(config, kView, Regions::kList);
      engine->image(MemorySpace::kHost);
      std::vector<std::uint64_t> counts(config.dwell_limit + 1);
      engine->count_dwells(counts);
      engine->compute_smooth();
      engine->smooth_image(MemorySpace::kHost);
      engine->count_differences(10);
      engine->record_timeline(config, kView, {.rule = {}, .max_spans = 1 << 14});
    };
    failed += walk([&] { return make_mandelbrot_engine(backend_); }, all_of_it,
                   [&](std::unique_ptr<MandelbrotEngine>& engine, Came) {
                     // An image is current or empty; it never refers to freed memory.
                     EXPECT_NO_THROW(engine->image(MemorySpace::kHost));
                     EXPECT_NO_THROW(engine->smooth_image(MemorySpace::kHost));
                     EXPECT_NO_THROW(all_of_it(engine));
                     EXPECT_EQ(dwells_of(*engine), plain.image);
                   });
    EXPECT_EQ(buffers_held(), held) << "buffers leak";
  }
  EXPECT_GT(failed, 60u) << "too few allocations failed";
}

// If device-side launches exceed the pending limit, DP reports it with a message, and the engine stays
// usable.
TEST_F(MandelbrotFault, LaunchesThatFindNoRoomAreTold) {
  const MandelbrotView kLarge{.window = {}, .width = 1024, .height = 1024};
  const auto engine = make_mandelbrot_engine(backend_);
  MandelbrotConfig config{.method = MandelbrotMethod::kDp, .g = 256, .r = 2, .b = 1, .dwell_limit = 64};
  config.block = {64, 1};
  config.optimisations = kNoOptimisations;
  keep_launches_few(true);
  bool failed = false;
  try {
    engine->compute(config, kLarge);
  } catch (const DeviceFault& error) {
    FAIL() << "must not be a DeviceFault:" << error.what();
  } catch (const MachineError& error) {
    failed = true;
    EXPECT_NE(std::string(error.what()).find("ask"), std::string::npos) << error.what();
  }
  keep_launches_few(false);
  EXPECT_TRUE(failed) << "the device-side launches did not exceed the limit";
  config.method = MandelbrotMethod::kAsk;
  config.block = {};
  engine->compute(config, kLarge);
  const PlainResult plain = PlainSubdivision<float>(config, kLarge).result();
  std::vector<std::uint32_t> dwells(kLarge.pixels());
  engine->read_dwells(0, dwells);
  EXPECT_EQ(dwells, plain.image);
}

// Work that is split into short launches gives the same image. Short launches stay within the limit of a
// desktop's watchdog.
TEST_F(MandelbrotFault, LongWorkIsLaunchedInPartsAndIsTheSame) {
  for (const Precision precision : {Precision::kFloat, Precision::kDouble}) {
    const MandelbrotConfig config{.method = MandelbrotMethod::kExhaustive,
                                  .dwell_limit = 100,
                                  .precision = precision,
                                  .optimisations = kNoOptimisations};
    const auto smooth_of = [&](MandelbrotEngine& engine) {
      engine.compute(config, kView);
      engine.compute_smooth();
      const ImageView image = engine.smooth_image(MemorySpace::kHost);
      const auto* const begin = static_cast<const std::uint32_t*>(image.pixels);
      return std::vector<std::uint32_t>(begin, begin + kView.pixels());
    };
    const auto whole = make_mandelbrot_engine(backend_);
    const std::uint64_t before = launches();
    const std::vector<std::uint32_t> smooth = smooth_of(*whole);
    const std::uint64_t few = launches() - before;
    const std::vector<std::uint32_t> dwells = precision == Precision::kFloat
                                                  ? PlainSubdivision<float>(config, kView).result().image
                                                  : PlainSubdivision<double>(config, kView).result().image;
    for (const std::uint64_t steps :
         {std::uint64_t{2000}, std::uint64_t{100'000}, std::uint64_t{1'000'000}}) {
      SCOPED_TRACE(steps);
      const auto engine = cuda::make_mandelbrot_engine(backend_.device.ordinal, {}, {.max_steps = steps});
      const std::uint64_t first = launches();
      EXPECT_EQ(smooth_of(*engine), smooth);
      // The launch after a short computation may be three times as long.
      EXPECT_GE(launches() - first, few + kView.pixels() * config.dwell_limit / steps / 3);
      EXPECT_EQ(dwells_of(*engine), dwells);
      EXPECT_EQ(engine->count_differences(5).count, 0u);
      ProgressMonitor watch;
      watch.cancel();
      engine->set_monitor(&watch);
      EXPECT_THROW(engine->compute(config, kView, Regions::kCount), OperationCancelled);
    }
  }
}

}  // namespace
}  // namespace loom::tests
