#include "app/document/scene/scene_bytes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/document/scene/base64.h"
#include "app/document/scene/scene_file.h"
#include "app/workspaces/life/document/packed_bits.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"
#include "sample_scene.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

TEST(SceneBytes, EverySettingComesBackAsItWas) {
  expect_equal(read_bytes(bytes_of(unusual()), workspace_formats(), {}), unusual());
  Scene plain = default_scene();
  life_of(plain).cells = {.generation = 12, .start = {3, 0.25}, .work = {.rule = {8, 12}}};
  expect_equal(read_bytes(bytes_of(plain), workspace_formats(), {}), plain);
}

/// The bytes of a scene after a change of its JSON.
std::string changed(const Scene& scene, const std::function<void(Json&)>& change) {
  const std::string bytes = bytes_of(scene);
  const std::string_view text = json_part(bytes);
  Json json = Json::parse(text);
  change(json);
  return json.dump() + bytes.substr(text.size());
}

// Kept scenes are scenes too.
TEST(SceneBytes, NoSceneMakesItsCodeTheUsers) {
  Scene scene = default_scene();
  life_of(scene).settings.map_code = std::make_shared<const MapCode>(MapCode{"int x;", "rows", ""});
  const std::string bytes = changed(scene, [](Json& json) {
    json["life"]["custom_map"]["trusted"] = true;
    json["life"]["custom_map"]["origin"] = "";
  });
  for (const std::string& one : {bytes_of(scene), bytes}) {
    const auto code = life_of(read_bytes(one, workspace_formats(), {})).settings.map_code;
    EXPECT_EQ(code->text, "int x;");
    EXPECT_EQ(code->exercise, "rows");
    EXPECT_EQ(code->origin, "the scene");
  }
}

// As a scene of a version that lacked the workspace.
TEST(SceneBytes, AMissingWorkspaceThatIsNotShownHasItsDefaults) {
  const Scene scene =
      read_bytes(changed(unusual(), [](Json& json) { json.erase("life"); }), workspace_formats(), {});
  EXPECT_EQ(scene.workspace, "mandelbrot");
  EXPECT_EQ(changed_setting(life_of(scene).settings, default_life_settings()), "");
  EXPECT_EQ(mandelbrot_of(scene).settings, mandelbrot_of(unusual()).settings);
}

TEST(SceneBytes, EveryFractalOfTheCatalogueComesBack) {
  for (const NbbFractal& fractal : catalog()) {
    Scene scene = default_scene();
    set_fractal(life_of(scene).settings.config, fractal);
    life_of(scene).cells = {.generation = 2, .bits = bits_after(life_of(scene).settings.config, 2)};
    expect_equal(read_bytes(bytes_of(scene), workspace_formats(), {}), scene);
  }
}

/// The first version of the program wrote this file; it must stay readable.
TEST(SceneBytes, TheFirstVersionStaysReadable) {
  const Scene scene =
      read_file(std::filesystem::path(LOOM_TEST_DATA) / "version-1.loom", workspace_formats(), {});
  EXPECT_EQ(life_of(scene).settings.config.fractal, find_fractal("vicsek"));
  EXPECT_EQ(life_of(scene).settings.config.level, 3);
  EXPECT_EQ(life_of(scene).settings.config.method.map, MapKind::kCompact);
  EXPECT_EQ(to_string(life_of(scene).settings.rule), "B3/S23");
  EXPECT_EQ(life_of(scene).cells.generation, 20u);
  EXPECT_EQ(mandelbrot_of(scene).settings.palette, scene.palette)
      << "the first version had one palette for all workspaces";
  EXPECT_EQ(mandelbrot_of(scene).settings.cycle, 0u) << "the first version had no palette cycles";
  ASSERT_TRUE(life_of(scene).cells.bits);
  // The hash that `life --fractal vicsek --level 3 --rule B3/S23 --seed 5 --steps 20` printed in the version
  // before scenes.
  const Census census = census_of(*life_of(scene).cells.bits);
  EXPECT_EQ(fmt::format("{:016x}", census.hash), "19c02e181729367b");
}

