#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "app/document/scene/scene.h"
#include "app/workspaces/life/document/life_state.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"
#include "sample_scene.h"

namespace loom::app::scene {
namespace {

using Json = nlohmann::ordered_json;

TEST(SceneBytes, EverySettingComesBackAsItWas) {
  expect_equal(read_bytes(bytes_of(unusual()), workspace_formats(), {}), unusual());
  Scene plain = default_scene();
  life_of(plain).cells = CellSource(RandomStart{3, 0.25}, {.rule = {8, 12}}, 12);
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
    life_of(scene).cells = {bits_after(life_of(scene).settings.config, 2), 2};
    expect_equal(read_bytes(bytes_of(scene), workspace_formats(), {}), scene);
  }
}

TEST(SceneBytes, CellsFollowTheJson) {
  const Scene scene = unusual();
  const std::string bytes = bytes_of(scene);
  const std::string_view text = json_part(bytes);
  EXPECT_EQ(Json::parse(text).dump(1, ' ', true) + "\n", text);
  EXPECT_EQ(bytes.substr(text.size() + 1), pack(*life_of(scene).cells.bits()));
  const std::string plain = bytes_of(default_scene());
  EXPECT_EQ(json_part(plain), plain) << "no zero byte without cells";
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
      {"its version is 5; allowed: 4", [](Json& j) { j["version"] = 5; }},
      {"its version is 3; allowed: 4", [](Json& j) { j["version"] = 3; }},
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
      {"block", [](Json& j) { j["mandelbrot"]["block_shape"] = "4294967297x8"; }},
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
