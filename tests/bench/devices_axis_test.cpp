#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "app/bench/axes.h"
#include "app/bench/merge.h"
#include "app/bench/plan.h"
#include "app/bench/results.h"
#include "compute/core/error.h"
#include "compute/distributed/process_group.h"
#include "compute/geometry/nbb_catalog.h"
#include "contains.h"
#include "measure_whole.h"

namespace loom::app::bench {
namespace {

using test::contains;

const BackendSelection kCpu = {{}, "selected"};
const BackendSelection kCuda = {cuda_device(2), "selected"};

/// Axes for the gasket in bit-packed storage on three devices. The tests use no real device.
MapAxes bit_axes(const std::string& levels, std::vector<int> devices) {
  MapAxes axes;
  axes.fractals = {find_fractal("sierpinski-gasket")};
  axes.levels = parse_levels(levels);
  axes.maps = {MapKind::kCompact};
  axes.method = {{"storage", {"bits"}}};
  axes.tile_sizes = parse_tile_sizes("1");
  axes.workloads = {Workload::kLife};
  axes.backends = {kCuda};
  axes.devices = std::move(devices);
  axes.device_list = {2, 0, 1};
  return axes;
}

std::string refusal(const MapAxes& axes) {
  try {
    expand(axes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(DevicesAxis, ReadsNumbersOfThoseThatAreListed) {
  EXPECT_EQ(parse_device_counts("1", {kCpu}, 0), (std::vector<int>{1}));
  EXPECT_EQ(parse_device_counts("3,1", {kCuda}, 4), (std::vector<int>{1, 3}));
  EXPECT_EQ(parse_device_counts("all", {kCuda}, 4), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(parse_device_counts("all", {kCpu}, 4), (std::vector<int>{1}));
  EXPECT_EQ(parse_device_counts("2", {kCpu, kCuda}, 2), (std::vector<int>{2}));
  EXPECT_THROW(parse_device_counts("5", {kCuda}, 4), InputError);
  EXPECT_THROW(parse_device_counts("2", {kCpu}, 4), InputError);
  EXPECT_THROW(parse_device_counts("0", {kCuda}, 4), InputError);
  EXPECT_THROW(parse_device_counts("2,", {kCuda}, 4), InputError);
  EXPECT_THROW(parse_device_counts("2", {{{}, "auto: no CUDA device"}}, 0), MachineError);
}

TEST(DevicesAxis, EachConfigurationTakesTheFirstOfTheList) {
  const auto cases = expand(bit_axes("9,10", {1, 3}));
  ASSERT_EQ(cases.size(), 4u);
  for (const MapCase& one : cases) {
    EXPECT_EQ(one.device_list, one.devices == 1 ? std::vector<int>{2} : std::vector<int>({2, 0, 1}));
    const Row entry = describe(one);
    EXPECT_EQ(entry["devices"], one.devices);
    EXPECT_EQ(entry["device"], 2);
    EXPECT_EQ(contains(long_text(entry), "3 devices"), one.devices == 3);
    EXPECT_EQ(contains(short_text(one), "3 devices"), one.devices == 3);
  }
  // Cases that are compared are adjacent.
  EXPECT_EQ(cases[0].config.level, cases[1].config.level);
  EXPECT_NE(cases[0].devices, cases[1].devices);
}

TEST(DevicesAxis, WhatOneDeviceAloneCanHaveIsLeftOutForSeveral) {
  MapAxes axes = bit_axes("9", {1, 2});
  axes.maps = parse_names("map", "all", kMapKinds);
  axes.method["storage"] = {"bytes", "bits"};
  axes.backends = {kCuda, kCpu};
  std::size_t shared = 0;
  for (const MapCase& one : expand(axes)) {
    if (one.devices == 1) continue;
    ++shared;
    EXPECT_EQ(one.config.method.map, MapKind::kCompact);
    EXPECT_EQ(one.backend.device.kind, BackendKind::kCuda);
  }
  EXPECT_EQ(shared, 2u) << "one in byte storage, one in bit-packed storage";
  // Level 0 has too few cells for three devices.
  const auto cases = expand(bit_axes("0,9", {1, 3}));
  EXPECT_EQ(cases.size(), 3u);
  EXPECT_EQ(count_cases(bit_axes("0,9", {1, 3})), 3u);
}

TEST(DevicesAxis, ANumberThatNothingGoesWithIsRefused) {
  MapAxes axes = bit_axes("9", {1, 10});
  axes.maps = {MapKind::kLambda};
  axes.method["storage"] = {"bytes"};
  EXPECT_TRUE(contains(refusal(axes), "--map compact")) << refusal(axes);
  axes.maps = {MapKind::kCompact};
  axes.tile_sizes = {32};
  EXPECT_TRUE(contains(refusal(axes), "cannot be distributed over 10 partitions")) << refusal(axes);
  axes.tile_sizes = {1};
  EXPECT_EQ(expand(axes).size(), 2u);
  EXPECT_TRUE(contains(refusal(bit_axes("0", {1, 3})), "cannot be distributed over 3 partitions"))
      << refusal(bit_axes("0", {1, 3}));
  axes = bit_axes("9", {2});
  axes.backends = {kCpu};
  EXPECT_TRUE(contains(refusal(axes), "the CPU backend is one device")) << refusal(axes);
  axes.processes = true;
  EXPECT_EQ(refusal(axes), "accepted") << "several processes can distribute cells on CPUs too";
  axes.devices.clear();
  EXPECT_THROW(expand(axes), InputError);
}

Plan plan_on(const MapAxes& axes) {
  Plan plan{.texts = default_axes(SweepKind::kMaps), .axes = {axes}};
  if (is_distributed(plan.axes)) plan.sampling.use_distributed_timing();
  return plan;
}

TEST(DevicesAxis, SettingsSayTheClockAndTheDevices) {
  const Results alone = new_results(plan_on(bit_axes("9", {1})), {}, 1);
  EXPECT_EQ(alone.settings["clock"], "engine");
  EXPECT_FALSE(alone.settings.contains("device_list"));
  EXPECT_FALSE(alone.settings.contains("ranks"));
  const Results several = new_results(plan_on(bit_axes("9", {1, 2})), {}, 1);
  EXPECT_EQ(several.settings["clock"], "wall") << "the case of one device uses the same clock";
  EXPECT_EQ(several.settings["at_once"], 16) << "the same for one device and for several";
  EXPECT_FALSE(alone.settings.contains("at_once"));
  EXPECT_EQ(several.settings["device_list"], nlohmann::ordered_json({2, 0, 1}));
  const auto found = difference(alone, several);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->what, "settings.clock") << "results with different clocks are not compared";
  MapAxes axes = bit_axes("9", {4});
  axes.processes = true;
  const Results processes = new_results(plan_on(axes), {}, 1);
  EXPECT_EQ(processes.settings["ranks"], 4);
  EXPECT_EQ(processes.settings["clock"], "wall");
}

TEST(DevicesAxis, APlanIsReadBackFromTheSettings) {
  Plan plan;
  plan.texts = default_axes(SweepKind::kMaps);
  override_texts(
      plan.texts,
      {{"level", "3"}, {"map", "compact"}, {"storage", "bits"}, {"block", "1"}, {"backend", "cpu"}});
  plan.axes = parse_axes(SweepKind::kMaps, plan.texts, {});
  plan.sampling.wall_clock = true;
  plan.sampling.rounds_per_call = 3;
  plan.sampling.max_samples = 2;
  auto cases = expand(plan.axes);
  Results results = new_results(plan, {}, cases.size());
  for (const Case& one : cases) results.rows.push_back(test::measure_whole(one, plan.sampling));
  const Results read = parse_results(document_text(results), "these");
  const Plan again = plan_of(read, {});
  EXPECT_TRUE(again.sampling.wall_clock);
  EXPECT_EQ(again.sampling.rounds_per_call, 3u);
  EXPECT_TRUE(begins_with(read, cases))
      << "bit-packed storage has no tile count, which differs from a count of one";
  EXPECT_EQ(read.rows.front().count("generations_per_sample"), 3u);
  results.settings["device_list"] = {-1};
  EXPECT_THROW(plan_of(results, {}), InputError);
  results.settings.erase("device_list");
  results.settings["ranks"] = 2;
  EXPECT_THROW(plan_of(results, {}), InputError);
}

TEST(DevicesAxis, TimesByTheWallAreThoseOfTheCall) {
  Sampling sampling;
  sampling.max_samples = 3;
  sampling.wall_clock = true;
  MapCase one = expand(bit_axes("5", {1})).front();
  one.backend = kCpu;
  const Row entry = test::measure_whole(one, sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_GT(entry.number("min_ms"), 0);
  // Several devices on a backend with one device are also refused when the engine is built.
  one.devices = 2;
  const Row refused = test::measure_whole(one, sampling);
  EXPECT_TRUE(contains(refused.skipped(), "the CPU backend is one device")) << refused.skipped();
}

TEST(DevicesAxis, JsonAndCsvHoldTheNumber) {
  Results results(SweepKind::kMaps);
  for (const MapCase& one : expand(bit_axes("9", {1, 2}))) {
    Row entry = describe(one);
    entry.set("skipped", "nothing here");
    results.rows.push_back(entry);
  }
  results.planned = 2;
  const Results read = parse_results(document_text(results), "these");
  EXPECT_EQ(read.rows.at(0)["devices"], 1);
  EXPECT_EQ(read.rows.at(1)["devices"], 2);
  EXPECT_TRUE(contains(csv_text(results), "nothing here,2,"));
}

TEST(DevicesAxis, TheWindowsFormReadsItAndTimesByTheWall) {
  SweepForm form;
  form.load(find_preset("scaling"));
  form.texts["backend"] = "cpu";
  form.check({});
  EXPECT_EQ(form.first_problem(), "");
  EXPECT_EQ(std::get<MapAxes>(form.axes.of).devices, std::vector<int>{1})
      << "on the CPU, all devices means one";
  EXPECT_FALSE(form.plan({}).sampling.wall_clock);
  std::get<MapAxes>(form.axes.of).devices = {1, 2};
  EXPECT_TRUE(form.plan({}).sampling.wall_clock);
  form.texts["devices"] = "2";
  form.check({});
  EXPECT_TRUE(contains(form.first_problem(), "the CPU backend is one device")) << form.first_problem();
}

}  // namespace
}  // namespace loom::app::bench