/// The second version of the program wrote this file. Each member is compared with its original value, so
/// that a later reader cannot confuse two members.
TEST(SceneBytes, TheSecondVersionStaysReadable) {
  const Scene scene =
      read_file(std::filesystem::path(LOOM_TEST_DATA) / "version-2.loom", workspace_formats(), {});
  EXPECT_EQ(scene.workspace, "mandelbrot");
  EXPECT_EQ(scene.palette, "magma");
  ASSERT_TRUE(scene.custom_palettes);
  ASSERT_EQ(scene.custom_palettes->size(), 2u);
  const render::PaletteSpec& first = (*scene.custom_palettes)[0].recipe;
  EXPECT_EQ(first.name, "my \"own\" λ");
  const std::vector<render::PaletteStop> stops = {{0.1, {1, 2, 3}}, {1.0 / 3, {255, 0, 128}}, {1, {9, 8, 7}}};
  EXPECT_EQ(first.stops, stops);
  EXPECT_TRUE(first.cyclic);
  EXPECT_TRUE(first.reversed);
  EXPECT_EQ(first.offset, 0.1);
  EXPECT_EQ(first.hole, (glm::u8vec3{10, 20, 30}));
  EXPECT_EQ(first.outside, (glm::u8vec3{40, 50, 60}));
  const render::PaletteSpec& second = (*scene.custom_palettes)[1].recipe;
  EXPECT_EQ(second.name, "second");
  EXPECT_FALSE(second.cyclic);
  EXPECT_FALSE(second.reversed);
  EXPECT_EQ(second.offset, 0);

  const LifeSettings& life = life_of(scene).settings;
  EXPECT_EQ(life.config.fractal, NbbFractal("my own, \"two\" words", 3, 2, {{0, 0}, {2, 0}, {1, 1}, {2, 1}}));
  EXPECT_EQ(life.config.level, 4);
  EXPECT_EQ(life.config.tile_size, 9u);
  MapMethod method{.map = MapKind::kBoundingBox,
                   .arithmetic = MapArithmetic::kTable,
                   .intra_block = IntraBlock::kLookup,
                   .tiles = 1,
                   .halo = false};
  EXPECT_EQ(life.config.method, method);
  ASSERT_EQ(life.secondary_panes.size(), 3u);
  method.map = MapKind::kLambda;
  EXPECT_EQ(
      life.secondary_panes[0],
      (PaneSpec{
          .shows = PaneContent::kCells, .method = method, .tile_size = 9, .backend = BackendChoice::kCpu}));
  method.map = MapKind::kCompact;
  EXPECT_EQ(life.secondary_panes[1],
            (PaneSpec{.shows = PaneContent::kCells, .method = method, .tile_size = 9}));
  EXPECT_EQ(life.secondary_panes[2].shows, PaneContent::kMemoryAccess);
  EXPECT_EQ(life.workload, Workload::kReduction);
  EXPECT_EQ(life.reduction, ReductionMethod::kTensor);
  EXPECT_EQ(to_string(life.rule), "B3/S08");
  EXPECT_EQ(life.start.seed, 0xfedcba9876543210u);
  EXPECT_EQ(life.start.density, 0.1);
  EXPECT_EQ(life.generations_per_frame, 17u);
  EXPECT_EQ(life.ms_per_generation, 2000u);
  EXPECT_FALSE(life.playing);
  EXPECT_FALSE(life.cell_grid);
  EXPECT_FALSE(life.tile_grid);
  EXPECT_TRUE(life.edit_cells);
  EXPECT_TRUE(life.show_thread);
  EXPECT_TRUE(life.square_points);
  EXPECT_FALSE(life.show_ages) << "the second version did not save it";
  EXPECT_EQ(life.neighbour, 7);
  EXPECT_EQ(life.colouring.by, explain::ColourBy::kReplica);
  EXPECT_EQ(life.colouring.level, 3);
  EXPECT_EQ(life.pinned, (Coord64{80, 15}));
  EXPECT_EQ(life_of(scene).view, (render::Camera::View{{17, 3}, {0.1, -12.25}, {1.0 / 3, 1e-3}, {640, 480}}));
  EXPECT_EQ(life_of(scene).cells.generation, 1234567890123u);
  ASSERT_TRUE(life_of(scene).cells.bits);
  const Census census = census_of(*life_of(scene).cells.bits);
  EXPECT_EQ(census.population, 71u);
  EXPECT_EQ(fmt::format("{:016x}", census.hash), "ecf4b305b76969ff");

  const MandelbrotSettings& own = mandelbrot_of(scene).settings;
  EXPECT_EQ(mandelbrot_of(scene).view, (ComplexView{{-0.7436438870371587, 0.13182590420531197}, 3e-13}));
  EXPECT_EQ(own.config.method, MandelbrotMethod::kDp);
  EXPECT_EQ(own.config.scheme, RegionScheme::kMbr);
  EXPECT_EQ(own.config.g, 8u);
  EXPECT_EQ(own.config.r, 3u);
  EXPECT_EQ(own.config.b, 5u);
  EXPECT_EQ(own.config.dwell_limit, 65535u);
  EXPECT_EQ(own.config.block.x, 64u);
  EXPECT_EQ(own.config.block.y, 8u);
  EXPECT_EQ(own.config.precision, Precision::kDouble);
  EXPECT_EQ(own.palette, "my \"own\" λ");
  EXPECT_EQ(own.cycle, 65535u);
  EXPECT_EQ(own.samples_per_axis, 4u);
  EXPECT_EQ(own.colouring, Colouring::kHistogram);
  EXPECT_EQ(own.interior, InteriorColour::kWhite);
  EXPECT_EQ(own.overlay, RegionOverlay::kDivergence);
  EXPECT_EQ(own.automatic, false);
  EXPECT_TRUE(own.measure);
  EXPECT_FALSE(own.orbit);
  EXPECT_FALSE(own.julia);
  EXPECT_TRUE(own.show_model);
  EXPECT_TRUE(own.show_timeline);

  ASSERT_EQ(scene.bookmarks.size(), 2u);
  EXPECT_EQ(scene.bookmarks[0].name, "a valley λ");
  EXPECT_EQ(scene.bookmarks[0].workspace, "mandelbrot");
  EXPECT_EQ(scene.bookmarks[0].place, to_json(MandelbrotPlace{{{-0.75, 0.1}, 0.001}, 2048}));
  const std::string& small = scene.bookmarks[0].thumbnail.rgb;
  ASSERT_EQ(small.size(), Thumbnail::kBytes);
  for (std::size_t i = 0; i < small.size() / 3; ++i) {
    const auto pixel = std::string{static_cast<char>(i % 80), static_cast<char>(i / 80), '\xc8'};
    ASSERT_EQ(small.substr(3 * i, 3), pixel) << i;
  }
  EXPECT_EQ(scene.bookmarks[1].name, "cells");
  EXPECT_EQ(scene.bookmarks[1].workspace, "life");
  EXPECT_EQ(scene.bookmarks[1].place,
            to_json(LifePlace{find_fractal("vicsek"), 5,
                              render::Camera::View{{100, 7}, {0.25, -3}, {0.5, 2}, {400, 300}}}));
  EXPECT_EQ(scene.bookmarks[1].thumbnail.rgb, "");
}

