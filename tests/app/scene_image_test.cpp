#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/document/image/image.h"
#include "app/document/image/window/save_image.h"
#include "app/document/scene/scene.h"
#include "app/explain/colour_by.h"
#include "app/gui/imgui_compat.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/life/scene/life_stats.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "imgui_frame.h"
#include "render/png.h"
#include "sample_scene.h"

namespace loom::app::image {
namespace {

const BackendSelection kCpu{{}, "test"};

std::vector<std::uint8_t> all_rows(ImageRows& rows, int band) {
  std::vector<std::uint8_t> all;
  std::vector<std::uint8_t> part;
  for (int first = 0; first < rows.size().y; first += band) {
    rows.rows(first, std::min(band, rows.size().y - first), part, nullptr);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

glm::u8vec3 pixel(const std::vector<std::uint8_t>& rgb, int width, int x, int y) {
  const std::size_t at =
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
  return {rgb[at], rgb[at + 1], rgb[at + 2]};
}

/// Draws the shown state of a scene.
class SceneImage {
 public:
  SceneImage(const scene::Scene& scene, glm::ivec2 size, const BackendSelection& backend,
             ProgressMonitor* watch = nullptr, bool coloured = false)
      : renderer_(scene.shown().renderer({.size = size,
                                          .backend = backend,
                                          .palette = scene.palette,
                                          .custom_palettes = scene.custom_palettes,
                                          .coloured = coloured},
                                         watch)) {}
  ImageRows& rows() { return renderer_->rows(); }
  LifeRenderer& cells() { return dynamic_cast<LifeRenderer&>(*renderer_); }

 private:
  std::unique_ptr<scene::StateRenderer> renderer_;
};

scene::Scene life_scene(int level) {
  scene::Scene scene = scene::default_scene();
  scene::life_of(scene).settings.config.level = level;
  scene::life_of(scene).cells = CellSource(RandomStart{.seed = 5, .density = 0.4}, {}, 3);
  return scene;
}

// Compares every pixel with the state of the engine's cell.
TEST(LifeRows, ShowEachCellAsThePaletteSays) {
  const scene::Scene scene = life_scene(5);
  const render::Palette& palette = *render::find_palette(scene.palette);
  const auto engine = make_fractal_engine(scene::life_of(scene).settings.config, kCpu);
  engine->reset(scene::life_of(scene).cells.start());
  engine->step(3, {});
  for (const int band : {1, 7, 96}) {
    SceneImage picture(scene, {96, 96}, kCpu);
    const auto rgb = all_rows(picture.rows(), band);
    for (int y = 0; y < 96; ++y) {
      for (int x = 0; x < 96; ++x) {
        const auto cell =
            engine->cell({static_cast<std::uint64_t>(x / 3), static_cast<std::uint64_t>(y / 3)});
        const glm::u8vec3 wanted = render::display_colour(palette, !cell ? 0 : *cell ? 65535 : 1);
        ASSERT_EQ(pixel(rgb, 96, x, y), wanted) << x << ", " << y;
      }
    }
  }
}

TEST(LifeRows, AreThePalettesOutsideBeyondTheSquare) {
  const scene::Scene scene = life_scene(5);
  SceneImage picture(scene, {128, 32}, kCpu);
  const auto rgb = all_rows(picture.rows(), 32);
  const glm::u8vec3 outside = render::find_palette(scene.palette)->outside;
  EXPECT_EQ(pixel(rgb, 128, 0, 0), outside);
  EXPECT_EQ(pixel(rgb, 128, 127, 31), outside);
  EXPECT_FALSE(pixel(rgb, 128, 48, 31) == outside);
}

TEST(LifeRows, OfAPartAreThatPart) {
  scene::Scene scene = life_scene(6);
  SceneImage whole(scene, {64, 64}, kCpu);
  scene::life_of(scene).view = view_of_part({{8, 24}, {16, 16}}, {64, 64});
  SceneImage part(scene, {64, 64}, kCpu);
  const auto all = all_rows(whole.rows(), 64);
  const auto rgb = all_rows(part.rows(), 64);
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x)
      ASSERT_EQ(pixel(rgb, 64, x, y), pixel(all, 64, 8 + x / 4, 24 + y / 4)) << x << ", " << y;
  }
}

// Compares every pixel with the thread that the launch assigns to its point.
TEST(ColouredRows, HaveTheColoursOfThreadsOverTheCells) {
  scene::Scene scene = life_scene(5);
  scene::life_of(scene).settings.colouring = {.by = explain::ColourBy::kReplica, .level = 2};
  const FractalConfig& config = scene::life_of(scene).settings.config;
  const explain::ThreadSpace threads(config);
  const explain::SpaceLayout space(threads, explain::Space::kCells);
  const auto below = all_rows(SceneImage(scene, {96, 96}, kCpu).rows(), 96);
  std::size_t coloured = 0;
  for (const int band : {1, 7, 96}) {
    SceneImage picture(scene, {96, 96}, kCpu, nullptr, true);
    const auto rgb = all_rows(picture.rows(), band);
    for (int y = 0; y < 96; ++y) {
      for (int x = 0; x < 96; ++x) {
        glm::u8vec3 wanted = pixel(below, 96, x, y);
        const auto ref =
            space.thread_at({static_cast<std::uint64_t>(x / 3), static_cast<std::uint64_t>(y / 3)});
        const auto key = ref ? explain::colour_key(threads, threads.location_of(*ref),
                                                   scene::life_of(scene).settings.colouring)
                             : explain::ColourKey{};
        if (key.kind != explain::ColourKey::Kind::kNone) {
          const glm::u8vec3 over = explain::data_colour(key);
          const auto mixed = [](int a, int b) {
            return static_cast<std::uint8_t>((a * 65 + b * 190 + 127) / 255);
          };
          wanted = {mixed(wanted.r, over.r), mixed(wanted.g, over.g), mixed(wanted.b, over.b)};
          ++coloured;
        }
        ASSERT_EQ(pixel(rgb, 96, x, y), wanted) << x << ", " << y << ", bands of " << band;
      }
    }
  }
  EXPECT_EQ(coloured, 3u * 243u * 9u) << "exactly the cells are coloured";
}

TEST(ColouredRows, DrawNothingWhereThereIsNothingToDraw) {
  scene::Scene scene = life_scene(4);
  EXPECT_FALSE(ColouredRows::can_draw(scene::life_of(scene).settings.config, {}));
  EXPECT_FALSE(
      ColouredRows::can_draw(scene::life_of(scene).settings.config, {.by = explain::ColourBy::kWorker}))
      << "there is no recording";
  EXPECT_TRUE(
      ColouredRows::can_draw(scene::life_of(scene).settings.config, {.by = explain::ColourBy::kTileIndex}));
  EXPECT_EQ(all_rows(SceneImage(scene, {50, 40}, kCpu, nullptr, true).rows(), 40),
            all_rows(SceneImage(scene, {50, 40}, kCpu).rows(), 40));
}

// A scene has its colours in its file, also where they were the defaults, which have changed since.
TEST(SceneImage, KeepsTheColoursThatItsFileHas) {
  scene::Scene written = scene::default_scene();
  written.workspace = MandelbrotState::kId;
  auto json = nlohmann::json::parse(scene::bytes_of(written));
  for (const char* name : {"colouring", "cycle", "points", "interior", "palette"})
    EXPECT_TRUE(json["mandelbrot"].contains(name)) << name;
  for (const char* colouring : {"smooth", "bands"}) {
    json["mandelbrot"].update({{"colouring", colouring}, {"cycle", 24}, {"points", 1}, {"dwell_limit", 200}});
    json["mandelbrot"]["palette"] = "blue-gold";
    const scene::Scene read = scene::read_bytes(json.dump(), workspace_formats(), {});
    const MandelbrotSettings& own = scene::mandelbrot_of(read).settings;
    EXPECT_EQ(name_of(own.colouring), colouring);
    EXPECT_EQ(own.cycle, 24u);
    EXPECT_EQ(own.samples_per_axis, 1);
    if (own.colouring != Colouring::kBands) continue;
    // Each of 24 dwells has its colour of the palette's turn, whatever dwells the picture has.
    const render::Palette* const palette = render::find_palette("blue-gold");
    std::set<std::array<int, 3>> allowed = {{palette->hole.r, palette->hole.g, palette->hole.b}};
    for (int dwell = 0; dwell < 24; ++dwell) {
      const glm::u8vec3 colour =
          palette->cycle[static_cast<std::size_t>(std::lround(256 * dwell / 24.0)) % 256];
      allowed.insert({colour.r, colour.g, colour.b});
    }
    const auto rgb = all_rows(SceneImage(read, {60, 40}, kCpu).rows(), 40);
    std::set<std::array<int, 3>> shown;
    for (std::size_t i = 0; i < rgb.size(); i += 3) shown.insert({rgb[i], rgb[i + 1], rgb[i + 2]});
    EXPECT_GT(shown.size(), 10u);
    EXPECT_TRUE(std::ranges::includes(allowed, shown));
  }
}

TEST(SceneImage, ThatIsWiderThanTheScreenShowsAllOfItsPicture) {
  scene::Scene scene = scene::default_scene();
  scene.workspace = MandelbrotState::kId;
  MandelbrotState& state = scene::mandelbrot_of(scene);
  state.settings.colouring = Colouring::kBands;
  state.view = ComplexView{{-0.5, 0.25}, 2.5};
  const auto image_of = [&](double width, glm::dvec2 on_screen) {
    state.view->width = width;
    const auto renderer = scene.shown().renderer(
        {.size = {96, 32}, .backend = kCpu, .palette = scene.palette, .on_screen = on_screen});
    return all_rows(renderer->rows(), 32);
  };
  EXPECT_EQ(image_of(2.5, {640, 320}), image_of(3.75, {})) << "1.25 high, three times as wide";
  EXPECT_EQ(image_of(2.5, {640, 160}), image_of(2.5, {})) << "a higher one has its width";
  EXPECT_EQ(image_of(2.5, {960, 320}), image_of(2.5, {}));
}

// The image spans several tiles in both directions. Its dwells equal those of a single computation, except
// where rounding moves a point across the boundary of the set.
TEST(MandelbrotRows, OfTilesAreThoseOfOnePiece) {
  MandelbrotSettings settings;
  settings.colouring = Colouring::kBands;
  settings.config.method = MandelbrotMethod::kExhaustive;
  settings.config.dwell_limit = 100;
  settings.dwell_by_depth = false;
  const ComplexView view{{-0.6, 0.1}, 2.6};
  const glm::ivec2 size{1500, 1100};
  const render::Palette& palette = render::palettes().front();
  MandelbrotRows rows(settings, view, size, palette, kCpu);
  const auto rgb = all_rows(rows, size.y);

  const auto engine = make_mandelbrot_engine(kCpu);
  engine->compute(settings.config, mandelbrot_view(view, {1024, 751}, Precision::kFloat));
  std::vector<glm::u8vec3> colours;
  dwell_colours(palette, settings.dwell_colouring(), count_dwells(*engine), 100, colours);
  engine->compute(settings.config, mandelbrot_view(view, size, Precision::kFloat));
  std::vector<std::uint32_t> dwells(1500);
  int different = 0;
  for (int y = 0; y < size.y; ++y) {
    engine->read_dwells(static_cast<std::uint32_t>(y), dwells);
    for (int x = 0; x < size.x; ++x)
      different += pixel(rgb, size.x, x, y) == colours[dwells[static_cast<std::size_t>(x)]] ? 0 : 1;
  }
  EXPECT_LT(different, 1500 * 1100 / 1000);
}

TEST(MandelbrotRows, OfADeepViewAreThoseOfOnePiece) {
  MandelbrotSettings settings;
  settings.colouring = Colouring::kBands;
  settings.config.method = MandelbrotMethod::kExhaustive;
  settings.config.precision = Precision::kFloat;  // replaced, since it cannot show the view
  settings.config.dwell_limit = 300;
  settings.dwell_by_depth = false;
  const ComplexView view = typed_view({"-2", "0", "1e-40"});
  const glm::ivec2 size{1100, 300};
  const render::Palette& palette = render::palettes().front();
  MandelbrotRows rows(settings, view, size, palette, kCpu);
  const auto rgb = all_rows(rows, size.y);
  const auto engine = make_mandelbrot_engine(kCpu);
  MandelbrotConfig config = settings.config;
  config.precision = Precision::kPerturbedDouble;
  engine->compute(config, make_decimal_view(decimal_of(view), 1024, 279));
  std::vector<glm::u8vec3> colours;
  dwell_colours(palette, settings.dwell_colouring(), count_dwells(*engine), 300, colours);
  engine->compute(config, make_decimal_view(decimal_of(view), 1100, 300));
  std::vector<std::uint32_t> dwells(1100 * 300);
  engine->read_dwells(0, dwells);
  int different = 0;
  std::set<std::uint32_t> seen;
  for (int i = 0; i < 1100 * 300; ++i) {
    const std::uint32_t dwell = dwells[static_cast<std::size_t>(i)];
    seen.insert(dwell);
    different += pixel(rgb, size.x, i % size.x, i / size.x) == colours[dwell] ? 0 : 1;
  }
  EXPECT_LT(different, 1100 * 300 / 1000);
  EXPECT_GT(seen.size(), 5u);
}

class PictureFile : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  const std::filesystem::path file_ =
      std::filesystem::path(testing::TempDir()) / fmt::format("loom-picture-{}.png", getpid());
};

TEST_F(PictureFile, CarriesItsPixelsAndItsScene) {
  const scene::Scene scene = life_scene(6);
  SceneImage picture(scene, {200, 333}, kCpu);
  const std::uint64_t bytes = write_image(file_, picture.rows(), scene::bytes_of(scene));
  EXPECT_EQ(bytes, std::filesystem::file_size(file_));
  const render::RgbImage image = render::read_png(file_);
  EXPECT_EQ(image.size, (glm::ivec2{200, 333}));
  EXPECT_EQ(image.rgb, all_rows(picture.rows(), 333));
  const scene::Scene back = scene::read_file(file_, workspace_formats(), {});
  // Reading adds the default states of the workspaces that the scene lacks.
  EXPECT_EQ(scene::bytes_of(back),
            scene::bytes_of(scene::read_bytes(scene::bytes_of(scene), workspace_formats(), {})));
}

TEST_F(PictureFile, CancelledLeavesNothing) {
  const scene::Scene scene = life_scene(6);
  SceneImage picture(scene, {64, 64}, kCpu);
  ProgressMonitor watch;
  watch.cancel();
  EXPECT_THROW(write_image(file_, picture.rows(), "", &watch), OperationCancelled);
  EXPECT_FALSE(std::filesystem::exists(file_));
}

/// Blends draw lists over a grey picture.
class OverlayTest : public ImGuiTest {
 protected:
  static constexpr int kSide = 64;

