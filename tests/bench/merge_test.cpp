#include "app/bench/merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "app/bench/results.h"
#include "app/plot/figure.h"
#include "compute/core/error.h"
#include "sample_dwells.h"
#include "sample_results.h"

namespace loom::app::bench {
namespace {

bool says(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The part of the results that these shards would have measured.
Results shards_of(const Results& whole, std::uint32_t of, std::vector<std::uint32_t> have) {
  Results part = whole;
  part.rows.clear();
  part.shards = Shards{of, std::move(have), whole.rows.size()};
  const auto numbers = assign_shards(of, whole.rows.size());
  for (std::size_t i = 0; i < whole.rows.size(); ++i) {
    if (std::ranges::find(part.shards->have, numbers[i]) == part.shards->have.end()) continue;
    part.rows.push_back(whole.rows[i]);
    part.rows.back().set("shard", numbers[i]);
  }
  part.planned = part.rows.size();
  return part;
}

Results shard_of(const Results& whole, std::uint32_t number, std::uint32_t of) {
  return shards_of(whole, of, {number});
}

std::string refused_merge(const std::vector<NamedResults>& parts) {
  try {
    merge(parts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Merge, OfAllShardsIsTheWholeSweepInItsOrder) {
  for (const Results& whole : {test::sample_results(), test::sample_dwells()}) {
    for (const std::uint32_t of : {1u, 2u, 3u, 9u}) {
      std::vector<NamedResults> parts;
      for (std::uint32_t number = of; number > 0; --number)
        parts.push_back({std::to_string(number), shard_of(whole, number, of)});
      Results merged = merge(parts);
      EXPECT_EQ(gaps_text(merged), "");
      EXPECT_TRUE(merged.complete);
      ASSERT_TRUE(merged.shards && merged.shards->whole());
      // Apart from the shard numbers, the merged results are those that one machine would have written.
      merged.shards.reset();
      for (Row& row : merged.rows) row.set("shard", nullptr);
      EXPECT_EQ(document_text(merged), document_text(whole)) << of;
    }
  }
}

TEST(Merge, GoesThroughFilesAndMergesOn) {
  const Results whole = test::sample_results();
  const Results first = shard_of(whole, 1, 4);
  EXPECT_TRUE(parse_results(document_text(first), "x") == first);
  EXPECT_TRUE(says(document_text(first), "\"shards\": {\n    \"of\": 4,"));
  const Results half = merge({{"a", first}, {"b", shard_of(whole, 3, 4)}});
  EXPECT_TRUE(half == shards_of(whole, 4, {1, 3}));
  const Results read = parse_results(document_text(half), "half");
  EXPECT_TRUE(read == half);
  const Results other = merge({{"c", shard_of(whole, 4, 4)}, {"d", shard_of(whole, 2, 4)}});
  EXPECT_TRUE(merge({{"x", other}, {"y", read}}) == shards_of(whole, 4, {1, 2, 3, 4}));
}

TEST(Merge, SaysWhatIsMissing) {
  const Results whole = test::sample_results();
  Results first = shard_of(whole, 1, 3);
  EXPECT_EQ(gaps_text(merge({{"a", first}, {"b", shard_of(whole, 3, 3)}})), "2 of 3 shards; missing: 2/3");
  // An interrupted shard leaves gaps; the entries after them keep their positions.
  const std::size_t share = first.rows.size();
  first.rows.erase(first.rows.begin() + 2, first.rows.end());
  first.complete = false;
  first.interrupted = true;
  const Results merged = merge({{"a", first}, {"b", shard_of(whole, 2, 3)}, {"c", shard_of(whole, 3, 3)}});
  EXPECT_EQ(gaps_text(merged), "shard 1/3 has 2 of " + std::to_string(share) + " configurations");
  EXPECT_FALSE(merged.complete);
  EXPECT_TRUE(merged.interrupted);
  EXPECT_EQ(merged.rows.size(), whole.rows.size() - share + 2);
  EXPECT_TRUE(parse_results(document_text(merged), "x") == merged);
  // The complete shard can be merged later, in any order.
  const Results rest = shard_of(whole, 1, 3);
  const Results complete = merge({{"m", merged}, {"a", rest}});
  EXPECT_TRUE(complete == merge({{"a", rest}, {"m", merged}}));
  EXPECT_TRUE(complete == shards_of(whole, 3, {1, 2, 3}));
}

TEST(Merge, TakesACopyAndRefusesASecondMeasurement) {
  const Results whole = test::sample_results();
  const Results shard = shard_of(whole, 2, 3);
  EXPECT_TRUE(merge({{"a", shard}, {"b", shard}}) == shard);
  EXPECT_TRUE(merge({{"a", whole}, {"b", whole}}) == whole);
  Results again = shard;
  again.rows[1].set("median_ms", 2 * again.rows[1].number("median_ms"));
  const std::string said = refused_merge({{"a.json", shard}, {"b.json", again}});
  EXPECT_TRUE(says(said, "a.json and b.json both contain " + long_text(shard.rows[1]))) << said;
  EXPECT_TRUE(says(said, "one measurement")) << said;
  Results other = shard;
  other.rows[1].set("block", 1024);
  EXPECT_TRUE(says(refused_merge({{"a", shard}, {"b", other}}), "different configurations at one position"));
}

TEST(Merge, RefusesWhatWasNotTakenUnderEqualConditions) {
  const Results whole = test::sample_results();
  const Results first = shard_of(whole, 1, 3);
  const auto difference_of = [&](const std::function<void(Results&)>& change) {
    Results second = shard_of(whole, 2, 3);
    change(second);
    return refused_merge({{"a.json", first}, {"b.json", second}});
  };
  EXPECT_EQ(difference_of([](Results&) {}), "accepted");
  const auto expect = [&](const std::string& part, const std::function<void(Results&)>& change) {
    const std::string said = difference_of(change);
    EXPECT_TRUE(says(said, "a.json and b.json differ in " + part)) << said;
  };
  expect("program: fractal-loom 0.0.0 and fractal-loom 0.0.1",
         [](Results& r) { r.program = "fractal-loom 0.0.1"; });
  expect("commit: abc1234 and def", [](Results& r) { r.commit = "def"; });
  expect("settings.density: 0.5 and 0.25", [](Results& r) { r.settings["density"] = 0.25; });
  expect("settings.max_samples: none and 30", [](Results& r) { r.settings["max_samples"] = 30; });
  expect("settings.rule: \"B2/S23\" and none", [](Results& r) { r.settings.erase("rule"); });
  expect("machine.cpu", [](Results& r) { r.machine.cpu = "Another"; });
  expect("machine.threads: 2 and 3", [](Results& r) { r.machine.threads = 3; });
  expect("machine.gpus", [](Results& r) { r.machine.gpus[0].name = "Another"; });
  expect("machine.gpus", [](Results& r) { r.machine.gpus.clear(); });
  expect("machine.cuda_driver: 13.0 and 13.1", [](Results& r) { r.machine.cuda_driver = "13.1"; });
  expect("machine.nvidia_smi", [](Results& r) { r.machine.nvidia_smi = {"590.1, 1980 MHz"}; });
  expect("shards: 3 and 2", [&](Results& r) { r = shard_of(whole, 2, 2); });
  expect("shards: 3 and none", [&](Results& r) { r = whole; });
  expect("sweep: maps and mandelbrot", [&](Results& r) {
    Results dwells = test::sample_dwells();
    dwells.settings = r.settings;
    r = dwells;
  });
}

TEST(Merge, AMomentsClocksAreNoKindOfMachine) {
  Results first = test::sample_results();
  Results second = first;
  first.machine.nvidia_smi = {"580.1, 345 MHz, 1980 MHz, 810 MHz, 3201 MHz"};
  second.machine.nvidia_smi = {"580.1, 1980 MHz, 1980 MHz, 3201 MHz, 3201 MHz"};
  EXPECT_FALSE(difference(first, second));
  second.machine.nvidia_smi = {"580.1, 1980 MHz, 1755 MHz, 3201 MHz, 3201 MHz"};
  EXPECT_TRUE(difference(first, second));
  second.machine.nvidia_smi = {"580.2, 345 MHz, 1980 MHz, 810 MHz, 3201 MHz"};
  EXPECT_TRUE(difference(first, second));
}

TEST(Merge, IsDrawnAndWrittenAsOneRunIs) {
  const Results whole = test::sample_results();
  const Results merged = merge({{"a", shard_of(whole, 1, 2)}, {"b", shard_of(whole, 2, 2)}});
  for (const bool best : {false, true}) {
    const auto one = plot::make_figure(whole, plot::Quantity::kSpeedup, plot::Selection{.best = best});
    const auto two = plot::make_figure(merged, plot::Quantity::kSpeedup, plot::Selection{.best = best});
    ASSERT_EQ(one.panels[0].series.size(), two.panels[0].series.size());
    for (std::size_t i = 0; i < one.panels[0].series.size(); ++i)
      EXPECT_EQ(one.panels[0].series[i].points, two.panels[0].series[i].points);
    EXPECT_TRUE(says(two.caption, "Measured in shards: all 2.")) << two.caption;
    EXPECT_FALSE(says(one.caption, "shard")) << one.caption;
  }
  const auto half = plot::make_figure(shard_of(whole, 1, 2), plot::Quantity::kTime, plot::Selection{});
  EXPECT_TRUE(says(half.caption, "1 of 2 shards; missing: 2/2")) << half.caption;
  // Each row ends with the devices and shard columns, and those of energy, which was not measured.
  const std::string energy(10, ',');
  const std::string csv = csv_text(merged);
  const std::string last = "1," + merged.rows.back().text("shard") + energy + "\r\n";
  EXPECT_EQ(csv.substr(csv.size() - last.size()), last);
  EXPECT_TRUE(csv_text(whole).ends_with(",1," + energy + "\r\n"));
}

TEST(Merge, AFileThatContradictsItselfIsRefused) {
  const auto json = nlohmann::ordered_json::parse(document_text(shard_of(test::sample_results(), 2, 3)));
  const auto said = [](const nlohmann::ordered_json& document) {
    try {
      parse_results(document.dump(), "x.json");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(said(json), "accepted");
  for (const char* shards :
       {R"({"of": 0, "have": [1], "configurations": 19})", R"({"of": 3, "have": [], "configurations": 19})",
        R"({"of": 3, "have": [0], "configurations": 19})", R"({"of": 3, "have": [4], "configurations": 19})",
        R"({"of": 3, "have": [2, 2], "configurations": 19})",
        R"({"of": 3, "have": [2], "configurations": 2})", R"({"of": 3, "have": ["2"], "configurations": 19})",
        R"({"of": 3, "have": [2], "configurations": 18446744073709551615})"}) {
    auto broken = json;
    broken["shards"] = nlohmann::ordered_json::parse(shards);
    EXPECT_TRUE(says(said(broken), "shards is not valid")) << shards << said(broken);
  }
  auto broken = json;
  broken["planned"] = 1;
  EXPECT_TRUE(says(said(broken), "planned is 1")) << said(broken);
  broken = json;
  broken["configurations"][0]["shard"] = 1;
  EXPECT_TRUE(says(said(broken), "shard 1")) << said(broken);
  broken = json;
  broken["configurations"].push_back(broken["configurations"][0]);
  EXPECT_TRUE(says(said(broken), "more configurations of shard 2")) << said(broken);
  broken = json;
  broken.erase("shards");
  EXPECT_TRUE(says(said(broken), "shard 2")) << said(broken);
}

/// A sweep over levels 4 to 6 as this number of ranks would measure it.
Results by_ranks(int ranks) {
  Results results = test::sample_results();
  results.rows.clear();
  for (int level = 4; level <= 6; ++level) {
    results.rows.push_back(test::measured_row("compact", level, 2, 8.0 * level / ranks));
    results.rows.back().set("devices", ranks);
  }
  results.planned = results.rows.size();
  if (ranks > 1) results.settings["ranks"] = ranks;
  results.settings["clock"] = "wall";
  return results;
}

std::string refused_over_ranks(const std::vector<NamedResults>& parts) {
  try {
    merge_over_ranks(parts);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Merge, OverRanksJoinsOneSweepByDifferentNumbersOfProcesses) {
  const Results joined =
      merge_over_ranks({{"four", by_ranks(4)}, {"one", by_ranks(1)}, {"two", by_ranks(2)}});
  EXPECT_EQ(joined.rows.size(), 9u);
  EXPECT_EQ(joined.planned, 9u);
  EXPECT_TRUE(joined.complete);
  EXPECT_EQ(joined.settings["ranks"], nlohmann::ordered_json({1, 2, 4}));
  std::vector<int> devices;
  for (const Row& row : joined.rows) devices.push_back(static_cast<int>(row.count("devices")));
  EXPECT_EQ(devices, (std::vector<int>{1, 1, 1, 2, 2, 2, 4, 4, 4}));
  // Results of one number of ranks are merged as usual; merge() refuses to join different numbers.
  EXPECT_TRUE(merge_over_ranks({{"a", by_ranks(2)}}) == by_ranks(2));
  EXPECT_TRUE(
      says(refused_merge({{"one", by_ranks(1)}, {"two", by_ranks(2)}}), "settings.ranks: none and 2"));
}

TEST(Merge, OverRanksRefusesUnequalConditions) {
  Results other = by_ranks(2);
  other.settings["clock"] = "engine";
  EXPECT_TRUE(says(refused_over_ranks({{"one", by_ranks(1)}, {"two", other}}), "settings.clock: "));
  other = by_ranks(2);
  other.machine.threads = 1;
  EXPECT_TRUE(says(refused_over_ranks({{"one", by_ranks(1)}, {"two", other}}), "machine.threads: 2 and 1"));
  other = by_ranks(1);
  other.rows.back().set("devices", 2);
  EXPECT_TRUE(
      says(refused_over_ranks({{"devices", other}, {"two", by_ranks(2)}}), "a configuration with 2 devices"));
  other = by_ranks(2);
  other.settings["ranks"] = "two";
  EXPECT_NE(refused_over_ranks({{"one", by_ranks(1)}, {"two", other}}), "accepted");
  Results dwells = test::sample_dwells();
  dwells.settings["ranks"] = 2;
  EXPECT_NE(refused_over_ranks({{"dwells", dwells}, {"maps", by_ranks(1)}}), "accepted");
}

}  // namespace
}  // namespace loom::app::bench
