#include "render/camera.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <limits>
#include <random>

namespace loom::render {
namespace {

struct Scene {
  glm::u64vec2 field{0};
  glm::ivec2 picture{0};
};

constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;

const Scene kScenes[] = {
    {{512, 512}, {900, 720}},                          // gasket, level 9
    {{1, 1}, {640, 480}},                              // any fractal, level 0
    {{19683, 1}, {1280, 720}},                         // cantor, level 9
    {{1, 19683}, {1280, 720}},                         // the same, vertical
    {{19683, 512}, {777, 555}},                        // chandelier, level 9
    {{std::uint64_t{1} << 40, 1 << 20}, {1280, 720}},  //
    {{std::uint64_t{1} << 40, std::uint64_t{1} << 40}, {333, 1001}},
    {{150094635296999121, 1}, {1920, 1080}},  // cantor, level 36
    {{kHuge, kHuge}, {1280, 720}},
    {{729, 729}, {1, 1}},
    {{6561, 6561}, {3, 2000}},
    {{kHuge, 1}, {16384, 16384}},
};

Camera camera_of(const Scene& scene) {
  Camera camera;
  camera.set_picture(scene.picture);
  camera.set_field(scene.field);
  return camera;
}

std::string name_of(const Scene& scene) {
  return std::to_string(scene.field.x) + " x " + std::to_string(scene.field.y) + " cells in " +
         std::to_string(scene.picture.x) + " x " + std::to_string(scene.picture.y) + " pixels";
}

/// The spacing of doubles at this coordinate.
double ulp(double value) {
  return std::nextafter(std::abs(value), std::numeric_limits<double>::infinity()) - std::abs(value);
}

/// Checks the invariants of the edges of one axis in any view.
void check_axis(const std::vector<std::int64_t>& edges, int pixels, double scale, std::uint64_t cells) {
  ASSERT_EQ(edges.size(), static_cast<std::size_t>(pixels) + 1);
  for (std::size_t i = 1; i < edges.size(); ++i) {
    ASSERT_GE(edges[i], edges[i - 1]) << "edge " << i;
    if (scale >= 1) {
      ASSERT_GT(edges[i], edges[i - 1]) << "edge " << i << ": two pixels would share a cell";
    } else {
      ASSERT_LE(edges[i] - edges[i - 1], 1) << "edge " << i << ": a cell would be skipped";
    }
  }
  bool visible = false;
  for (int i = 0; i < pixels; ++i) {
    const std::int64_t begin = edges[static_cast<std::size_t>(i)];
    const std::int64_t end = std::max(begin + 1, edges[static_cast<std::size_t>(i) + 1]);
    visible = visible || (end > 0 && begin < static_cast<std::int64_t>(cells));
  }
  EXPECT_TRUE(visible) << "no part of the field is visible";
}

void check_view(const Camera& camera, const Scene& scene) {
  check_axis(camera.edges(0), scene.picture.x, camera.cells_per_pixel().x, scene.field.x);
  check_axis(camera.edges(1), scene.picture.y, camera.cells_per_pixel().y, scene.field.y);
}

TEST(Camera, FitShowsTheWholeFieldCentredAndLarge) {
  for (const Scene& scene : kScenes) {
    SCOPED_TRACE(name_of(scene));
    for (const Camera::CellShape shape :
         {Camera::CellShape::kAuto, Camera::CellShape::kSquare, Camera::CellShape::kStretch}) {
      Camera camera = camera_of(scene);
      camera.fit(shape);
      const glm::dvec2 size(scene.field);
      const glm::dvec2 first = camera.pixel_at({0, 0});
      const glm::dvec2 last = camera.pixel_at(size);
      for (int axis = 0; axis < 2; ++axis) {
        EXPECT_GE(first[axis], -1e-6);
        EXPECT_LE(last[axis], scene.picture[axis] + 1e-6);
        EXPECT_NEAR(first[axis], scene.picture[axis] - last[axis], 2);
      }
      const glm::dvec2 filled = (last - first) / glm::dvec2(scene.picture);
      const bool elongated = std::max(size.x, size.y) > 4 * std::min(size.x, size.y);
      if (shape == Camera::CellShape::kStretch || (shape == Camera::CellShape::kAuto && elongated)) {
        EXPECT_GE(std::min(filled.x, filled.y), 0.79);
      } else {
        EXPECT_GE(std::max(filled.x, filled.y), 0.79);
        EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, camera.cells_per_pixel().y);
      }
      check_view(camera, scene);
    }
  }
}

TEST(Camera, FitMakesCellsWholePixelsWhereThatCostsLittle) {
  Camera camera;
  camera.set_picture({900, 720});
  camera.set_field({64, 64});  // exact fit: 11.25 pixels per cell
  EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, 1.0 / 11);
  const std::vector<std::int64_t> edges = camera.edges(0);
  for (std::int64_t cell = 0; cell < 64; ++cell)
    EXPECT_EQ(std::count(edges.begin(), edges.end() - 1, cell), 11);
  camera.set_field({4096, 4096});  // exact fit: 5.7 cells per pixel
  EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, 6);
  camera.set_field({720, 720});
  EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, 1);
  EXPECT_EQ(camera.field_rect(), (Rect<int>{{90, 0}, {720, 720}}));
}

