#include "app/life/scene/engine_host.h"

#include <gtest/gtest.h>

#include "app/life/scene/setting_steps.h"
#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

constexpr std::chrono::duration<double, std::milli> kForever{1e12};
const BackendSelection kCpu{BackendKind::kCpu, 0, "test"};
const RandomStart kStart{7, 0.4};

FractalConfig scene_of(int level = 5) {
  FractalConfig config = default_life_settings().config;
  set_level(config, level);
  return config;
}

/// The work's end, whether it was within the call or goes on beside it.
LifeDone whole(EngineHost& host, std::optional<LifeDone> done) {
  if (!done) done = host.finish(kForever);
  EXPECT_TRUE(done.has_value());
  return std::move(*done);
}

LifeDone step(EngineHost& host, std::uint32_t generations) {
  LifeJob job;
  job.generations = generations;
  host.begin(job);
  return whole(host, std::nullopt);
}

std::uint64_t reference_hash(int level, std::uint32_t generations) {
  ReferenceLife reference(scene_of(level).fractal, level);
  reference.reset(kStart);
  reference.step(generations, LifeRule{});
  return reference.census().hash;
}

TEST(EngineHost, StartsWithTheRandomStart) {
  const EngineHost host(scene_of(), kCpu, kStart);
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 0));
  EXPECT_EQ(host.cell_count(), 243u);
}

// As a file or --steps may ask for: within a frame nobody could end it.
TEST(EngineHost, ManyGenerationsOfAStartAreDoneBesideTheFramesAndEndWhenCancelled) {
  EngineHost host(scene_of(), kCpu, kStart);
  LifeJob job;
  job.replay = std::make_shared<const Replay>(
      Replay{.base = {.generation = std::uint64_t{1} << 40, .start = kStart}, .parts = {}});
  host.begin(job);
  EXPECT_TRUE(host.busy());
  host.cancel();
  const LifeDone done = whole(host, std::nullopt);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 0)) << "the cells of before";
}

TEST(EngineHost, AnotherMapOrBlockCarriesTheCellsOver) {
  EngineHost host(scene_of(), kCpu, kStart);
  step(host, 7);
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t block : allowed_blocks(scene_of().fractal, 5)) {
      FractalConfig wanted = scene_of();
      wanted.method.map = map;
      wanted.block = block;
      const LifeDone done = whole(host, host.build(wanted, kCpu, {}));
      EXPECT_EQ(done.problem, "");
      EXPECT_FALSE(done.new_field);
      EXPECT_EQ(host.engine().census().hash, reference_hash(5, 7));
      EXPECT_EQ(host.generation(), 7u);
      EXPECT_EQ(host.config(), wanted);
    }
  }
}

TEST(EngineHost, AnotherLevelBeginsAnew) {
  EngineHost host(scene_of(), kCpu, kStart);
  step(host, 7);
  const LifeDone done = whole(host, host.build(scene_of(6), kCpu, kStart));
  EXPECT_TRUE(done.built && done.new_field);
  EXPECT_EQ(host.generation(), 0u);
  EXPECT_EQ(host.engine().census().hash, reference_hash(6, 0));
}

TEST(EngineHost, NothingAskedNothingDone) {
  EngineHost host(scene_of(), kCpu, kStart);
  const FractalEngine* engine = &host.engine();
  EXPECT_FALSE(whole(host, host.build(scene_of(), kCpu, kStart)).built);
  EXPECT_EQ(&host.engine(), engine);
}

TEST(EngineHost, TooLargeKeepsEverything) {
  EngineHost host(scene_of(), kCpu, kStart);
  step(host, 3);
  FractalConfig wanted = scene_of();
  set_level(wanted, 30);  // 2^60 points
  wanted.method.map = MapKind::kBoundingBox;
  const LifeDone done = whole(host, host.build(wanted, kCpu, kStart));
  EXPECT_FALSE(done.built);
  EXPECT_NE(done.problem.find("needs"), std::string::npos) << done.problem;
  EXPECT_NE(done.problem.find("free"), std::string::npos) << done.problem;
  EXPECT_EQ(host.config(), scene_of());
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 3));
  EXPECT_EQ(host.generation(), 3u);
}

