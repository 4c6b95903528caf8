#include <gtest/gtest.h>

#include "app/bench/entry_json.h"
#include "app/bench/results_csv.h"
#include "app/bench/results_json.h"
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
  results.dwells()[1].config.optimisations.tiles = true;
  results.dwells()[1].view.window = {-0.75, -0.7, 0.1, 0.15};
  results.dwells()[2].measured->milliseconds.noise.reset();
  results.dwells()[2].measured->report.axis_pixels = 1024;
  results.dwells()[2].measured->report.mirrored_pixels = 1024 * 511;
  EXPECT_TRUE(parse_results(document_text(results), "x.json") == results);
}

TEST(MandelbrotResults, DeepViewsGoThroughJsonUnchanged) {
  const Results results = test::sample_depths();
  const Results read = parse_results(document_text(results), "x.json");
  EXPECT_TRUE(read == results);
  EXPECT_EQ(read.dwells().back().view.decimal->width, "1e-30");
  EXPECT_EQ(read.dwells().back().measured->report.perturbation->orbit_milliseconds, 0.5);
  auto broken = nlohmann::ordered_json::parse(document_text(results));
  broken["configurations"][0]["view_width"] = "deep";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "width: 'deep'")) << why_refused(broken.dump());
  broken = nlohmann::ordered_json::parse(document_text(results));
  broken["configurations"][2]["precision"] = "perturbed-float";
  broken["configurations"][2]["view_width"] = "1e-300";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "1e-31")) << why_refused(broken.dump());
}

TEST(MandelbrotResults, ADocumentWithoutAKindIsOfMaps) {
  auto json = nlohmann::ordered_json::parse(document_text(test::sample_results()));
  json.erase("sweep");
  EXPECT_TRUE(parse_results(json.dump(), "x.json") == test::sample_results());
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

TEST(MandelbrotResults, FiguresAreOfRealCounts) {
  const MandelbrotEntry entry = test::dwell_entry({}, 64, 1);
  const nlohmann::ordered_json json = entry_json(entry);
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
  EXPECT_EQ(text.rfind("width,height,method,", 0), 0u);
  EXPECT_EQ(test::csv_rows(text), results.dwells().size() + 1);
}

TEST(MandelbrotResults, CsvHasEveryColumnOfTheJson) {
  Results results = sample_dwells();
  const Results depths = test::sample_depths();
  for (const MandelbrotEntry& entry : depths.dwells()) results.add(entry);
  const std::string text = csv_text(results);
  EXPECT_EQ(test::csv_rows(text), results.size() + 1);
  const std::string header = "," + text.substr(0, text.find("\r\n")) + ",";
  const auto has = [&](const std::string& column) {
    return header.find("," + column + ",") != std::string::npos;
  };
  const auto other = [](const std::string& key) { return key == "bytes" ? "bytes_held" : key; };
  for (const MandelbrotEntry& entry : results.dwells()) {
    const nlohmann::ordered_json json = entry_json(entry);
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
