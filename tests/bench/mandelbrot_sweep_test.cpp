
#include <gtest/gtest.h>

#include <algorithm>

#include "app/bench/axes.h"
#include "app/bench/plan.h"
#include "app/bench/sweep.h"
#include "compute/backend/engine_factory.h"
#include "compute/core/error.h"
#include "compute/mandelbrot/mandelbrot_fields.h"
#include "compute/solid/volume_engine.h"
#include "measure_whole.h"

namespace loom::app::bench {
namespace {

const BackendSelection kCpuBackend{{}, "selected"};
const BackendSelection kCudaBackend{cuda_device(0), "selected"};

MandelbrotAxes axes_of(const std::string& preset, const BackendSelection& backend) {
  AxisTexts texts = default_axes(SweepKind::kMandelbrot);
  if (!preset.empty()) override_texts(texts, find_preset(preset).axes);
  texts["backend"] = "cpu";
  MandelbrotAxes axes = std::get<MandelbrotAxes>(parse_axes(SweepKind::kMandelbrot, texts, {}).of);
  axes.backends = {backend};
  return axes;
}

TEST(MandelbrotAxisText, RangesDouble) {
  EXPECT_EQ(parse_numbers<std::uint32_t>("g", "2..16", 1, 1024, RangeStep::kDoubling),
            (std::vector<std::uint32_t>{2, 4, 8, 16}));
  EXPECT_EQ(parse_numbers<std::uint32_t>("g", "3..13,1", 1, 1024, RangeStep::kDoubling),
            (std::vector<std::uint32_t>{1, 3, 6, 12}));
  for (const char* text : {"0", "2048", "4..2", "2..", "all", "", "2..4096"}) {
    EXPECT_THROW(parse_numbers<std::uint32_t>("g", text, 1, 1024, RangeStep::kDoubling), InputError) << text;
  }
}

TEST(MandelbrotAxisText, IdeasAreJoinedByPlus) {
  MandelbrotOptimisations two = kNoOptimisations;
  two.early_stop = two.tiles = true;
  const auto& ideas = *find_field(mandelbrot_config_fields(), "ideas");
  EXPECT_EQ(parse_values(ideas, "none,tiles+early-stop,all,auto,none", RangeStep::kDoubling),
            (std::vector<std::string>{"none", to_string(two), "all", "auto"}));
  EXPECT_THROW(parse_values(ideas, "early-stop+speed", RangeStep::kDoubling), InputError);
}

TEST(MandelbrotSweep, ThePresetsAreThePapersSpaces) {
  // For each of 7 sizes: exhaustive with both dwell widths; DP and ASK with both schemes, each in the
  // published form and with all optimisations.
  EXPECT_EQ(expand(axes_of("paper-mandelbrot", kCudaBackend)).size(), 7u * (2 + 4 + 4));
  // The CPU has one dwell width and one scheme; exhaustive runs with and without the test for known interior
  // points.
  EXPECT_EQ(expand(axes_of("paper-mandelbrot", kCpuBackend)).size(), 7u * (2 + 2 + 2));
  // Exponents from 1 with a sum of at most 12 give "12 choose 3" configurations; the exhaustive method adds
  // one.
  EXPECT_EQ(expand(axes_of("paper-landscape", kCudaBackend)).size(), 220u + 1u);
}

TEST(MandelbrotSweep, NoConfigurationComesTwiceAndEachIsValid) {
  const auto cases = expand(axes_of("paper-landscape", kCpuBackend));
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_NO_THROW(validate(cases[i].config));
    for (std::size_t j = i + 1; j < cases.size(); ++j) ASSERT_FALSE(cases[i].config == cases[j].config);
  }
}

TEST(MandelbrotSweep, CutsWithoutALevelAreLeftOutWhileAnotherRemains) {
  MandelbrotAxes axes = axes_of("", kCpuBackend);
  axes.fields["method"] = {"ask"};
  axes.sizes = {256};
  axes.fields["b"] = {"8", "4", "2"};  // 32 * 2 * B
  const auto cases = expand(axes);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].config.b, 4u);
  EXPECT_EQ(cases[1].config.b, 2u);
  axes.fields["b"] = {"32", "16"};
  ASSERT_EQ(expand(axes).size(), 1u);
  EXPECT_EQ(expand(axes).front().config.b, 32u);
}

