#include "app/workspaces/benchmark/benchmark_state.h"

#include <gtest/gtest.h>

#include "app/document/scene/scene.h"
#include "app/program/workspace_formats.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

bench::SweepTexts some_sweep() {
  bench::SweepTexts sweep;
  sweep.kind = bench::SweepKind::kMaps;
  sweep.texts = bench::default_axes(sweep.kind);
  sweep.texts["level"] = "3..9, not a level";
  sweep.max_seconds = 0.5f;
  sweep.energy = true;
  return sweep;
}

scene::Scene reopened(const scene::Scene& scene) {
  return scene::read_bytes(scene::bytes_of(scene), workspace_formats(), {});
}

TEST(BenchmarkState, ASceneHasTheSweepAsTyped) {
  scene::Scene scene;
  scene.workspace = BenchmarkState::kId;
  edit_state<BenchmarkState>(scene).sweep = some_sweep();
  const scene::Scene again = reopened(scene);
  EXPECT_EQ(again.workspace, BenchmarkState::kId);
  const auto& sweep = state_of<BenchmarkState>(again).sweep;
  ASSERT_TRUE(sweep);
  EXPECT_EQ(sweep->texts, some_sweep().texts);
  EXPECT_EQ(sweep->max_seconds, 0.5f);
  EXPECT_TRUE(sweep->energy);
  scene::Json earlier = to_json(some_sweep());
  earlier.erase("energy");
  EXPECT_FALSE(read_sweep(JsonReader(earlier, "sweep")).energy);
  edit_state<BenchmarkState>(scene).sweep.reset();
  EXPECT_FALSE(state_of<BenchmarkState>(reopened(scene)).sweep);
}

TEST(BenchmarkState, WrongMembersAreNamed) {
  for (const auto& [key, value] : {std::pair<const char*, scene::Json>{"preset", "no such preset"},
                                   {"kind", "maps and more"},
                                   {"max_seconds", -1},
                                   {"energy", "on"},
                                   {"axes", {{"level", 3}}}}) {
    scene::Json json = to_json(some_sweep());
    json[key] = value;
    EXPECT_THROW(read_sweep(JsonReader(json, "sweep")), InputError) << key;
  }
}

TEST(BenchmarkState, WithoutResultsThereIsNoPicture) {
  scene::RenderRequest request;
  request.size = {64, 64};
  EXPECT_THROW(BenchmarkState().renderer(request), InputError);
}

}  // namespace
}  // namespace loom::app
