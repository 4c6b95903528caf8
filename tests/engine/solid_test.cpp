#include <vector>

#include "backend.h"
#include "compute/backend/fastest_method.h"
#include "compute/backend/solid_factory.h"
#include "compute/check/reference_solid.h"
#include "compute/check/solid_verification.h"

namespace loom::tests {
namespace {

class Solid : public EngineTest {};

SolidConfig menger(MapKind map, int level = 3, std::uint32_t tile_size = 9) {
  return {.fractal = *find_solid("menger-sponge"),
          .level = level,
          .tile_size = tile_size,
          .method = fastest_solid_method(map)};
}

TEST_F(Solid, EveryMethodEqualsTheReference) {
  SolidVerifyPlan plan;
  plan.fractals = solid_catalog();
  plan.level_max = 2;
  plan.steps = 6;
  plan.rule = solid_verify_rule();
  plan.backends = {backend_};
  const SolidVerifyResult result = verify_solids(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front();
  EXPECT_GT(result.passed(), 500u);
  EXPECT_TRUE(result.skips.empty());
}

TEST_F(Solid, CheckValueOfTheSponge) {
  SolidVerifyPlan plan;
  plan.fractals = {*find_solid("menger-sponge")};
  plan.level_min = 3;
  plan.level_max = 3;
  plan.steps = 1;
  plan.backends = {backend_};
  const SolidVerifyResult result = verify_solids(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front();
  EXPECT_EQ(result.check_values, result.passed());
}

TEST_F(Solid, ACustomShapeWithUnequalScalesEqualsTheReference) {
  SolidVerifyPlan plan;
  plan.fractals = {
      SolidFractal("uneven", {4, 1, 2}, {{0, 0, 0}, {3, 0, 0}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}})};
  plan.level_max = 4;
  plan.steps = 4;
  plan.rule = solid_verify_rule();
  plan.backends = {backend_};
  const SolidVerifyResult result = verify_solids(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front();
}

TEST_F(Solid, EditsSetCellsAndIgnoreHoles) {
  for (const MapKind map : kMapKinds) {
    const auto engine = make_solid_engine(menger(map), backend_);
    const std::vector<SolidEdit> edits = {{{0, 0, 0}, true},
                                          {{13, 13, 13}, true},
                                          {{26, 26, 26}, true},
                                          {{27, 0, 0}, true},
                                          {{0, 0, 0}, false}};
    EXPECT_EQ(engine->edit(edits), 3u) << "(13, 13, 13) is a hole, (27, 0, 0) is outside";
    EXPECT_EQ(engine->cell({0, 0, 0}), false);
    EXPECT_EQ(engine->cell({26, 26, 26}), true);
    EXPECT_EQ(engine->cell({13, 13, 13}), std::nullopt);
    EXPECT_EQ(engine->cell({0, 27, 0}), std::nullopt);
    EXPECT_EQ(engine->census().population, 1u);
    engine->clear();
    EXPECT_EQ(engine->census().population, 0u);
  }
}

TEST_F(Solid, CellsMoveBetweenMapsAndTileSizes) {
  const auto box = make_solid_engine(menger(MapKind::kBoundingBox, 3, 1), backend_);
  box->reset({.seed = 5, .density = 0.4});
  box->run(7, {});
  for (const std::uint32_t tile_size : {1u, 3u, 9u}) {
    const auto compact = make_solid_engine(menger(MapKind::kCompact, 3, tile_size), backend_);
    transfer_cells(*box, *compact);
    EXPECT_EQ(compact->generation(), 7u);
    EXPECT_EQ(compact->census().hash, box->census().hash);
  }
  const auto other = make_solid_engine(menger(MapKind::kCompact, 2, 9), backend_);
  EXPECT_THROW(transfer_cells(*box, *other), InputError);
}

TEST_F(Solid, PicksTheCellOfAPixel) {
  for (const MapKind map : kMapKinds) {
    const auto engine = make_solid_engine(menger(map), backend_);
    engine->reset({.seed = 2, .density = 0.5});
    const SolidView view{.width = 27,
                         .height = 27,
                         .origin = {0.5f, 0.5f, -3},
                         .right = {1, 0, 0},
                         .down = {0, 1, 0},
                         .direction = {0, 0, 1},
                         .high = {27, 27, 27}};
    SolidImage image;
    engine->trace(view, image);
    for (int j = 0; j < 27; ++j) {
      for (int i = 0; i < 27; ++i) {
        const std::uint32_t pixel = image.pixels[j * 27 + i];
        const SolidHit hit = engine->pick(view, i, j);
        ASSERT_EQ(hit.hit, (pixel & kSolidHit) != 0) << i << ' ' << j;
        if (!hit.hit) continue;
        ASSERT_EQ(hit.cell.x, static_cast<std::uint32_t>(i));
        ASSERT_EQ(hit.cell.y, static_cast<std::uint32_t>(j));
        ASSERT_EQ(hit.alive, engine->cell(hit.cell));
        ASSERT_EQ(hit.alive, (pixel & kSolidAlive) != 0);
      }
    }
    EXPECT_FALSE(engine->pick(view, 13, 13).hit) << "through the middle";
  }
}

TEST_F(Solid, ReportsCountRepetitionsAndBytes) {
  const auto engine = make_solid_engine(menger(MapKind::kCompact), backend_);
  engine->reset({});
  const StepReport report = engine->run(3, {});
  EXPECT_EQ(report.generations, 3u);
  EXPECT_EQ(report.bytes_moved, 2u * 3 * 8000);
  EXPECT_EQ(report.allocated_bytes, 2u * 20 * 729);
  EXPECT_EQ(engine->generation(), 3u);
  EXPECT_EQ(engine->run(0, {}).generations, 0u);
  ProgressMonitor monitor;
  monitor.cancel();
  engine->set_monitor(&monitor);
  EXPECT_EQ(engine->run(5, {}).generations, 0u);
  engine->set_monitor(nullptr);
  EXPECT_EQ(engine->generation(), 3u);
  std::vector<std::uint8_t> cells(10);
  EXPECT_THROW(engine->read_cells(7995, cells), InputError);
}

TEST_F(Solid, ALevelThatDoesNotFitNamesTheLargestThatDoes) {
  try {
    make_solid_engine(menger(MapKind::kBoundingBox, 12), backend_);
    FAIL() << "must not fit";
  } catch (const CapacityError& error) {
    EXPECT_NE(std::string(error.what()).find("the largest level that fits is"), std::string::npos);
    EXPECT_GT(error.needed_bytes, error.free_bytes);
  }
}

}  // namespace
}  // namespace loom::tests