TEST(MandelbrotSweep, RepeatsRunTheWholeSweepAgainAndDpHasItsBlocks) {
  const MandelbrotAxes axes = axes_of("", kCudaBackend);
  const auto repeated = expand(Axes{axes, 3});
  ASSERT_EQ(repeated.size(), 9u);
  EXPECT_EQ(count_cases(Axes{axes, 3}), 9u);
  EXPECT_EQ(std::get<MandelbrotCase>(repeated[2]).repeat, 0);
  EXPECT_EQ(std::get<MandelbrotCase>(repeated[3]).repeat, 1);
  EXPECT_EQ(std::get<MandelbrotCase>(repeated[8]).repeat, 2);
  const auto cases = expand(axes);
  EXPECT_TRUE(cases[1].config.method == MandelbrotMethod::kDp &&
              cases[1].config.block == (BlockShape{64, 8}));
  EXPECT_EQ(cases[2].config.block, BlockShape{});
}

TEST(MandelbrotSweep, IsCountedWithoutBeingBuilt) {
  for (const BackendSelection& backend : {kCpuBackend, kCudaBackend}) {
    MandelbrotAxes axes = axes_of("", backend);
    axes.sizes = {16, 256, 1024};
    axes.fields["g"] = {"2", "4", "32"};
    axes.fields["b"] = {"1", "8", "32"};
    axes.fields["precision"] = {"float", "double"};
    axes.fields["dwell"] = {"64", "512", "4096"};
    EXPECT_EQ(count_cases(axes), expand(axes).size());
  }
  MandelbrotAxes many = axes_of("", kCpuBackend);
  for (std::uint32_t dwell = 1; dwell < 65536; ++dwell) many.fields["dwell"].push_back(std::to_string(dwell));
  for (std::uint32_t n = 1; n <= 4096; ++n) many.sizes.push_back(n);
  EXPECT_GT(count_cases(many), 500'000'000u);  // about 100 GB of cases
  many.fields["dwell"].emplace_back("0");
  EXPECT_THROW(count_cases(many), InputError);
}

TEST(MandelbrotSweep, WidthsAndPrecisionsAreAxes) {
  const MandelbrotAxes axes = axes_of("deep-zoom", kCpuBackend);
  const auto cases = expand(axes);
  EXPECT_EQ(cases.size(), 10u * 6u);
  EXPECT_EQ(count_cases(axes), cases.size());
  for (const MandelbrotCase& one : cases) {
    ASSERT_TRUE(one.view.decimal);
    EXPECT_EQ(one.view.decimal->im, "1");
  }
  const auto has = [&](const std::string& width, Precision precision) {
    const auto found = std::ranges::find_if(cases, [&](const MandelbrotCase& one) {
      return one.view.decimal->width == width && one.config.precision == precision;
    });
    return precision_problem(precision, found->view).empty();
  };
  EXPECT_TRUE(has("1e-2", Precision::kFloat));
  EXPECT_FALSE(has("1e-7", Precision::kFloat));
  EXPECT_TRUE(has("1e-10", Precision::kDouble));
  EXPECT_FALSE(has("1e-20", Precision::kDouble));
  EXPECT_TRUE(has("1e-30", Precision::kPerturbedFloat));
  EXPECT_FALSE(has("1e-100", Precision::kPerturbedFloat));
  EXPECT_TRUE(has("1e-280", Precision::kPerturbedDouble));
  EXPECT_FALSE(has("1e-600", Precision::kPerturbedDouble));
  EXPECT_TRUE(has("1e-1000", Precision::kPerturbedWideFloat));
  EXPECT_TRUE(has("1e-1000", Precision::kPerturbedWide));
}

