#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "backend.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/check/verification.h"
#include "compute/solid/solid_rays.h"
#include "compute/workload/rule_text.h"

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
  VerifyPlanOf<3> plan;
  plan.methods = MethodSet::kAll;
  plan.fractals = solid_catalog();
  plan.level_max = 2;
  plan.steps = 6;
  plan.rule = solid_verify_rule();
  plan.backends = {backend_};
  const VerifyResultOf<3> result = verify(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front().what;
  EXPECT_GT(result.passed(), 500u);
  EXPECT_TRUE(result.skips.empty());
}

TEST_F(Solid, CheckValueOfTheSponge) {
  VerifyPlanOf<3> plan;
  plan.methods = MethodSet::kAll;
  plan.fractals = {*find_solid("menger-sponge")};
  plan.level_min = 3;
  plan.level_max = 3;
  plan.steps = 1;
  plan.backends = {backend_};
  const VerifyResultOf<3> result = verify(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front().what;
  ASSERT_EQ(result.pins.size(), 1u);
  EXPECT_GT(result.pins.front().passed, 30u);
  EXPECT_EQ(2 * result.pins.front().passed, result.passed())
      << "as many methods at the level as of the check value";
}

TEST_F(Solid, ACustomShapeWithUnequalScalesEqualsTheReference) {
  VerifyPlanOf<3> plan;
  plan.methods = MethodSet::kAll;
  plan.fractals = {
      SolidFractal("uneven", {4, 1, 2}, {{0, 0, 0}, {3, 0, 0}, {1, 0, 1}, {2, 0, 1}, {3, 0, 1}})};
  plan.level_max = 4;
  plan.steps = 4;
  plan.rule = solid_verify_rule();
  plan.backends = {backend_};
  const VerifyResultOf<3> result = verify(plan, [](auto, auto, const auto&) {});
  EXPECT_TRUE(result.ok()) << result.differences.front().what;
}

TEST_F(Solid, EditsSetCellsAndIgnoreHoles) {
  for (const MapKind map : kMapKinds) {
    const auto engine = make_fractal_engine(menger(map), backend_);
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
  const auto box = make_fractal_engine(menger(MapKind::kBoundingBox, 3, 1), backend_);
  box->reset({.seed = 5, .density = 0.4});
  box->run(7, {});
  for (const std::uint32_t tile_size : {1u, 3u, 9u}) {
    const auto compact = make_fractal_engine(menger(MapKind::kCompact, 3, tile_size), backend_);
    transfer_cells(*box, *compact);
    EXPECT_EQ(compact->generation(), 7u);
    EXPECT_EQ(compact->census().hash, box->census().hash);
  }
  const auto other = make_fractal_engine(menger(MapKind::kCompact, 2, 9), backend_);
  EXPECT_THROW(transfer_cells(*box, *other), InputError);
}

TEST_F(Solid, PicksTheCellOfAPixel) {
  for (const MapKind map : kMapKinds) {
    const auto engine = make_fractal_engine(menger(map), backend_);
    engine->reset({.seed = 2, .density = 0.5});
    const SolidView view{.width = 27,
                         .height = 27,
                         .origin = {0.5f, 0.5f, -3},
                         .right = {1, 0, 0},
                         .down = {0, 1, 0},
                         .direction = {0, 0, 1},
                         .high = {27, 27, 27}};
    SolidImage image;
    engine->trace(view, MemorySpace::kHost, image);
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

/// Rays towards a point near the middle of a cube nine cells wide, from `distance` cells away, in any
/// direction.
SolidView random_view(std::mt19937& random, bool perspective, float distance) {
  std::normal_distribution<float> number;
  const auto unit = [](SolidVector v) { return 1 / PixelWidth::length(v) * v; };
  const auto any = [&] { return SolidVector{number(random), number(random), number(random)}; };
  const auto cross = [](SolidVector a, SolidVector b) {
    return SolidVector{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  };
  const SolidVector forward = unit(any());
  const SolidVector right = unit(cross(forward, any()));
  const SolidVector down = cross(forward, right);
  SolidView view{.width = 61, .height = 47, .high = {9, 9, 9}};
  const SolidVector eye = SolidVector{4.5f, 4.5f, 4.5f} + any() + -distance * forward;
  const float pixel = 0.5f;
  if (perspective) {
    const float turn = pixel / distance;
    view.origin = eye;
    view.turn_right = turn * right;
    view.turn_down = turn * down;
    view.direction = forward + -30 * view.turn_right + -23 * view.turn_down;
  } else {
    view.right = pixel * right;
    view.down = pixel * down;
    view.origin = eye + -30 * view.right + -23 * view.down;
    view.direction = forward;
  }
  return view;
}

TEST_F(Solid, APictureLacksNoPixelAtItsRim) {
  std::mt19937 random(7);
  const auto engine = make_fractal_engine(menger(MapKind::kCompact, 2, 3), backend_);
  int tight = 0;
  for (int i = 0; i < 60; ++i) {
    // Some cameras are within the cube or beside it.
    SolidView view = random_view(random, i % 2 == 0, i % 5 == 0 ? 3.0f : 25.0f);
    if (i % 3 == 0) view.low.y = 4;
    SolidImage image;
    engine->trace(view, MemorySpace::kHost, image);
    int left = view.width;
    int right = 0;
    for (int pixel = 0; pixel < view.width * view.height; ++pixel) {
      const bool hit = engine->pick(view, pixel % view.width, pixel / view.width).hit;
      ASSERT_EQ(hit, (image.pixels[pixel] & kSolidHit) != 0) << i << ": " << pixel;
      if (!hit) continue;
      left = std::min(left, pixel % view.width);
      right = std::max(right, pixel % view.width + 1);
    }
    const Region seen = seen_pixels(view);
    const int first = static_cast<int>(seen.x);
    const int end = static_cast<int>(seen.x + seen.width);
    ASSERT_TRUE(left >= right || (left >= first && right <= end)) << i;
    tight += left - first <= 3 && end - right <= 3 ? 1 : 0;
  }
  EXPECT_GT(tight, 40) << "what is not traced is most of the background";
}

/// The states of the points of the cube, x fastest; a hole has none.
std::vector<std::optional<bool>> states_of(const SolidEngine& engine) {
  const TiledSolid tiled = make_tiled_fractal(engine.config().fractal, engine.config().level, 1);
  const SolidOrder order(tiled);
  std::vector<std::uint8_t> cells(engine.cell_count());
  engine.read_cells(0, cells);
  std::vector<std::optional<bool>> states(volume(tiled.size));
  for (std::uint64_t i = 0; i < cells.size(); ++i)
    states[index_in(tiled.size, order.cell(i))] = cells[i] != 0;
  return states;
}

/// The density value of the first cube along z from a point on, `side` wide, that has cells or, with
/// `living_only`, living ones. Nothing if there is none.
std::optional<std::uint32_t> density_along_z(const std::vector<std::optional<bool>>& states,
                                             std::uint32_t length, std::uint32_t x, std::uint32_t y,
                                             std::uint32_t z, std::uint32_t side, bool living_only) {
  for (; z < length; z += side) {
    std::uint32_t cells = 0;
    std::uint32_t living = 0;
    for (std::uint32_t i = 0; i < side * side * side; ++i) {
      const Coord3 at{x + i % side, y + i / side % side, z + i / side / side};
      const auto& state = states[index_in({length, length, length}, at)];
      cells += state.has_value() ? 1 : 0;
      living += state == true ? 1 : 0;
    }
    if ((living_only ? living : cells) > 0)
      return static_cast<std::uint32_t>(std::lround(1 + 254.0 * living / cells));
  }
  return std::nullopt;
}

// A pixel that shows one refractory cell has the density value of its brightness: of four fifths, three and
// so on down to the last state.
TEST_F(Solid, RefractoryCellsFade) {
  constexpr std::uint32_t kLength = 9;
  for (const MapKind map : kMapKinds) {
    const auto engine = make_fractal_engine(menger(map, 2, 3), backend_);
    engine->reset({.seed = 2, .density = 0.3});
    engine->run(3, {.rule = parse_solid_rule("B3,4/S4,5/C6")});
    SolidView view{.width = kLength,
                   .height = kLength,
                   .origin = {0.5f, 0.5f, -5},
                   .right = {1, 0, 0},
                   .down = {0, 1, 0},
                   .direction = {0, 0, 1},
                   .high = {kLength, kLength, kLength}};
    int refractory = 0;
    for (const bool living_only : {false, true}) {
      view.living_only = living_only;
      SolidImage image;
      engine->trace(view, MemorySpace::kHost, image);
      for (std::uint32_t i = 0; i < kLength * kLength; ++i) {
        std::optional<std::uint8_t> state;
        for (std::uint32_t z = 0; z < kLength && (!state || (living_only && *state == 0)); ++z)
          state = engine->cell({i % kLength, i / kLength, z});
        if (living_only && state == std::uint8_t{0}) state.reset();
        const std::uint32_t value = image.pixels[i];
        ASSERT_EQ((value & kSolidHit) != 0, state.has_value()) << i;
        if (!state) continue;
        EXPECT_EQ((value & kSolidAlive) != 0, *state == 1);
        const std::uint32_t fading[] = {0, 0, 1 + 254 * 4 / 5, 1 + 254 * 3 / 5, 1 + 254 * 2 / 5, 1 + 254 / 5};
        EXPECT_EQ(value >> kSolidColourShift & 255u, fading[*state]) << i;
        refractory += *state > 1 ? 1 : 0;
      }
    }
    EXPECT_GT(refractory, 10);
  }
}

TEST_F(Solid, APixelOfManyCellsHasTheDensityOfItsReplica) {
  constexpr std::uint32_t kLength = 81;
  for (const MapKind map : kMapKinds) {
    for (const std::uint32_t tile_size : {1u, 3u, 9u}) {
      const auto engine = make_fractal_engine(menger(map, 4, tile_size), backend_);
      engine->reset({.seed = 2, .density = 0.03});
      engine->run(1, {.rule = parse_solid_rule("B2,3/S2,3")});
      const auto states = states_of(*engine);
      for (const std::uint32_t side : {3u, 9u, 27u}) {
        const auto pixel = static_cast<float>(side);
        SolidView view{.width = static_cast<int>(kLength / side),
                       .height = static_cast<int>(kLength / side),
                       .origin = {pixel / 2, pixel / 2, -5},
                       .right = {pixel, 0, 0},
                       .down = {0, pixel, 0},
                       .direction = {0, 0, 1},
                       .high = {kLength, kLength, kLength}};
        for (const bool living_only : {false, true}) {
          view.living_only = living_only;
          SolidImage image;
          engine->trace(view, MemorySpace::kHost, image);
          for (int i = 0; i < view.width * view.height; ++i) {
            const auto column = static_cast<std::uint32_t>(i % view.width);
            const auto row = static_cast<std::uint32_t>(i / view.width);
            const auto density =
                density_along_z(states, kLength, side * column, side * row, 0, side, living_only);
            const std::uint32_t value = image.pixels[i];
            ASSERT_EQ((value & kSolidHit) != 0, density.has_value());
            if (!density) continue;
            ASSERT_EQ(value >> kSolidColourShift & 255u, *density)
                << name_of(map) << " tile " << tile_size << " side " << side << ": " << column << ' ' << row;
            ASSERT_EQ((value & kSolidAlive) != 0, *density > 1);
          }
          const SolidHit hit = engine->pick(view, 0, 0);
          EXPECT_TRUE(!hit.hit || engine->cell(hit.cell) == hit.alive) << "a cell of the replica";
        }
      }
    }
  }
}

TEST_F(Solid, APixelOfFewCellsShowsOne) {
  constexpr std::uint32_t kLength = 27;
  const auto engine = make_fractal_engine(menger(MapKind::kCompact), backend_);
  engine->reset({.seed = 2, .density = 0.5});
  const auto states = states_of(*engine);
  for (const float pixel : {0.5f, 1.0f, 1.25f, 1.7f}) {
    const auto pixels = static_cast<int>(27 / pixel);
    const SolidView view{.width = pixels,
                         .height = pixels,
                         .origin = {pixel / 2, pixel / 2, -3},
                         .right = {pixel, 0, 0},
                         .down = {0, pixel, 0},
                         .direction = {0, 0, 1},
                         .high = {kLength, kLength, kLength}};
    SolidImage image;
    engine->trace(view, MemorySpace::kHost, image);
    for (int i = 0; i < pixels * pixels; ++i) {
      const SolidHit hit = engine->pick(view, i % pixels, i / pixels);
      const std::uint32_t value = image.pixels[i];
      ASSERT_EQ(hit.hit, (value & kSolidHit) != 0);
      ASSERT_EQ(hit.alive, (value & kSolidAlive) != 0);
      const std::uint32_t colour = value >> kSolidColourShift & 255u;
      if (!hit.hit || pixel <= 1) {
        ASSERT_EQ(colour, 0u) << "the state of a cell";
        continue;
      }
      // Between the state and the density of the cells around, at sqrt(3) cells per pixel the density alone.
      const double around = *density_along_z(states, kLength, hit.cell.x / 3 * 3, hit.cell.y / 3 * 3,
                                             hit.cell.z / 3 * 3, 3, false);
      const double share = (pixel - 1.0) / (std::sqrt(3.0) - 1);
      ASSERT_NEAR(colour, (1 - share) * (hit.alive ? 255 : 1) + share * around, 0.51);
    }
  }
}

TEST_F(Solid, ReportsCountRepetitionsAndBytes) {
  const auto engine = make_fractal_engine(menger(MapKind::kCompact), backend_);
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
    make_fractal_engine(menger(MapKind::kBoundingBox, 12), backend_);
    FAIL() << "must not fit";
  } catch (const CapacityError& error) {
    EXPECT_NE(std::string(error.what()).find("the largest level that fits is"), std::string::npos);
    EXPECT_GT(error.needed_bytes, error.free_bytes);
  }
}

}  // namespace
}  // namespace loom::tests