  template <typename Draw>
  Overlay drawn(const Draw& draw) {
    for (int i = 0; i < 2; ++i) {
      ImGui::NewFrame();
      draw(*ImGui::GetBackgroundDrawList());
      ImGui::Render();
    }
    return {*ImGui::GetDrawData(), *ImGui::GetIO().Fonts, {{10, 20}, {kSide, kSide}}};
  }
  static std::vector<std::uint8_t> blended(const Overlay& overlay, float scale, int band) {
    const int side = static_cast<int>(std::lround(kSide * scale));
    std::vector<std::uint8_t> all;
    for (int first = 0; first < side; first += band) {
      const int count = std::min(band, side - first);
      std::vector<std::uint8_t> rgb(static_cast<std::size_t>(side * count) * 3, 100);
      overlay.blend(scale, side, first, count, rgb);
      all.insert(all.end(), rgb.begin(), rgb.end());
    }
    return all;
  }
};

TEST_F(OverlayTest, ARectangleCoversItsPixelsOnceAtEverySize) {
  const Overlay overlay = drawn([](ImDrawList& list) {
    list.AddRectFilled({20, 24}, {40, 44}, IM_COL32(200, 0, 0, 128));  // two triangles that share an edge
  });
  for (const int scale : {1, 2, 5}) {
    const auto rgb = blended(overlay, static_cast<float>(scale), 1000);
    EXPECT_EQ(rgb, blended(overlay, static_cast<float>(scale), 7)) << "the same in bands of 7 rows";
    const int side = kSide * scale;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const bool inside = x >= 10 * scale && x < 30 * scale && y >= 4 * scale && y < 24 * scale;
        const glm::u8vec3 wanted = inside ? glm::u8vec3{150, 50, 50} : glm::u8vec3{100, 100, 100};
        ASSERT_EQ(pixel(rgb, side, x, y), wanted) << x << ", " << y << " at " << scale;
      }
    }
  }
}