TEST(MandelbrotSweep, AutomaticPrecisionIsThatOfTheView) {
  MandelbrotAxes axes = axes_of("", kCpuBackend);
  axes.fields["method"] = {"exhaustive"};
  axes.fields["precision"] = {"auto", "float", "perturbed-double"};
  auto cases = expand(axes);
  ASSERT_EQ(cases.size(), 2u) << "auto is float";
  EXPECT_EQ(count_cases(axes), 2u);
  EXPECT_EQ(cases[0].view, (MandelbrotView{{}, 1024, 1024})) << "the published window";
  EXPECT_TRUE(cases[1].view.decimal);
  axes.widths = {"1e-400"};
  cases = expand(axes);
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].config.precision, Precision::kPerturbedWide);
  axes.fields["precision"] = {"float", "double"};
  EXPECT_THROW(expand(axes), InputError) << "no precision can show the view";
}

TEST(MandelbrotSweep, SetsInSpaceHaveTheirCases) {
  const auto axes_in_space = [](const AxisTexts& texts, const BackendSelection& backend) {
    MandelbrotAxes axes = axes_of("", backend);
    AxisTexts all = default_axes(SweepKind::kMandelbrot);
    override_texts(all,
                   {{"size", "16,32"}, {"g", "2,4"}, {"b", "2"}, {"space", "mandelbulb,quaternion-julia"}});
    override_texts(all, texts);
    all["backend"] = "cpu";
    axes = std::get<MandelbrotAxes>(parse_axes(SweepKind::kMandelbrot, all, {}).of);
    axes.backends = {backend};
    return axes;
  };
  // For 2 sets and 2 sizes: exhaustive, and DP and ASK with 2 cuts; ideas and precisions are of the plane.
  EXPECT_EQ(expand(axes_in_space({{"ideas", "none,all"}, {"precision", "float,double"}}, kCpuBackend)).size(),
            4u * (1 + 2 + 2));
  // Orders and schemes are ASK's; the CPU has one scheme.
  const AxisTexts varied = {{"order", "canonical,morton"}, {"scheme", "all"}};
  EXPECT_EQ(expand(axes_in_space(varied, kCpuBackend)).size(), 4u * (1 + 2 + 2 * 2));
  const auto cases = expand(axes_in_space(varied, kCudaBackend));
  EXPECT_EQ(cases.size(), 4u * (1 + 2 + 2 * 2 * 2));
  EXPECT_EQ(count_cases(axes_in_space(varied, kCudaBackend)), cases.size());
  for (const MandelbrotCase& one : cases) {
    ASSERT_TRUE(one.volume);
    EXPECT_EQ(one.volume->size, one.view.width);
    EXPECT_EQ(one.volume->dwell_limit, one.config.dwell_limit);
  }
  const auto mixed = expand(axes_in_space({{"space", "all"}, {"method", "exhaustive"}}, kCpuBackend));
  EXPECT_EQ(std::ranges::count_if(mixed, [](const MandelbrotCase& one) { return one.volume.has_value(); }),
            4);
  EXPECT_GT(mixed.size(), 4u);
  EXPECT_THROW(expand(axes_in_space({{"size", "2048"}}, kCpuBackend)), InputError);
  EXPECT_THROW(expand(axes_in_space({{"order", "hilbert"}, {"g", "3"}}, kCpuBackend)), InputError);
  EXPECT_THROW(parse_spaces("cube"), InputError);
}

