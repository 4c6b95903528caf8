#include <gtest/gtest.h>

#include <array>

#include "app/explain/colour_by.h"
#include "app/gui/theme.h"
#include "app/workspaces/life/picture/life_picture.h"
#include "compute/backend/engine_factory.h"
#include "compute/engine/fractal_config.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app {
namespace {

constexpr std::chrono::duration<double, std::milli> kAll{1e9};
constexpr std::chrono::duration<double, std::milli> kNothing{0};

FractalConfig gasket(MapKind map, int level) {
  FractalConfig config{.fractal = catalog().front(), .level = level, .tile_size = 4};
  config.method.map = map;
  keep_method_valid(config);
  return config;
}

render::Camera camera_of(const explain::SpaceLayout& layout, int width, int height) {
  render::Camera camera;
  camera.set_picture({width, height});
  camera.set_field({layout.width(), layout.height()});
  camera.fit();
  return camera;
}

// Each pixel has the colour of the unit under it, in every space and at every zoom.
TEST(SpaceRaster, APixelHasItsUnitsColour) {
  for (const int level : {4, 10}) {
    for (const explain::Space space : explain::kSpaces) {
      const explain::ThreadSpace threads(gasket(MapKind::kCompact, level));
      const explain::SpaceLayout layout(threads, space);
      const explain::Colouring colouring{.by = explain::ColourBy::kWarp};
      const render::Camera camera = camera_of(layout, 150, 110);
      SpaceRaster raster;
      raster.look_at(layout, colouring);
      raster.advance(camera, kAll);
      ASSERT_TRUE(raster.finished());
      const auto xs = camera.edges(0);
      const auto ys = camera.edges(1);
      for (std::size_t y = 0; y < 110; ++y) {
        for (std::size_t x = 0; x < 150; ++x) {
          std::uint32_t expected = 0;
          if (xs[x] >= 0 && ys[y] >= 0) {
            const Coord64 unit{static_cast<std::uint64_t>(xs[x]), static_cast<std::uint64_t>(ys[y])};
            const auto ref = layout.thread_at(unit);
            if (layout.exists(unit)) expected = theme::packed(explain::data_colour({}));
            if (ref) {
              expected = theme::packed(
                  explain::data_colour(explain::colour_key(threads, threads.location_of(*ref), colouring)));
            }
          }
          ASSERT_EQ(raster.pixels()[y * 150 + x], expected) << x << ", " << y;
        }
      }
    }
  }
}

// Slices with a zero time budget still complete with the same picture; until then a coarse one is shown.
TEST(SpaceRaster, SlicesComeToTheSame) {
  const explain::ThreadSpace threads(gasket(MapKind::kLambda, 12));
  const explain::SpaceLayout layout(threads, explain::Space::kThreads);
  const render::Camera camera = camera_of(layout, 300, 200);
  SpaceRaster whole;
  whole.look_at(layout, {.by = explain::ColourBy::kAddress});
  whole.advance(camera, kAll);
  SpaceRaster sliced;
  sliced.look_at(layout, {.by = explain::ColourBy::kAddress});
  int slices = 0;
  do {
    sliced.advance(camera, kNothing);
    ++slices;
  } while (!sliced.finished());
  EXPECT_EQ(slices, 200 / 8 + 200);
  EXPECT_EQ(sliced.pixels(), whole.pixels());
}

// The states are those read from the engine. Units without a cell are dark, pixels outside the space are
// transparent.
TEST(SpaceRaster, StatesAreTheCells) {
  const explain::ThreadSpace threads(gasket(MapKind::kBoundingBox, 4));
  const explain::SpaceLayout layout(threads, explain::Space::kMemory);
  const auto engine = make_fractal_engine(threads.config(), select_backend(BackendChoice::kCpu, 0));
  engine->clear();
  const Coord64 cell = threads.cell_by_index(40);
  const auto set = [&](bool alive) { EXPECT_EQ(engine->edit(std::array{CellEdit{cell, alive}}), 1u); };
  set(true);
  CellSource cells(RandomStart{.density = 0});
  CellStates states;
  states.read(*engine, cells);
  SpaceRaster raster;
  raster.look_at(layout, {});
  const std::array<glm::u8vec3, 2> colours{{{10, 20, 30}, {200, 210, 220}}};
  raster.set_states(states, colours);
  const render::Camera camera = camera_of(layout, 256, 256);
  raster.advance(camera, kAll);
  const Coord64 unit = *layout.unit_of(threads.location_of(*threads.thread_of(cell)));
  const auto pixel_of = [&](Coord64 at) {
    const glm::uvec2 pixel(camera.pixel_at(glm::dvec2(at.x, at.y) + 0.5));
    return raster.pixels()[pixel.y * 256 + pixel.x];
  };
  EXPECT_EQ(pixel_of(unit), theme::packed(colours[1]));
  set(false);
  states.read(*engine, cells);
  raster.set_states(states, colours);
  EXPECT_TRUE(raster.finished()) << "the cells are said to be the same";
  cells.edit({{cell, 0}});
  states.read(*engine, cells);
  raster.set_states(states, colours);
  EXPECT_FALSE(raster.finished());
  raster.advance(camera, kAll);
  EXPECT_EQ(pixel_of(unit), theme::packed(colours[0]));
  raster.set_states(states, {colours[1], colours[0]});
  EXPECT_FALSE(raster.finished()) << "another palette";
  EXPECT_EQ(pixel_of({15, 0}), theme::packed(explain::data_colour({})));  // the byte of a hole
}

}  // namespace
}  // namespace loom::app