TEST(SceneBytes, CellsFollowTheJson) {
  const Scene scene = unusual();
  const std::string bytes = bytes_of(scene);
  const std::string_view text = json_part(bytes);
  EXPECT_EQ(Json::parse(text).dump(1, ' ', true) + "\n", text);
  EXPECT_EQ(bytes.substr(text.size() + 1), pack(*life_of(scene).cells.bits));
  const std::string plain = bytes_of(default_scene());
  EXPECT_EQ(json_part(plain), plain) << "no zero byte without cells";
}

TEST(SceneBytes, CellsOfEarlierVersionsAreInTheJson) {
  const Scene scene = unusual();
  const std::string packed = pack(*life_of(scene).cells.bits);
  const auto with = [&](const Json& bits) {
    Json json = Json::parse(json_part(bytes_of(scene)));
    json["version"] = 3;
    json["life"]["cells"]["bits"] = bits;
    return json.dump();
  };
  expect_equal(read_bytes(with({to_base64(packed)}), workspace_formats(), {}), scene);
  const auto problem = [&](const Json& bits) {
    try {
      read_bytes(with(bits), workspace_formats(), {});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(problem({"####"}).find("not base64"), std::string::npos);
  EXPECT_NE(problem({7}).find("not base64"), std::string::npos);
  EXPECT_NE(problem({"AAAA"}).find("cannot be unpacked"), std::string::npos);
  EXPECT_NE(problem(Json::array()).find("0 parts of cells"), std::string::npos);
  EXPECT_NE(problem({to_base64(packed), to_base64(packed)}).find("2 parts of cells"), std::string::npos);
}

/// The error of reading bytes; empty if they are valid.
std::string problem_of(const std::string& bytes, const CapacityCheck& check = {}) {
  try {
    read_bytes(bytes, workspace_formats(), check);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// The error of reading a scene after a change of its JSON.
std::string problem_after(const std::function<void(Json&)>& change) {
  return problem_of(changed(unusual(), change));
}

TEST(SceneBytes, WhatIsWrongIsSaid) {
  EXPECT_EQ(problem_of(bytes_of(unusual())), "");
  EXPECT_NE(problem_of("").find("not valid JSON"), std::string::npos);
  EXPECT_NE(problem_of("{}").find("not a scene"), std::string::npos);
  EXPECT_NE(problem_of("[1, 2]").find("not a scene"), std::string::npos);
  EXPECT_NE(problem_of(R"({"format": 7})").find("not a scene"), std::string::npos);
  EXPECT_NE(problem_of(std::string(100000, '[')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(problem_of(R"({"format": 1e999})").find("out of range"), std::string::npos);
  struct Wrong {
    const char* word;
    std::function<void(Json&)> change;
  };
  const std::vector<Wrong> all = {
      {"newer version", [](Json& j) { j["version"] = kVersion + 1; }},
      {"version is 0", [](Json& j) { j["version"] = 0; }},
      {"scene.version", [](Json& j) { j["version"] = "1"; }},
      {"scene.mandelbrot is missing", [](Json& j) { j.erase("mandelbrot"); }},
      {"unknown workspace", [](Json& j) { j["workspace"] = "chess"; }},
      {"level", [](Json& j) { j["life"]["level"] = 2147483647; }},
      {"scene.life.level", [](Json& j) { j["life"]["level"] = -1; }},
      {"tile size", [](Json& j) { j["life"]["block"] = 7; }},
      {"offset",
       [](Json& j) {
         j["life"]["fractal"]["offsets"][0] = {9, 0};
       }},
      {"offset(s)",
       [](Json& j) {
         j["life"]["fractal"]["offsets"] = Json::array({Json::array({0, 0})});
       }},
      {"name", [](Json& j) { j["life"]["fractal"]["name"] = ""; }},
      {"name", [](Json& j) { j["life"]["fractal"]["name"] = "two\nlines"; }},
      {"arithmetic", [](Json& j) { j["life"]["method"]["arithmetic"] = "abacus"; }},
      {"panes",
       [](Json& j) {
         for (int i = 0; i < 9; ++i) j["life"]["panes"].push_back(j["life"]["panes"][0]);
       }},
      {"rule", [](Json& j) { j["life"]["rule"] = "B9/S"; }},
      {"density", [](Json& j) { j["life"]["density"] = 1.5; }},
      {"generations_per_frame", [](Json& j) { j["life"]["generations_per_frame"] = 0; }},
      {"ms_per_generation", [](Json& j) { j["life"]["ms_per_generation"] = 2001; }},
      {"neighbour", [](Json& j) { j["life"]["neighbour"] = 8; }},
      {"pinned",
       [](Json& j) {
         j["life"]["pinned"] = {81, 0};
       }},
      {"view", [](Json& j) { j["life"]["view"]["x"]["pixels"] = 0; }},
      {"are not the", [](Json& j) { j["life"]["cells"]["count"] = 255; }},
      {"are not the", [](Json& j) { j["life"]["level"] = 5; }},
      {"damaged", [](Json& j) { j["life"]["cells"]["hash"] = "0000000000000000"; }},
      {"damaged", [](Json& j) { j["life"]["cells"]["population"] = 1; }},
      {"cells times generations",
       [](Json& j) {
         j["life"]["cells"] = Json::parse(bytes_of(default_scene()))["life"]["cells"];
         j["life"]["cells"]["generation"] = std::uint64_t{1} << 63;
       }},
      {"palettes; allowed: up to 64", [](Json& j) { j["own_palettes"] = Json(100, j["own_palettes"][0]); }},
      {"too many members",
       [](Json& j) {
         for (int i = 0; i < 1000; ++i) j["life"][std::to_string(i)] = i;
       }},
      {"unknown cells", [](Json& j) { j["life"]["cells"]["from"] = "memory"; }},
      {"method", [](Json& j) { j["mandelbrot"]["method"] = "guess"; }},
      {"g", [](Json& j) { j["mandelbrot"]["g"] = 0; }},
      {"block",
       [](Json& j) {
         j["mandelbrot"]["block"] = {4294967297u, 8};
       }},
      {"width", [](Json& j) { j["mandelbrot"]["view"]["width"] = 0; }},
  };
  for (const Wrong& wrong : all) {
    const std::string problem = problem_after(wrong.change);
    EXPECT_NE(problem, "") << wrong.word;
    EXPECT_NE(problem.find(wrong.word), std::string::npos) << problem;
  }
}

TEST(SceneBytes, BytesCutAnywhereAreRefused) {
  const std::string bytes = bytes_of(unusual());
  for (std::size_t size = 0; size + 2 < bytes.size(); size += 7)
    EXPECT_NE(problem_of(bytes.substr(0, size)), "") << size;
  EXPECT_NE(problem_of(bytes.substr(0, bytes.size() - 1)), "");
  EXPECT_NE(problem_of(bytes + '\0').find("cannot be unpacked"), std::string::npos);
}

TEST(SceneBytes, NoChangedByteOfTheCellsPasses) {
  const std::string good = bytes_of(unusual());
  for (std::size_t at = json_part(good).size() + 1; at < good.size(); ++at) {
    for (const int change : {1, 0x80}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ change);
      EXPECT_NE(problem_of(bad), "") << at;
    }
  }
}

// A parser that scans all previous elements for each element would take minutes here.
TEST(SceneBytes, ManyValuesAreRefusedOrReadAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  Json json = Json::parse(bytes_of(default_scene()));
  json["places"] = Json(100'000, Json::object());
  EXPECT_NE(problem_of(json.dump()).find("more than 200"), std::string::npos);
  json["places"] = Json(2'000'000, 0);
  EXPECT_NE(problem_of(json.dump()).find("allowed: up to 1048576"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ProgressMonitor watch;
  watch.cancel();
  EXPECT_THROW(read_bytes(json.dump(), workspace_formats(), {}, &watch), OperationCancelled);
}

TEST(SceneBytes, RoomIsAskedForBeforeAnyCellIsUnpacked) {
  Json json = Json::parse(bytes_of(default_scene()));
  json["life"]["level"] = 30;  // 2e14 cells
  json["life"]["block"] = 16;
  json["life"]["cells"] = {{"generation", 0},
                           {"from", "bits"},
                           {"count", 205891132094649u},
                           {"population", 0},
                           {"hash", "0000000000000000"},
                           {"bits", Json::array({"AAAA"})}};
  EXPECT_THROW(read_bytes(json.dump(), workspace_formats(), capacity_check_for({{}, "test"})), CapacityError);
}

}  // namespace
}  // namespace loom::app::scene