TEST(MandelbrotMeasurement, OfASetInSpaceHasTheEnginesCounts) {
  Sampling sampling;
  sampling.max_samples = 3;
  MandelbrotCase one{{.g = 2, .b = 2, .precision = Precision::kDouble}, {{}, 24, 24}, kCpuBackend};
  one.volume = VolumeConfig{.size = 24, .dwell_limit = 20, .g = 2, .b = 2, .order = RegionOrder::kMorton};
  const auto entry = test::measure_whole(one, sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  const MandelbrotReport report = make_volume_engine(kCpuBackend)->compute(*one.volume);
  EXPECT_EQ(entry["pixels"], 24u * 24 * 24);
  EXPECT_EQ(entry["computed_pixels"], report.computed_pixels());
  EXPECT_EQ(entry["recomputed_pixels"], 0u);
  EXPECT_EQ(entry["bytes_held"], report.allocated_bytes);
  EXPECT_EQ(entry["space"], "mandelbulb");
  EXPECT_EQ(entry["order"], "morton");
  EXPECT_TRUE(entry["ideas"].is_null());
  EXPECT_EQ(entry["level_regions"].size(), report.levels.size());
  const Json json = to_json(entry);
  EXPECT_EQ(read_row(JsonReader(json, "entry"), SweepKind::kMandelbrot), entry) << json;
}

TEST(MandelbrotSweep, AnEmptyAxisIsRefused) {
  MandelbrotAxes axes = axes_of("", kCpuBackend);
  axes.fields["scheme"].clear();
  EXPECT_THROW(expand(axes), InputError);
}

TEST(MandelbrotMeasurement, CountsAreTheEnginesAndSamplesAreImages) {
  Sampling sampling;
  sampling.max_samples = 12;
  const MandelbrotCase one{{.g = 4, .b = 8}, {{}, 128, 96}, kCpuBackend};
  const auto entry = test::measure_whole(one, sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_GE(entry.count("samples"), 10u);
  EXPECT_LE(entry.count("samples"), 12u);
  const MandelbrotReport report = make_mandelbrot_engine(kCpuBackend)->compute(one.config, one.view);
  Row expected = describe(one);
  set_report(expected, report);
  ASSERT_GT(report.levels.size(), 1u);
  ASSERT_EQ(entry["level_ms"].size(), report.levels.size());
  for (const Json& ms : entry["level_ms"]) EXPECT_TRUE(ms.is_number()) << "ASK has a time for each level";
  for (const Column& column : columns(SweepKind::kMandelbrot)) {
    if (column.of_report != nullptr && column.name != "level_ms") {
      EXPECT_EQ(entry[column.name], expected[column.name]) << column.name;
    }
  }
}

TEST(MandelbrotMeasurement, TheReferenceOrbitIsApartFromTheTime) {
  Sampling sampling;
  sampling.max_samples = 3;
  MandelbrotCase one{{.method = MandelbrotMethod::kExhaustive, .precision = Precision::kPerturbedWide},
                     make_decimal_view({"0", "1", "1e-400"}, 16, 16),
                     kCpuBackend};
  const auto entry = test::measure_whole(one, sampling);
  ASSERT_TRUE(entry.measured()) << entry.skipped();
  EXPECT_EQ(entry.count("samples"), 3u);
  EXPECT_GT(entry.number("reference_orbit_ms"), 0);
  EXPECT_EQ(entry["reference_reused"], true) << "samples share the orbit of the first image";
  one.config.precision = Precision::kDouble;
  const auto refused = test::measure_whole(one, sampling);
  EXPECT_FALSE(refused.measured());
  EXPECT_NE(refused.skipped().find("allowed: "), std::string::npos) << refused.skipped();
}

TEST(MandelbrotMeasurement, WhatCannotBeMeasuredIsSkippedWithTheReason) {
  const auto large = test::measure_whole(MandelbrotCase{{}, {{}, 1 << 20, 1 << 20}, kCpuBackend}, {});
  EXPECT_FALSE(large.measured());
  EXPECT_NE(large.skipped().find("are free"), std::string::npos) << large.skipped();
  const auto invalid = test::measure_whole(MandelbrotCase{{.r = 1}, {}, kCpuBackend}, {});
  EXPECT_NE(invalid.skipped().find("r = 1"), std::string::npos) << invalid.skipped();
}

}  // namespace
}  // namespace loom::app::bench
