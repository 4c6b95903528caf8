#include "app/workspaces/life/scene/life_engine.h"

#include <gtest/gtest.h>

#include "app/workspaces/life/scene/life_settings.h"
#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app {
namespace {

const BackendSelection kTestBackend{{}, "test"};
const RandomStart kStart{7, 0.4};

FractalConfig scene_of(int level = 5) {
  FractalConfig config = default_life_settings().config;
  set_level(config, level);
  return config;
}

/// The outcome of the request, whether it completed within the call or still runs in the background.
const LifeFrameOutcome& whole(AsyncEngine<LifeEngine>& async_engine) {
  const LifeFrameOutcome* const done = async_engine.finish(kNoTimeout);
  EXPECT_NE(done, nullptr);
  return *done;
}

const LifeFrameOutcome& step(AsyncEngine<LifeEngine>& async_engine, std::uint32_t generations) {
  async_engine.begin({.generations = generations});
  return whole(async_engine);
}

const LifeFrameOutcome& build(AsyncEngine<LifeEngine>& async_engine, const FractalConfig& config,
                              const RandomStart& start = {}) {
  async_engine.begin({.build = LifeBuild{config, kTestBackend}, .cells = CellSource(start)});
  return whole(async_engine);
}

std::uint64_t reference_hash(int level, std::uint32_t generations) {
  ReferenceLife reference(scene_of(level).fractal, level);
  reference.reset(kStart);
  reference.step(generations, LifeRule{});
  return reference.census().hash;
}

TEST(LifeEngine, StartsWithTheRandomStart) {
  const AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 0));
  EXPECT_EQ(async_engine->cell_count(), 243u);
}

// A scene file or --steps can request this many generations; such a request must be cancellable, so it runs
// in the background.
TEST(LifeEngine, ManyGenerationsOfAStartAreDoneBesideTheFramesAndEndWhenCancelled) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  LifeFrameRequest request;
  request.cells = CellSource(kStart, {}, std::uint64_t{1} << 40);
  async_engine.begin(request);
  EXPECT_TRUE(async_engine.busy());
  async_engine.cancel();
  const LifeFrameOutcome& done = whole(async_engine);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 0)) << "the cells are unchanged";
}

TEST(LifeEngine, AnotherMapOrTileSizeCarriesTheCellsOver) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  step(async_engine, 7);
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile_size : allowed_tile_sizes(scene_of().fractal, 5)) {
      FractalConfig wanted = scene_of();
      wanted.method.map = map;
      wanted.tile_size = tile_size;
      const LifeFrameOutcome& done = build(async_engine, wanted);
      EXPECT_EQ(done.problem, "");
      EXPECT_FALSE(done.result.new_field);
      EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 7));
      EXPECT_EQ(async_engine->generation(), 7u);
      EXPECT_EQ(async_engine->config(), wanted);
    }
  }
}

TEST(LifeEngine, AnotherLevelBeginsAnew) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  step(async_engine, 7);
  const LifeFrameOutcome& done = build(async_engine, scene_of(6), kStart);
  EXPECT_TRUE(done.result.built && done.result.new_field);
  EXPECT_EQ(async_engine->generation(), 0u);
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(6, 0));
}

TEST(LifeEngine, TooLargeKeepsEverything) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  step(async_engine, 3);
  FractalConfig wanted = scene_of();
  set_level(wanted, 30);  // 2^60 points
  wanted.method.map = MapKind::kBoundingBox;
  const LifeFrameOutcome& done = build(async_engine, wanted, kStart);
  EXPECT_FALSE(done.result.built);
  EXPECT_NE(done.problem.find("needs"), std::string::npos) << done.problem;
  EXPECT_NE(done.problem.find("free"), std::string::npos) << done.problem;
  EXPECT_EQ(async_engine->config(), scene_of());
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 3));
  EXPECT_EQ(async_engine->generation(), 3u);
}

