#include <algorithm>
#include <vector>

#include "app/workspaces/life/picture/life_picture.h"
#include "fractals.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr Area kArea{{100, 20}, {950, 630}};

/// Checks where the overlay marks empty tiles of the bounding box.
class WasteTest : public ImGuiTest {
 protected:
  /// The rectangles in the colour of empty tiles that the overlay draws.
  std::vector<Area> drawn(const PictureView& view, const TileGrid& space, MapKind map) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {4000, 4000});
    std::vector<std::uint8_t> memory;
    draw_tile_grid(list, view, space, map, memory);
    std::vector<Area> boxes;
    for (int i = 0; i + 3 < list.VtxBuffer.Size; i += 4) {
      if (list.VtxBuffer[i].col != theme::overlay(false).empty_tile) continue;
      const glm::vec2 corner = list.VtxBuffer[i].pos;
      boxes.push_back({corner, glm::vec2(list.VtxBuffer[i + 2].pos) - corner});
    }
    return boxes;
  }

  static render::Camera camera_on(const FractalConfig& config) {
    render::Camera camera;
    camera.set_picture(glm::ivec2(kArea.size));
    camera.set_field({config.fractal.width(config.level), config.fractal.height(config.level)});
    return camera;
  }
};

FractalConfig waste_scene(const NbbFractal& fractal, int level, std::uint32_t tile_size) {
  return {
      .fractal = fractal, .level = level, .tile_size = tile_size, .method = {.map = MapKind::kBoundingBox}};
}

TEST_F(WasteTest, IsTintedWhereTilesAreTooSmallAndNowhereElse) {
  // Levels and tile sizes that the window uses for these fractals.
  for (const FractalConfig& config :
       {waste_scene(find_fractal("vicsek"), 6, 9), waste_scene(find_fractal("chandelier"), 7, 9),
        waste_scene(find_fractal("cantor"), 9, 9), waste_scene(find_fractal("sierpinski-gasket"), 11, 4)}) {
    const TileGrid space(config);
    const render::Camera camera = camera_on(config);
    const PictureView view{camera, kArea};
    ASSERT_LT(tile_side(view, space), kMinGridSpacing) << config.fractal.name();
    const auto boxes = drawn(view, space, MapKind::kBoundingBox);
    int empty = 0;
    int tinted = 0;
    for (float y = kArea.corner.y + 2.5f; y < kArea.end().y; y += 5) {
      for (float x = kArea.corner.x + 2.5f; x < kArea.end().x; x += 3) {
        const glm::dvec2 field = camera.field_at(view.pixel({x, y}));
        const bool covered = std::ranges::any_of(boxes, [&](const Area& box) {
          return box.contains({x, y});
        });
        const bool inside = field.x >= 0 && field.y >= 0 &&
                            field.x < static_cast<double>(space.tiled().width) &&
                            field.y < static_cast<double>(space.tiled().height);
        const Coord64 tile{static_cast<std::uint64_t>(std::max(0.0, field.x)) / space.tiled().rho_x,
                           static_cast<std::uint64_t>(std::max(0.0, field.y)) / space.tiled().rho_y};
        const bool wasted =
            inside && !tests::member_by_recursion(config.fractal, space.tiled().coarse_level, tile);
        empty += wasted;
        tinted += covered;
        ASSERT_TRUE(wasted || !covered)
            << config.fractal.name() << ": a tile with cells is marked at" << x << ", " << y;
      }
    }
    EXPECT_GT(tinted, 0.9 * empty) << config.fractal.name() << ": most empty tiles must be marked";
    EXPECT_TRUE(drawn(view, space, MapKind::kLambda).empty()) << "the lambda map launches no empty tiles";
  }
}

TEST_F(WasteTest, CostsAsMuchAtAnyLevel) {
  for (const NbbFractal& fractal : catalog()) {
    for (const int level : {8, 12, 16}) {
      const FractalConfig config = waste_scene(fractal, std::min(level, fractal.max_level()), 1);
      const TileGrid space(config);
      render::Camera camera = camera_on(config);
      for (int zoom = 0; zoom < 3; ++zoom) {
        const PictureView view{camera, kArea};
        if (tile_side(view, space) >= kMinGridSpacing) break;
        const auto boxes = drawn(view, space, MapKind::kBoundingBox);
        EXPECT_LT(boxes.size(), kArea.size.x * kArea.size.y / (kMinAreaSide * kMinAreaSide) / 2)
            << fractal.name();
        for (const Area& box : boxes) {
          ASSERT_GE(box.corner.x, kArea.corner.x - 1);
          ASSERT_LE(box.end().x, kArea.end().x + 1);
        }
        camera.zoom_at({300, 200}, 7);
      }
    }
  }
}

}  // namespace
}  // namespace loom::app
