#include <algorithm>
#include <vector>

#include "app/workspaces/life/picture/grid_overlay.h"
#include "fractals.h"
#include "imgui_frame.h"

namespace loom::app {
namespace {

constexpr Area kArea{100, 20, 950, 630};

struct Box {
  float left = 0;
  float top = 0;
  float right = 0;
  float bottom = 0;
};

/// Checks where the overlay marks empty tiles of the bounding box.
class WasteTest : public ImGuiTest {
 protected:
  /// The rectangles in the colour of empty tiles that the overlay draws.
  std::vector<Box> drawn(const PictureView& view, const TileGrid& space, MapKind map) {
    ImDrawList list(ImGui::GetDrawListSharedData());
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, {4000, 4000});
    std::vector<std::uint8_t> memory;
    draw_tile_grid(list, view, space, map, memory);
    std::vector<Box> boxes;
    for (int i = 0; i + 3 < list.VtxBuffer.Size; i += 4) {
      if (list.VtxBuffer[i].col != theme::kEmptyTile) continue;
      boxes.push_back({list.VtxBuffer[i].pos.x, list.VtxBuffer[i].pos.y, list.VtxBuffer[i + 2].pos.x,
                       list.VtxBuffer[i + 2].pos.y});
    }
    return boxes;
  }

  static render::Camera camera_on(const FractalConfig& config) {
    render::Camera camera;
    camera.set_picture({static_cast<int>(kArea.width), static_cast<int>(kArea.height)});
    camera.set_field(config.fractal.width(config.level), config.fractal.height(config.level));
    return camera;
  }
};

FractalConfig waste_scene(const NbbFractal& fractal, int level, std::uint32_t block) {
  return {.fractal = fractal, .level = level, .block = block, .method = {.map = MapKind::kBoundingBox}};
}

TEST_F(WasteTest, IsTintedWhereBlocksAreTooSmallAndNowhereElse) {
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
    for (float y = kArea.y + 2.5f; y < kArea.y + kArea.height; y += 5) {
      for (float x = kArea.x + 2.5f; x < kArea.x + kArea.width; x += 3) {
        const double field_x = camera.field_x(view.pixel_x({x, y}));
        const double field_y = camera.field_y(view.pixel_y({x, y}));
        const bool covered = std::ranges::any_of(boxes, [&](const Box& box) {
          return x > box.left && x < box.right && y > box.top && y < box.bottom;
        });
        const bool inside = field_x >= 0 && field_y >= 0 &&
                            field_x < static_cast<double>(space.tiled().width) &&
                            field_y < static_cast<double>(space.tiled().height);
        const Coord64 block{static_cast<std::uint64_t>(std::max(0.0, field_x)) / space.tiled().rho_x,
                            static_cast<std::uint64_t>(std::max(0.0, field_y)) / space.tiled().rho_y};
        const bool wasted =
            inside && !tests::member_by_recursion(config.fractal, space.tiled().coarse_level, block);
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
        EXPECT_LT(boxes.size(), kArea.width * kArea.height / (kMinAreaSide * kMinAreaSide) / 2)
            << fractal.name();
        for (const Box& box : boxes) {
          ASSERT_GE(box.left, kArea.x - 1);
          ASSERT_LE(box.right, kArea.x + kArea.width + 1);
        }
        camera.zoom_at(300, 200, 7);
      }
    }
  }
}

}  // namespace
}  // namespace loom::app
