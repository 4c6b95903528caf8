#include <gtest/gtest.h>

#include "app/bench/results.h"
#include "compute/backend/engine_factory.h"
#include "contains.h"
#include "csv_rows.h"
#include "refused_results.h"
#include "sample_dwells.h"
#include "sample_results.h"

namespace loom::app::bench {
namespace {

using test::contains;
using test::sample_dwells;
using test::why_refused;

TEST(MandelbrotResults, GoThroughJsonUnchanged) {
  Results results = sample_dwells();
  MandelbrotConfig tiles;
  tiles.optimisations = kNoOptimisations;
  tiles.optimisations.tiles = true;
  results.rows[1] = test::dwell_row(tiles, {{-0.75, -0.7, 0.1, 0.15}, 1024, 1024}, 4);
  results.rows[2].set("noise", nullptr);
  results.rows[2].set("axis_pixels", 1024);
  results.rows[2].set("mirrored_pixels", 1024 * 511);
  EXPECT_TRUE(parse_results(document_text(results), "x.json") == results);
}

TEST(MandelbrotResults, DeepViewsGoThroughJsonUnchanged) {
  const Results results = test::sample_depths();
  const Results read = parse_results(document_text(results), "x.json");
  EXPECT_TRUE(read == results);
  EXPECT_EQ(read.rows.back()["view_width"], "1e-30");
  EXPECT_EQ(read.rows.back()["reference_orbit_ms"], 0.5);
  auto broken = nlohmann::ordered_json::parse(document_text(results));
  broken["configurations"][0]["view_width"] = "deep";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "width: 'deep'")) << why_refused(broken.dump());
  broken = nlohmann::ordered_json::parse(document_text(results));
  broken["configurations"][2]["precision"] = "perturbed-float";
  broken["configurations"][2]["view_width"] = "1e-300";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "1e-31")) << why_refused(broken.dump());
}

TEST(MandelbrotResults, AWrongValueIsNamed) {
  const auto json = nlohmann::ordered_json::parse(document_text(sample_dwells()));
  auto broken = json;
  broken["configurations"][1]["image_ms"].erase("median");
  EXPECT_TRUE(contains(why_refused(broken.dump()), "configurations[1].image_ms.median is missing"))
      << why_refused(broken.dump());
  broken = json;
  broken["configurations"][0]["method"] = "guess";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "guess")) << why_refused(broken.dump());
  broken = json;
  broken["configurations"][0]["block_shape"] = "16x";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "block shape '16x'")) << why_refused(broken.dump());
  broken = json;
  broken["configurations"][0]["r"] = 1;
  EXPECT_TRUE(contains(why_refused(broken.dump()), "r: '1' is not allowed")) << why_refused(broken.dump());
  broken = json;
  broken["sweep"] = "fish";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "maps, mandelbrot")) << why_refused(broken.dump());
}

// Pixel by pixel from the list of regions: which orbits are computed, how often, and which pixels are not.
TEST(MandelbrotResults, PixelsAreComputedFilledOrMirrored) {
  const MandelbrotView view{.window = {}, .width = 256, .height = 256};
  for (const bool mirror : {false, true}) {
    MandelbrotConfig config{.g = 4, .r = 2, .b = 8, .dwell_limit = 200, .optimisations = kNoOptimisations};
    config.optimisations.mirror = mirror;
    const auto engine = make_mandelbrot_engine(select_backend(BackendChoice::kCpu));
    const MandelbrotReport report = engine->compute(config, view, MandelbrotEngine::Regions::kList);
    std::vector<std::uint64_t> orbits(view.pixels());
    for (const MandelbrotRegion& region : engine->regions()) {
      for (std::uint32_t v = 0; v < region.height; ++v) {
        for (std::uint32_t u = 0; u < region.width; ++u) {
          const bool border = u == 0 || v == 0 || u + 1 == region.width || v + 1 == region.height;
          if (border || region.kind == RegionKind::kLeaf)
            ++orbits[std::size_t{region.y + v} * view.width + region.x + u];
        }
      }
    }
    for (std::size_t x = 0; mirror && x < view.width; ++x) ++orbits[view.height / 2 * view.width + x];
    std::uint64_t computed = 0;
    std::uint64_t again = 0;
    std::uint64_t none = 0;
    for (const std::uint64_t count : orbits) {
      computed += count;
      again += count > 1 ? count - 1 : 0;
      none += count == 0 ? 1 : 0;
    }
    EXPECT_GT(again, 0u);
    EXPECT_EQ(report.mirrored_pixels > 0, mirror);
    EXPECT_EQ(report.computed_pixels(), computed);
    EXPECT_EQ(recomputed_pixels(report), again);
    EXPECT_EQ(filled_pixels(report) + report.mirrored_pixels, none);
  }
}

TEST(MandelbrotResults, FiguresAreOfRealCounts) {
  const Row entry = test::dwell_row({}, 64, 1);
  const nlohmann::ordered_json json = to_json(entry);
  EXPECT_EQ(json["computed_pixels"], 2048);  // 64 on borders, 1984 in leaves
  EXPECT_EQ(json["filled_pixels"], 2048);
  EXPECT_EQ(json["work_reduction"], 2.0);
  EXPECT_EQ(json["split_fraction"], 0.5);
  EXPECT_EQ(json["levels"][0]["ms"], 0.5);
  EXPECT_FALSE(split_fraction(MandelbrotReport{})) << "exhaustive has no regions";
}

TEST(MandelbrotResults, CsvHasARowAnEntryWithAsManyFields) {
  const Results results = sample_dwells();
  const std::string text = csv_text(results);
  EXPECT_EQ(text.rfind("width,height,formula,power,julia_point,formula_code,method,", 0), 0u);
  EXPECT_EQ(test::csv_rows(text), results.rows.size() + 1);
}

TEST(MandelbrotResults, CsvHasEveryColumnOfTheJson) {
  Results results = sample_dwells();
  const Results depths = test::sample_depths();
  for (const Row& entry : depths.rows) results.rows.push_back(entry);
  const std::string text = csv_text(results);
  EXPECT_EQ(test::csv_rows(text), results.rows.size() + 1);
  const std::string header = "," + text.substr(0, text.find("\r\n")) + ",";
  const auto has = [&](const std::string& column) {
    return header.find("," + column + ",") != std::string::npos;
  };
  const auto other = [](const std::string& key) { return key == "bytes" ? "bytes_held" : key; };
  for (const Row& entry : results.rows) {
    const nlohmann::ordered_json json = to_json(entry);
    for (const auto& [key, value] : json.items()) {
      if (key == "levels") {
        for (const auto& level : value) {
          for (const auto& [name, ignored] : level.items()) EXPECT_TRUE(has("level_" + name)) << name;
        }
      } else if (value.is_object()) {
        for (const auto& [name, ignored] : value.items())
          EXPECT_TRUE(has(name) || has(name + "_ms") || has(key + "_" + name)) << key << "." << name;
      } else {
        EXPECT_TRUE(has(other(key))) << key;
      }
    }
  }
}

}  // namespace
}  // namespace loom::app::bench