// The pipelined call sequence is the same for every backend, including the CPU, which has no asynchronous
// execution.
TEST(LifeEngine, WhatWasBegunIsTakenOnceAndTheEngineIsPastIt) {
  const auto backend = select_backend(BackendChoice::kAuto, 0);
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), backend, kStart));
  EXPECT_EQ(async_engine.finish(kNoTimeout), nullptr) << "no request was begun";
  LifeFrameRequest request;
  request.generations = 3;
  request.is_pipelined = true;
  async_engine.begin(request);
  EXPECT_FALSE(async_engine.busy());
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 3));
  EXPECT_EQ(async_engine->generation(), 3u) << "the generation of the engine that engine() returned";
  const LifeFrameOutcome* const done = async_engine.finish({});
  ASSERT_NE(done, nullptr);
  EXPECT_TRUE(done->request.is_pipelined);
  EXPECT_EQ(done->result.frame.step.generations, 3u);
  EXPECT_EQ(async_engine.finish({}), nullptr);
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 3));
}

TEST(LifeEngine, WorkThatTakesLongGoesOnBesideAndTheCallReturns) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(9), kTestBackend, kStart));
  LifeFrameRequest request;
  request.generations = 4000;
  async_engine.begin(request);
  EXPECT_EQ(async_engine.finish({}), nullptr);
  EXPECT_TRUE(async_engine.busy());
  EXPECT_FALSE(async_engine.progress().what.empty());
  EXPECT_EQ(async_engine->generation(), 0u) << "until the request completes, the generation is the old one";
  const LifeFrameOutcome& done = whole(async_engine);
  EXPECT_TRUE(done.in_background);
  EXPECT_EQ(done.result.frame.step.generations, 4000u);
  EXPECT_FALSE(async_engine.busy());
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(9, 4000));
}

TEST(LifeEngine, CancelKeepsAWholeGeneration) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(9), kTestBackend, kStart));
  LifeFrameRequest request;
  request.generations = 4'000'000;
  async_engine.begin(request);
  ASSERT_TRUE(async_engine.busy());
  async_engine.cancel();
  const LifeFrameOutcome& done = whole(async_engine);
  EXPECT_TRUE(done.cancelled);
  EXPECT_EQ(async_engine.engine().census().hash,
            reference_hash(9, static_cast<std::uint32_t>(async_engine->generation())));
}

TEST(LifeEngine, ACancelledBuildLeavesTheOldEngine) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  step(async_engine, 2);
  FractalConfig wanted = scene_of();
  wanted.method.map = MapKind::kCompact;
  set_level(wanted, 15);  // 14 million cells
  async_engine.begin({.build = LifeBuild{wanted, kTestBackend}, .cells = CellSource(kStart)});
  ASSERT_TRUE(async_engine.busy());
  async_engine.cancel();
  const LifeFrameOutcome& done = whole(async_engine);
  EXPECT_TRUE(done.cancelled);
  EXPECT_FALSE(done.result.built);
  EXPECT_EQ(async_engine->config(), scene_of());
  EXPECT_EQ(async_engine.engine().census().hash, reference_hash(5, 2));
}

TEST(LifeEngine, AJobDoesAllThatWasAsked) {
  AsyncEngine<LifeEngine> async_engine(first_engine(scene_of(), kTestBackend, kStart));
  LifeFrameRequest request;
  request.cells = CellSource(RandomStart{0, 0});
  request.edits = {{{0, 0}, true}, {{0, 1}, true}};
  request.probe = Coord64{0, 1};
  request.count_cells = request.count_threads = true;
  async_engine.begin(request);
  const LifeFrameOutcome& done = whole(async_engine);
  EXPECT_EQ(done.result.frame.probed, true);
  ASSERT_TRUE(done.result.census.has_value());
  EXPECT_EQ(done.result.census->census.population, 2u);
  ASSERT_TRUE(done.result.threads.has_value());
  EXPECT_EQ(done.result.threads->threads_active, 243u);
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
  EXPECT_EQ(set_fractal(config, find_fractal("vicsek")), std::nullopt) << "the level did not change";
  EXPECT_EQ(config.level, 2);
}

}  // namespace
}  // namespace loom::app