TEST(Camera, StaysFittedUntilTheUserMoves) {
  Camera camera;
  camera.set_field({100, 100});
  camera.set_picture({400, 400});
  EXPECT_EQ(camera.field_rect(), (Rect<int>{{0, 0}, {400, 400}}));
  camera.set_picture({800, 1000});
  EXPECT_EQ(camera.field_rect(), (Rect<int>{{0, 100}, {800, 800}}));
  camera.set_field({200, 200});
  EXPECT_EQ(camera.field_rect(), (Rect<int>{{0, 100}, {800, 800}}));
  camera.pan({0, 0});
  EXPECT_TRUE(camera.fitted()) << "a click is a drag of length 0";
  camera.pan({10, 0});
  const double scale = camera.cells_per_pixel().x;
  camera.set_picture({600, 600});
  EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, scale);
}

TEST(Camera, PixelAndFieldRoundTrip) {
  std::mt19937_64 random(1);
  for (const Scene& scene : kScenes) {
    SCOPED_TRACE(name_of(scene));
    Camera camera = camera_of(scene);
    for (int i = 0; i < 100; ++i) {
      const double x = std::uniform_real_distribution<>(-10, scene.picture.x + 10)(random);
      const double y = std::uniform_real_distribution<>(-10, scene.picture.y + 10)(random);
      const glm::dvec2 field = camera.field_at({x, y});
      const glm::dvec2 pixel = camera.pixel_at(field);
      EXPECT_NEAR(pixel.x, x, 1e-6 + 4 * ulp(field.x) / camera.cells_per_pixel().x);
      EXPECT_NEAR(pixel.y, y, 1e-6 + 4 * ulp(field.y) / camera.cells_per_pixel().y);
      camera.zoom_at({x, y}, std::uniform_real_distribution<>(0.7, 1.6)(random));
    }
  }
}

