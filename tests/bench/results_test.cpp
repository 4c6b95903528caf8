#include "app/bench/results.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "contains.h"
#include "csv_rows.h"
#include "expect_cancels.h"
#include "refused_results.h"
#include "sample_dwells.h"
#include "sample_results.h"
#include "temporary_folder.h"

namespace loom::app::bench {
namespace {

using test::contains;
using test::sample_results;
using test::why_refused;

TEST(Results, GoThroughJsonUnchanged) {
  const Results results = sample_results();
  EXPECT_TRUE(parse_results(document_text(results), "x.json") == results);
  Results single = results;
  single.rows[0].set("noise", nullptr);
  EXPECT_TRUE(parse_results(document_text(single), "x.json") == single);
  Results empty = results;
  empty.rows.clear();
  EXPECT_TRUE(parse_results(document_text(empty), "x.json") == empty);
}

TEST(Results, ReadingAndWritingManyPolls) {
  Results results = sample_results();
  results.rows.resize(4096, results.rows.front());
  const std::string text = document_text(results);
  tests::expect_cancels([&](ProgressMonitor& watch) { document_text(results, &watch); }, 64);
  // The parser polls at least twice per 16 KiB of text, and 64 times for the entries.
  const auto values = static_cast<std::int64_t>(2 * text.size() / (1 << 14));
  tests::expect_cancels([&](ProgressMonitor& watch) { parse_results(text, "x.json", &watch); }, values + 64);
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "x.json";
  write_file(file, text);
  tests::expect_cancels([&](ProgressMonitor& watch) { read_results(file, &watch); }, values + 64);
}

TEST(Results, KeepEnergyOrWhyThereIsNone) {
  Results results = sample_results();
  const double cells = results.rows[0].number("cells");
  set_energy(results.rows[0], {.sensor = "NVML, GPU 0",
                               .joules = 0.5,
                               .least = 0.4,
                               .most = 0.6,
                               .seconds = 2.1,
                               .watts = 400,
                               .idle_watts = 100});
  set_energy(results.rows[1], {.problem = "no RAPL sensor"});
  const Results read = parse_results(document_text(results), "x.json");
  EXPECT_TRUE(read == results);
  EXPECT_EQ(read.rows[0].number("joules"), 0.5);
  EXPECT_EQ(read.rows[0].number("energy_seconds"), 2.1);
  EXPECT_EQ(read.rows[0].number("idle_share"), 0.25);
  EXPECT_EQ(read.rows[0].number("cells_per_joule"), cells / 0.5);
  EXPECT_EQ(read.rows[1].text("energy_problem"), "no RAPL sensor");
  EXPECT_EQ(read.rows[1]["joules"], nullptr);
  EXPECT_EQ(to_json(read.rows[2]).contains("energy"), false) << "nothing was asked";
  const std::string csv = csv_text(results);
  EXPECT_TRUE(contains(csv, ",0.5,0.4,0.6,2.1,400,100,0.25,\"NVML, GPU 0\",,")) << csv;
}

TEST(Results, KeepTilesAndReduction) {
  Results results = sample_results();
  results.rows[1].set("tiles", 27);
  results.rows[1].set("workload", "reduction");
  results.rows[1].set("reduction", "tensor");
  const auto read = parse_results(document_text(results), "x.json");
  EXPECT_EQ(read.rows[1]["tiles"], 27);
  EXPECT_EQ(read.rows[1]["reduction"], "tensor");
  EXPECT_EQ(read.rows[0]["reduction"], nullptr);
}

TEST(Results, RecordedOnesAreStillReadAndWrittenAlike) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(LOOM_RECORDED_RESULTS)) {
    const std::string text = file.path().extension() == ".json" ? tests::content_of(file.path()) : "";
    if (text.find(kResultsFormat) == std::string::npos) continue;
    ++files;
    const std::string name = file.path().filename();
    const Results results = parse_results(text, name);
    EXPECT_GT(results.rows.size(), 0u) << name;
    EXPECT_TRUE(parse_results(document_text(results), name) == results) << name;
    // Every member of the file is written again with the same value.
    const auto recorded = nlohmann::ordered_json::parse(text);
    const auto written = nlohmann::ordered_json::parse(document_text(results));
    EXPECT_EQ(written["machine"], recorded["machine"]) << name;
    EXPECT_EQ(written["settings"], recorded["settings"]) << name;
    const auto& before = recorded["configurations"];
    const auto& after = written["configurations"];
    ASSERT_EQ(after.size(), before.size()) << name;
    for (std::size_t i = 0; i < before.size(); ++i) {
      for (const auto& [key, value] : before[i].items()) {
        // Members of a member that were added later are not in the file.
        auto again = value.is_object() ? nlohmann::ordered_json::object() : after[i][key];
        if (value.is_object())
          for (const auto& [name_inside, _] : value.items()) again[name_inside] = after[i][key][name_inside];
        ASSERT_EQ(again, value) << name << ", configuration " << i << ", " << key;
      }
    }
  }
  EXPECT_GE(files, 8u);
}

