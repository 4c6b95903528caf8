#include <algorithm>
#include <cmath>

#include "backend.h"
#include "compute/engine/pixel_lookup.h"

namespace loom {
namespace {

using tests::describe;
using tests::pixels_of;

class Resolve : public tests::EngineTest {};

/// Edges of `pixels` pixels along one axis, starting at cell `origin`, with `scale` cells per pixel.
std::vector<std::int64_t> edges(int pixels, double origin, double scale) {
  std::vector<std::int64_t> result;
  for (int i = 0; i <= pixels; ++i) {
    const double at = scale < 1 ? i + 0.5 : i;
    result.push_back(static_cast<std::int64_t>(std::floor(origin + at * scale)));
  }
  return result;
}

/// The image by definition: every pixel reads every cell that it covers.
std::vector<std::uint16_t> image_by_definition(const FractalEngine& engine, const Viewport& view) {
  std::vector<std::uint16_t> image;
  for (int row = 0; row < view.height(); ++row) {
    for (int column = 0; column < view.width(); ++column) {
      std::uint64_t cells = 0;
      std::uint64_t living = 0;
      const std::int64_t y_end = std::max(view.y_edges[row] + 1, view.y_edges[row + 1]);
      const std::int64_t x_end = std::max(view.x_edges[column] + 1, view.x_edges[column + 1]);
      for (std::int64_t y = std::max<std::int64_t>(0, view.y_edges[row]); y < y_end; ++y) {
        for (std::int64_t x = std::max<std::int64_t>(0, view.x_edges[column]); x < x_end; ++x) {
          if (const auto cell = engine.cell({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)})) {
            ++cells;
            living += *cell;
          }
        }
      }
      image.push_back(density_value(cells, living));
    }
  }
  return image;
}

std::vector<std::uint16_t> resolved(FractalEngine& engine, const Viewport& view) {
  ImageView image;
  engine.resolve(view, MemorySpace::kHost, image);
  EXPECT_EQ(image.width, view.width());
  EXPECT_EQ(image.height, view.height());
  return pixels_of(image);
}

TEST_F(Resolve, EqualsTheDefinitionAtEveryZoom) {
  for (const char* name :
       {"sierpinski-gasket", "chandelier", "candy", "cantor", "gasket-2-3", "dragon-gasket"}) {
    const NbbFractal& fractal = find_fractal(name);
    const int level = fractal.shape().s_x == 2 && fractal.is_uniform() ? 6 : 4;
    // The definition reads cell by cell, so read from a CPU engine, which needs no transfers.
    const auto reference = make_fractal_engine({fractal, level, 1, {.map = MapKind::kBoundingBox}}, {});
    reference->reset({9, 0.5});
    std::vector<Viewport> views;
    for (double scale : {0.11, 0.5, 0.97, 1.0, 1.03, 2.5, 3.9, 4.1, 7.0, 30.0}) {
      views.push_back({edges(41, -3.3 * scale, scale), edges(23, -2.1 * scale, scale)});
      views.push_back(
          {edges(17, 20.4, scale), edges(9, static_cast<double>(fractal.height(level)) / 3, scale)});
      views.push_back({edges(31, -1.0, scale), edges(19, -0.5, 0.2)});  // different scales in x and y
    }
    std::vector<std::vector<std::uint16_t>> images;
    for (const Viewport& view : views) images.push_back(image_by_definition(*reference, view));
    for (const FractalConfig& config : all_methods(fractal, level, MethodSet::kMaps)) {
      SCOPED_TRACE(describe(config));
      const auto engine = make(config);
      transfer_cells(*reference, *engine);
      for (std::size_t i = 0; i < views.size(); ++i) {
        ASSERT_EQ(resolved(*engine, views[i]), images[i]) << "view " << i;
      }
    }
  }
}

TEST_F(Resolve, CountsEveryVisibleCellOnceWhenZoomedOut) {
  const NbbFractal& gasket = find_fractal("sierpinski-gasket");
  const auto engine = make({gasket, 10, 16, {.map = MapKind::kCompact}});
  // One pixel covers all cells, so its value is the density of the population.
  engine->reset({1, 0.25});
  const Viewport one{{0, 1024}, {0, 1024}};
  EXPECT_EQ(resolved(*engine, one).at(0), density_value(engine->cell_count(), engine->census().population));
}

TEST_F(Resolve, OutsideAndEmptyViews) {
  const auto engine = make({find_fractal("vicsek"), 3, 3, {.map = MapKind::kLambda}});
  engine->reset({1, 1.0});
  EXPECT_EQ(resolved(*engine, {edges(8, -100, 1), edges(4, 0, 1)}), std::vector<std::uint16_t>(32, 0));
  EXPECT_EQ(resolved(*engine, {edges(8, 1e15, 1e3), edges(4, 1e15, 1e3)}), std::vector<std::uint16_t>(32, 0));
  EXPECT_TRUE(resolved(*engine, Viewport{}).empty());
}

TEST(Density, KeepsTheEndsApartAndRounds) {
  EXPECT_EQ(density_value(0, 0), 0);
  EXPECT_EQ(density_value(1, 0), 1);
  EXPECT_EQ(density_value(1, 1), 65535);
  EXPECT_EQ(density_value(3486784401u, 3486784401u), 65535);
  EXPECT_EQ(density_value(2, 1), 1 + 32767);
  EXPECT_EQ(density_value(4294967295u, 1), 1);
}

}  // namespace
}  // namespace loom