TEST(Camera, ZoomKeepsThePointUnderTheCursor) {
  std::mt19937_64 random(2);
  for (const Scene& scene : kScenes) {
    if (scene.picture.x < 8 || scene.picture.y < 8) continue;
    SCOPED_TRACE(name_of(scene));
    Camera camera = camera_of(scene);
    int checked = 0;
    for (int i = 0; i < 300; ++i) {
      // Choose a point of the field outside the outermost pixels. There, a zoom may move the last cell out of
      // view, and the camera shifts by a fraction of a pixel to keep one cell visible.
      const glm::dvec2 first = glm::max(camera.pixel_at({0, 0}), 2.0);
      const glm::dvec2 last =
          glm::min(camera.pixel_at(glm::dvec2(scene.field)), glm::dvec2(scene.picture) - 2.0);
      if (first.x >= last.x || first.y >= last.y) {
        camera.fit();
        continue;
      }
      ++checked;
      const double x = std::uniform_real_distribution<>(first.x, last.x)(random);
      const double y = std::uniform_real_distribution<>(first.y, last.y)(random);
      const glm::dvec2 field = camera.field_at({x, y});
      const glm::dvec2 old = camera.cells_per_pixel();
      const double factor = std::exp(std::uniform_real_distribution<>(-1.5, 1.6)(random));
      camera.zoom_at({x, y}, factor);
      const glm::dvec2 moved = camera.field_at({x, y});
      EXPECT_NEAR(moved.x, field.x, 4 * ulp(field.x) + 1e-6 * old.x);
      EXPECT_NEAR(moved.y, field.y, 4 * ulp(field.y) + 1e-6 * old.y);
      EXPECT_NEAR(camera.cells_per_pixel().x / camera.cells_per_pixel().y / (old.x / old.y), 1, 1e-6);
      if (factor > 1) {
        EXPECT_LE(camera.cells_per_pixel().x, old.x);
      } else {
        EXPECT_GE(camera.cells_per_pixel().x, old.x);
      }
    }
    EXPECT_GE(checked, 200);
  }
}