// On the CPU as well, where nothing goes on by itself: the same calls for every backend.
TEST(EngineHost, WhatWasBegunIsTakenOnceAndTheEngineIsPastIt) {
  const auto backend = select_backend(BackendChoice::kAuto, 0);
  EngineHost host(scene_of(), backend, kStart);
  EXPECT_FALSE(host.finish(kForever).has_value()) << "nothing was begun";
  LifeJob job;
  job.generations = 3;
  host.begin(job, {.ahead = true, .after = nullptr});
  EXPECT_FALSE(host.busy());
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 3));
  EXPECT_EQ(host.generation(), 3u) << "it is the engine's that was handed out";
  const auto done = host.finish({});
  ASSERT_TRUE(done.has_value());
  EXPECT_EQ(done->frame.step.generations, 3u);
  EXPECT_FALSE(host.finish({}).has_value());
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 3));
}

TEST(EngineHost, WorkThatTakesLongGoesOnBesideAndTheCallReturns) {
  EngineHost host(scene_of(9), kCpu, kStart);
  LifeJob job;
  job.generations = 4000;
  host.begin(job);
  EXPECT_FALSE(host.finish({}).has_value());
  EXPECT_TRUE(host.busy());
  EXPECT_FALSE(host.progress().what.empty());
  EXPECT_EQ(host.generation(), 0u) << "what is known meanwhile is of before";
  const LifeDone done = whole(host, std::nullopt);
  EXPECT_TRUE(done.beside);
  EXPECT_EQ(done.frame.step.generations, 4000u);
  EXPECT_FALSE(host.busy());
  EXPECT_EQ(host.engine().census().hash, reference_hash(9, 4000));
}

TEST(EngineHost, CancelKeepsAWholeGeneration) {
  EngineHost host(scene_of(9), kCpu, kStart);
  LifeJob job;
  job.generations = 4'000'000;
  host.begin(job);
  ASSERT_TRUE(host.busy());
  host.cancel();
  const LifeDone done = whole(host, std::nullopt);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(host.engine().census().hash, reference_hash(9, static_cast<std::uint32_t>(host.generation())));
}

TEST(EngineHost, ACancelledBuildLeavesTheOldEngine) {
  EngineHost host(scene_of(), kCpu, kStart);
  step(host, 2);
  FractalConfig wanted = scene_of();
  wanted.method.map = MapKind::kCompact;
  set_level(wanted, 15);  // 14 million cells
  ASSERT_FALSE(host.build(wanted, kCpu, kStart).has_value());
  host.cancel();
  const LifeDone done = whole(host, std::nullopt);
  EXPECT_TRUE(done.cancelled);
  EXPECT_FALSE(done.built);
  EXPECT_EQ(host.config(), scene_of());
  EXPECT_EQ(host.engine().census().hash, reference_hash(5, 2));
}

TEST(EngineHost, AJobDoesAllThatWasAsked) {
  EngineHost host(scene_of(), kCpu, kStart);
  LifeJob job;
  job.clear = true;
  job.cells = {{{0, 0}, true}, {{0, 1}, true}};
  job.probe = Coord64{0, 1};
  job.count_cells = job.count_threads = true;
  host.begin(job);
  const LifeDone done = whole(host, std::nullopt);
  EXPECT_EQ(done.frame.probed, true);
  ASSERT_TRUE(done.census.has_value());
  EXPECT_EQ(done.census->census.population, 2u);
  ASSERT_TRUE(done.threads.has_value());
  EXPECT_EQ(done.threads->threads_active, 243u);
}

TEST(SettingSteps, AnotherFractalStaysValid) {
  FractalConfig config = default_life_settings().config;
  for (const NbbFractal& fractal : catalog()) {
    set_fractal(config, fractal);
    EXPECT_NO_THROW(validate(config)) << fractal.name();
  }
}

TEST(SettingSteps, AnotherFractalTakesALevelThatRunsAtOnceAndSaysSo) {
  for (const NbbFractal& fractal : catalog()) {
    FractalConfig config = default_life_settings().config;
    set_level(config, 12);
    const std::optional<int> chosen = set_fractal(config, fractal);
    const std::uint64_t points = fractal.width(config.level) * fractal.height(config.level);
    EXPECT_LE(points, 1u << 20) << fractal.name();
    EXPECT_EQ(chosen.has_value(), config.level < 12) << fractal.name();
    if (chosen) {
      EXPECT_EQ(*chosen, config.level);
    }
  }
  FractalConfig config = default_life_settings().config;
  set_level(config, 2);
  EXPECT_EQ(set_fractal(config, find_fractal("vicsek")), std::nullopt) << "nothing to say";
  EXPECT_EQ(config.level, 2);
}

}  // namespace
}  // namespace loom::app