TEST_F(OverlayTest, ClippedAndOfTheFontAlone) {
  const Overlay overlay = drawn([](ImDrawList& list) {
    list.PushClipRect({10, 20}, {30, 40});
    list.AddRectFilled({0, 0}, {200, 200}, IM_COL32(255, 255, 255, 255));
    list.PopClipRect();
    list.AddImage(imgui_compat::texture_id(77), {40, 50}, {60, 60});
  });
  const auto rgb = blended(overlay, 1, 64);
  EXPECT_EQ(pixel(rgb, kSide, 19, 19), (glm::u8vec3{255, 255, 255}));
  EXPECT_EQ(pixel(rgb, kSide, 20, 20), (glm::u8vec3{100, 100, 100}));
  EXPECT_EQ(pixel(rgb, kSide, 35, 35), (glm::u8vec3{100, 100, 100})) << "images are left out";
}

TEST_F(OverlayTest, LettersStandInTheirPlace) {
  const Overlay overlay = drawn([](ImDrawList& list) {
    list.AddText({12, 30}, IM_COL32(255, 255, 255, 255), "HHH");
  });
  for (const int scale : {1, 4}) {
    const auto rgb = blended(overlay, static_cast<float>(scale), 64);
    const int side = kSide * scale;
    int bright = 0;
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const bool here = pixel(rgb, side, x, y).r > 200;
        EXPECT_TRUE(!here || (y >= 10 * scale && y < 28 * scale)) << y;
        bright += here ? 1 : 0;
      }
    }
    EXPECT_GT(bright, 40 * scale * scale);
  }
}

TEST_F(OverlayTest, APictureStandsInItsFrame) {
  const Overlay overlay = drawn([](ImDrawList&) {});
  const scene::Scene scene = life_scene(5);
  SceneImage picture(scene, {32, 32}, kCpu);
  FramedRows framed(picture.rows(), overlay, 1, {kSide, kSide}, {{8, 16}, {32, 32}}, IM_COL32(1, 2, 3, 255));
  const auto inner = all_rows(picture.rows(), 32);
  for (const int band : {5, 64}) {
    const auto rgb = all_rows(framed, band);
    EXPECT_EQ(pixel(rgb, kSide, 7, 16), (glm::u8vec3{1, 2, 3}));
    for (int y = 0; y < 32; ++y) {
      for (int x = 0; x < 32; ++x) ASSERT_EQ(pixel(rgb, kSide, 8 + x, 16 + y), pixel(inner, 32, x, y));
    }
  }
}

}  // namespace
}  // namespace loom::app::image
