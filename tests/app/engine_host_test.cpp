#include "app/life/scene/engine_host.h"

#include <gtest/gtest.h>

#include "app/life/scene/setting_steps.h"
#include "compute/check/reference_life.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

Settings scene() {
  Settings settings = default_settings();
  settings.backend = BackendChoice::kCpu;
  set_level(settings.config, 5);
  return settings;
}

TEST(EngineHost, StartsWithTheRandomStart) {
  EngineHost host(scene());
  ReferenceLife reference(scene().config.fractal, 5);
  reference.reset(scene().start);
  EXPECT_EQ(host.engine().census().hash, reference.census().hash);
  EXPECT_GT(reference.census().population, 0u);
}

TEST(EngineHost, AnotherMapOrBlockCarriesTheCellsOver) {
  Settings settings = scene();
  EngineHost host(settings);
  host.engine().step(7, settings.rule);
  const std::uint64_t hash = host.engine().census().hash;
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t block : allowed_blocks(settings.config.fractal, settings.config.level)) {
      settings.config.method.map = map;
      settings.config.block = block;
      const auto outcome = host.apply(settings);
      EXPECT_TRUE(outcome.problem.empty());
      EXPECT_FALSE(outcome.new_field);
      EXPECT_EQ(host.engine().census().hash, hash);
      EXPECT_EQ(host.engine().generation(), 7u);
    }
  }
}

TEST(EngineHost, AnotherLevelBeginsAnew) {
  Settings settings = scene();
  EngineHost host(settings);
  host.engine().step(7, settings.rule);
  set_level(settings.config, 6);
  const auto outcome = host.apply(settings);
  EXPECT_TRUE(outcome.rebuilt && outcome.new_field);
  EXPECT_EQ(host.engine().generation(), 0u);
  EXPECT_GT(host.engine().census().population, 0u);
}

TEST(EngineHost, NothingAskedNothingDone) {
  Settings settings = scene();
  EngineHost host(settings);
  const FractalEngine* engine = &host.engine();
  EXPECT_FALSE(host.apply(settings).rebuilt);
  EXPECT_EQ(&host.engine(), engine);
}

TEST(EngineHost, TooLargeKeepsEverything) {
  Settings settings = scene();
  EngineHost host(settings);
  host.engine().step(3, settings.rule);
  const std::uint64_t hash = host.engine().census().hash;
  Settings wanted = settings;
  set_level(wanted.config, 30);  // 2^60 points
  wanted.config.method.map = MapKind::kBoundingBox;
  wanted.view.palette = "another";
  const auto outcome = host.apply(wanted);
  EXPECT_FALSE(outcome.rebuilt);
  EXPECT_NE(outcome.problem.find("needs"), std::string::npos) << outcome.problem;
  EXPECT_NE(outcome.problem.find("free"), std::string::npos) << outcome.problem;
  EXPECT_EQ(wanted.config, settings.config);
  EXPECT_EQ(wanted.view.palette, "another") << "only what could not be had is taken back";
  EXPECT_EQ(host.engine().census().hash, hash);
  EXPECT_EQ(host.engine().generation(), 3u);
}

TEST(EngineHost, NotAllowedKeepsEverything) {
  Settings settings = scene();
  EngineHost host(settings);
  Settings wanted = settings;
  wanted.config.block = 5;
  EXPECT_FALSE(host.apply(wanted).problem.empty());
  EXPECT_EQ(wanted.config, settings.config);
}

TEST(SettingSteps, AnotherFractalStaysValid) {
  Settings settings = default_settings();
  for (const NbbFractal& fractal : catalog()) {
    set_fractal(settings.config, fractal);
    EXPECT_NO_THROW(validate(settings.config)) << fractal.name();
  }
}

}  // namespace
}  // namespace loom::app