TEST(Results, ATruncatedFileIsRefusedWhereverItIsCut) {
  const std::string whole = document_text(sample_results());
  for (std::size_t length = 0; length + 2 < whole.size(); length += 97) {
    EXPECT_TRUE(contains(why_refused(whole.substr(0, length)), "not valid JSON")) << length;
  }
}

TEST(Results, AForeignFileIsRefused) {
  for (const char* text : {"{}", "[]", "3", "{\"format\": 1}", "{\"format\": \"something else\"}"}) {
    EXPECT_TRUE(contains(why_refused(text), "not a results file")) << text;
  }
}

TEST(Results, AnotherVersionIsRefusedByBothNames) {
  std::string text = document_text(sample_results());
  text.replace(text.find("bench 1"), 7, "bench 2");
  EXPECT_TRUE(contains(why_refused(text), "another version")) << why_refused(text);
  EXPECT_TRUE(contains(why_refused(text), "fractal-loom bench 2")) << why_refused(text);
  EXPECT_TRUE(contains(why_refused(text), "fractal-loom bench 1")) << why_refused(text);
}

TEST(Results, AWrongValueIsNamed) {
  auto json = nlohmann::ordered_json::parse(document_text(sample_results()));
  auto broken = json;
  broken["configurations"][1]["step_ms"].erase("median");
  EXPECT_TRUE(contains(why_refused(broken.dump()), "configurations[1].step_ms.median is missing"))
      << why_refused(broken.dump());
  broken = json;
  broken["configurations"][0]["level"] = -1;
  EXPECT_TRUE(contains(why_refused(broken.dump()), "configurations[0].level")) << why_refused(broken.dump());
  broken = json;
  broken["configurations"][0]["step_ms"]["median"] = "fast";
  EXPECT_TRUE(contains(why_refused(broken.dump()), "configurations[0].step_ms.median"))
      << why_refused(broken.dump());
  broken = json;
  broken["configurations"] = 3;
  EXPECT_TRUE(contains(why_refused(broken.dump()), "configurations is not a list"))
      << why_refused(broken.dump());
}

TEST(Results, CsvHasARowAnEntryWithAsManyFields) {
  const Results results = sample_results();
  const std::string text = csv_text(results);
  EXPECT_EQ(test::csv_rows(text), results.rows.size() + 1);
  EXPECT_TRUE(contains(text, "\"level 40, \"\"too large\"\", with a comma\""));
}

class ResultsFileTest : public tests::FolderTest {};

TEST_F(ResultsFileTest, IsWholeFromTheStartAndCompleteAtTheEnd) {
  const Results whole = sample_results();
  Results results = whole;
  results.rows.clear();
  results.complete = false;
  const auto path = folder_ / "a.json";
  const auto csv = folder_ / "a.csv";
  ResultsFile file(results, path, csv);
  EXPECT_TRUE(read_results(path).rows.empty());
  for (const Row& entry : whole.rows) {
    results.rows.push_back(entry);
    file.update(results);
  }
  EXPECT_FALSE(read_results(path).complete);
  results.complete = true;
  file.finish(results);
  EXPECT_TRUE(read_results(path) == whole);
  EXPECT_EQ(tests::content_of(csv), csv_text(whole));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2) << "a partial file was left";
}

TEST_F(ResultsFileTest, HoldsEntriesOfEitherKind) {
  const Results whole = test::sample_dwells();
  Results results = whole;
  results.rows.clear();
  const auto path = folder_ / "a.json";
  ResultsFile file(results, path, std::nullopt);
  for (const Row& entry : whole.rows) results.rows.push_back(entry);
  file.finish(results);
  EXPECT_TRUE(read_results(path) == whole);
}

TEST_F(ResultsFileTest, AFileThatIsThereIsReplacedOnlyOnRequest) {
  const auto path = folder_ / "a.json";
  EXPECT_NO_THROW(check_may_replace(path, false));
  std::ofstream(path) << "mine";
  EXPECT_THROW(check_may_replace(path, false), InputError);
  EXPECT_NO_THROW(check_may_replace(path, true));
  EXPECT_THROW(check_may_replace(folder_, true), InputError);
  EXPECT_EQ(tests::content_of(path), "mine");
}

TEST_F(ResultsFileTest, AFolderThatIsNotThereIsAnInputError) {
  EXPECT_THROW(write_file(folder_ / "none" / "a.json", "x"), InputError);
  EXPECT_THROW(read_results(folder_ / "none.json"), InputError);
}

}  // namespace
}  // namespace loom::app::bench