TEST(Camera, AnyWalkKeepsTheLawsOfTheEdges) {
  std::mt19937_64 random(3);
  for (const Scene& scene : kScenes) {
    SCOPED_TRACE(name_of(scene));
    Camera camera = camera_of(scene);
    for (int i = 0; i < 120; ++i) {
      const double x = std::uniform_real_distribution<>(-50, scene.picture.x + 50)(random);
      const double y = std::uniform_real_distribution<>(-50, scene.picture.y + 50)(random);
      switch (random() % 4) {
        case 0:
          camera.zoom_at({x, y}, std::exp(std::uniform_real_distribution<>(-3, 5)(random)));
          break;
        case 1:
          camera.pan({x * 10, -y * 10});
          break;
        case 2:
          camera.box_zoom({x, y}, {y, x});
          break;
        default:
          camera.zoom_at({x, y}, 0.8);
          break;
      }
      check_view(camera, scene);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Camera, EachCellBelongsToOnePixelWhenZoomedOut) {
  Camera camera;
  camera.set_picture({200, 200});
  camera.set_field({6561, 6561});
  std::mt19937_64 random(4);
  for (int i = 0; i < 50; ++i) {
    camera.zoom_at({100, 100}, i % 2 == 0 ? 0.77 : 1.21);
    if (camera.cells_per_pixel().x < 1 || camera.field_rect().size.x == 200) continue;
    const std::vector<std::int64_t> edges = camera.edges(0);
    std::vector<int> times(6561, 0);
    for (int pixel = 0; pixel < 200; ++pixel) {
      for (std::int64_t cell = edges[pixel]; cell < std::max(edges[pixel] + 1, edges[pixel + 1]); ++cell) {
        if (cell >= 0 && cell < 6561) ++times[static_cast<std::size_t>(cell)];
      }
    }
    EXPECT_EQ(times, std::vector<int>(6561, 1));
  }
}

TEST(Camera, EdgesFollowTheContractOfViewport) {
  Camera camera;
  camera.set_picture({10, 10});
  camera.set_field({10, 10});
  EXPECT_EQ(camera.edges(0), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  camera.pan({0.5, -0.25});
  // Pixel i covers [i - 0.5, i + 0.5), which contains the corner of cell i.
  EXPECT_EQ(camera.edges(0), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  // Pixel i covers [i + 0.25, i + 1.25), which contains the corner of cell i + 1.
  EXPECT_EQ(camera.edges(1), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  camera.fit();
  camera.set_picture({40, 40});
  camera.pan({-2, 0});  // four pixels per cell, half a cell to the left
  const std::vector<std::int64_t> edges = camera.edges(0);
  EXPECT_EQ(edges[0], 0);
  EXPECT_EQ(edges[1], 0);
  EXPECT_EQ(edges[2], 1);
  EXPECT_EQ(edges[5], 1);
  EXPECT_EQ(edges[6], 2);
}

TEST(Camera, CellUnderThePointerIsExactInTheWidestField) {
  Camera camera;
  camera.set_picture({1000, 1000});
  camera.set_field({kHuge, kHuge});
  // Zoom in to 512 pixels per cell, at a point inside the field that is not at a power of two.
  for (int i = 0; i < 80; ++i) camera.zoom_at({333.3, 712.9}, 2);
  EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, 1.0 / 512);
  const std::vector<std::int64_t> edges = camera.edges(0);
  EXPECT_GE(edges.back() - edges.front(), 1);
  EXPECT_LE(edges.back() - edges.front(), 2);
  const std::int64_t before = edges[500];
  EXPECT_GT(before, std::int64_t{1} << 60);
  camera.pan({-512, 0});
  EXPECT_EQ(camera.edges(0)[500], before + 1);
  camera.pan({512 * 3, 0});
  EXPECT_EQ(camera.edges(0)[500], before - 2);
}

TEST(Camera, ZoomStopsAtItsLimits) {
  for (const Scene& scene : kScenes) {
    SCOPED_TRACE(name_of(scene));
    Camera camera = camera_of(scene);
    const double fitted = std::max(camera.cells_per_pixel().x, camera.cells_per_pixel().y);
    const double cx = scene.picture.x / 2.0;
    const double cy = scene.picture.y / 2.0;
    camera.zoom_at({cx, cy}, 1e30);
    EXPECT_NEAR(std::max(camera.cells_per_pixel().x, camera.cells_per_pixel().y), std::min(1.0 / 512, fitted),
                1e-9 + 0.25 * std::min(1.0 / 512, fitted));
    const double finest = camera.cells_per_pixel().x;
    camera.zoom_at({cx, cy}, 2);
    EXPECT_DOUBLE_EQ(camera.cells_per_pixel().x, finest);
    camera.zoom_at({cx, cy}, 1e-30);
    const double longer = std::max(static_cast<double>(scene.field.x) / camera.cells_per_pixel().x,
                                   static_cast<double>(scene.field.y) / camera.cells_per_pixel().y);
    EXPECT_LE(longer, 64 + 1e-6);
    EXPECT_TRUE(longer >= 63 || longer >= 0.7 * std::min(scene.picture.x, scene.picture.y)) << longer;
    check_view(camera, scene);
  }
}

TEST(Camera, NonsenseIsIgnored) {
  Camera camera = camera_of(kScenes[0]);
  const std::vector<std::int64_t> before = camera.edges(0);
  camera.zoom_at({10, 10}, 0);
  camera.zoom_at({10, 10}, -3);
  camera.zoom_at({10, 10}, std::nan(""));
  camera.zoom_at({10, 10}, std::numeric_limits<double>::infinity());
  camera.pan({std::nan(""), 0});
  camera.box_zoom({10, 10}, {13.9, 300});
  camera.box_zoom({10, 10}, {300, 10});
  EXPECT_EQ(camera.edges(0), before);
}

TEST(Camera, BoxZoomShowsTheBox) {
  Camera camera;
  camera.set_picture({800, 600});
  camera.set_field({1 << 14, 1 << 14});
  const glm::dvec2 first = camera.field_at({250, 200});
  const glm::dvec2 last = camera.field_at({350, 250});
  camera.box_zoom({350, 200}, {250, 250});  // corners in a different order
  EXPECT_NEAR(camera.pixel_at(first).x, 0, 1e-6);
  EXPECT_NEAR(camera.pixel_at(last).x, 800, 1e-6);
  EXPECT_NEAR(camera.pixel_at(first).y, 100, 1e-6);
  EXPECT_NEAR(camera.pixel_at(last).y, 500, 1e-6);
}

TEST(Camera, PanMovesByPixelsAndKeepsSomeFieldInThePicture) {
  Camera camera = camera_of(kScenes[0]);
  const glm::dvec2 before = camera.pixel_at({100, 100});
  camera.pan({17, -5.5});
  EXPECT_NEAR(camera.pixel_at({100, 100}).x, before.x + 17, 1e-9);
  EXPECT_NEAR(camera.pixel_at({100, 100}).y, before.y - 5.5, 1e-9);
  for (const glm::dvec2 far : {glm::dvec2{1e9, 0}, {-1e9, 0}, {0, 1e9}, {0, -1e9}}) {
    camera.pan(far);
    EXPECT_GE(camera.field_rect().size.x, 31);
    EXPECT_GE(camera.field_rect().size.y, 31);
  }
}

TEST(Camera, LevelChangeKeepsTheSamePartInView) {
  Camera camera;
  camera.set_picture({800, 800});
  camera.set_field({512, 512});
  camera.zoom_at({200, 300}, 4);
  const double left = camera.field_at({0, 0}).x / 512;
  const double bottom = camera.field_at({0, 800}).y / 512;
  camera.set_field({2048, 2048});
  EXPECT_NEAR(camera.field_at({0, 0}).x / 2048, left, 1e-9);
  EXPECT_NEAR(camera.field_at({0, 800}).y / 2048, bottom, 1e-9);
  camera.set_field({512, 512});
  EXPECT_NEAR(camera.field_at({0, 0}).x / 512, left, 1e-9);
  // A field with a different aspect ratio is shown as a whole.
  camera.set_field({19683, 512});
  EXPECT_GE(camera.pixel_at({0, 0}).x, 0);
  EXPECT_LE(camera.pixel_at({19683, 0}).x, 800);
}

TEST(Camera, LevelChangeFromDeepInsideStaysWithinTheZoomLimit) {
  Camera camera;
  camera.set_picture({800, 800});
  camera.set_field({1 << 20, 1 << 20});
  camera.zoom_at({200, 300}, 1e9);
  camera.set_field({16, 16});
  EXPECT_GE(camera.cells_per_pixel().x, 1.0 / 512 - 1e-12);
  check_view(camera, {{16, 16}, {800, 800}});
}

TEST(Camera, PictureResizeKeepsTheCentreWithoutDrift) {
  Camera camera = camera_of(kScenes[0]);
  camera.zoom_at({200, 300}, 3);
  const double centre = camera.field_at({450, 0}).x;
  const std::vector<std::int64_t> before = camera.edges(0);
  for (int width = 901; width < 1200; ++width) camera.set_picture({width, 720});
  EXPECT_NEAR(camera.field_at({1199 / 2.0, 0}).x, centre, camera.cells_per_pixel().x);
  for (int width = 1198; width >= 900; --width) camera.set_picture({width, 720});
  EXPECT_EQ(camera.edges(0), before);
  camera.set_picture({0, -3});
  EXPECT_EQ(camera.picture(), (glm::ivec2{1, 1}));
  EXPECT_EQ(camera.edges(0).size(), 2u);
}

TEST(Camera, FieldRectAgreesWithTheEdges) {
  std::mt19937_64 random(6);
  for (const Scene& scene : kScenes) {
    SCOPED_TRACE(name_of(scene));
    Camera camera = camera_of(scene);
    for (int i = 0; i < 20; ++i) {
      const Rect<int> field = camera.field_rect();
      const std::vector<std::int64_t> edges = camera.edges(0);
      for (int pixel = 0; pixel < scene.picture.x; ++pixel) {
        const bool covers = std::max(edges[pixel] + 1, edges[pixel + 1]) > 0 &&
                            edges[pixel] < static_cast<std::int64_t>(scene.field.x);
        ASSERT_EQ(covers, pixel >= field.corner.x && pixel < field.end().x) << "pixel " << pixel;
      }
      camera.zoom_at({static_cast<double>(random() % scene.picture.x), 0}, i % 3 == 0 ? 7 : 0.4);
      camera.pan({static_cast<double>(random() % 300) - 150.5, 0});
    }
  }
}

TEST(Camera, FieldSizesAreClamped) {
  Camera camera;
  camera.set_picture({100, 100});
  camera.set_field({0, std::numeric_limits<std::uint64_t>::max()});
  camera.fit(Camera::CellShape::kSquare);
  check_view(camera, {{1, kHuge}, {100, 100}});
}

}  // namespace
}  // namespace loom::render
