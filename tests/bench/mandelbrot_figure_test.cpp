#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "compute/core/error.h"
#include "compute/device/device.h"
#include "sample_dwells.h"

namespace loom::app::plot {
namespace {

using test::dwell_row;
using test::sample_dwells;

TEST(MandelbrotFigure, TimeHasALineAMethodAndSetOfIdeas) {
  const bench::Results results = sample_dwells();
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  ASSERT_EQ(figure.panels.size(), 1u);
  ASSERT_EQ(figure.panels[0].series.size(), 4u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{10, 64}, {11, 128}}));
  for (const Series& series : figure.panels[0].series) {
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      const bench::Row& entry = results.rows.at(series.rows[i]);
      EXPECT_EQ(entry["width"], 1u << series.points[i].level);
      EXPECT_EQ(*median_ms(entry), series.points[i].value);
    }
  }
  EXPECT_GT(draw_figure(figure, FigureFormat::kSvg).size(), 1000u);
  EXPECT_NE(figure.caption.find("Test CPU"), std::string::npos);
}

TEST(MandelbrotFigure, SpeedupIsOverTheFastestExhaustiveForm) {
  bench::Results results = sample_dwells();
  const Selection ask{{{"method", {"ask"}}, {"ideas", {"all"}}}};
  Figure figure = make_figure(results, Quantity::kSpeedup, ask);
  ASSERT_EQ(figure.panels[0].series.size(), 1u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{10, 4}, {11, 8}}));
  MandelbrotOptimisations narrow = kNoOptimisations;
  narrow.narrow = true;
  results.rows.push_back(
      dwell_row({.method = MandelbrotMethod::kExhaustive, .optimisations = narrow}, 1024, 32));
  figure = make_figure(results, Quantity::kSpeedup, ask);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{10, 2}, {11, 8}}));
  EXPECT_EQ(make_figure(results, Quantity::kSpeedup, Selection{}).panels[0].series.size(), 3u);
}

TEST(MandelbrotFigure, RepeatsAreDrawnByTheirMedian) {
  bench::Results results(bench::SweepKind::kMandelbrot);
  for (double ms : {7.0, 1.0, 2.0}) results.rows.push_back(dwell_row({}, 1024, ms));
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{10, 2}}));
}

TEST(MandelbrotFigure, WhatCannotBeDrawnIsRefused) {
  bench::Results results = sample_dwells();
  EXPECT_THROW(make_figure(results, Quantity::kUtilization, Selection{}), InputError);
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{{{"size", {"4096"}}}}), InputError);
  const Selection ask_mbr{{{"method", {"ask"}}, {"scheme", {"mbr"}}}};
  EXPECT_THROW(make_figure(results, Quantity::kTime, ask_mbr), InputError);
  EXPECT_THROW(make_figure(results, Quantity::kSpeedup, Selection{{{"method", {"exhaustive"}}}}), InputError);
  results.rows.push_back(dwell_row({}, 1000, 1));
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError);
  results = sample_dwells();
  results.rows[0].set("backend", "cuda");
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError);
  EXPECT_NO_THROW(make_figure(results, Quantity::kTime, Selection{{{"backend", {"cpu"}}}}));
}

TEST(MandelbrotFigure, SeveralWidthsAreDrawnByDepth) {
  bench::Results results = test::sample_depths();
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  EXPECT_EQ(figure.x_axis, XAxis::kDepth);
  EXPECT_NE(figure.title.find("64 × 64"), std::string::npos) << figure.title;
  EXPECT_NE(figure.caption.find("Centre 0, 1"), std::string::npos) << figure.caption;
  const auto& series = figure.panels.at(0).series;
  ASSERT_EQ(series.size(), 3u) << "a line per precision";
  EXPECT_EQ(series[0].points, (std::vector<Point>{{3, 1}}));
  EXPECT_EQ(series[1].points, (std::vector<Point>{{3, 2}, {10, 2}}));
  EXPECT_EQ(series[2].points, (std::vector<Point>{{3, 3}, {10, 3}, {30, 3}}));
  EXPECT_EQ(figure.legend.at(0).items.at(2).text, "exhaustive, perturbed-double");
  for (const FigureFormat format : {FigureFormat::kSvg, FigureFormat::kPng})
    EXPECT_GT(draw_figure(figure, format).size(), 1000u);
  const Figure some = make_figure(results, Quantity::kTime, Selection{{{"width", {"1e-3", "1e-10"}}}});
  EXPECT_EQ(some.panels.at(0).series.at(2).points.size(), 2u);
  const Figure one = make_figure(results, Quantity::kTime, Selection{{{"width", {"1e-3"}}}});
  EXPECT_EQ(one.x_axis, XAxis::kSize);
  const MandelbrotConfig deep{.method = MandelbrotMethod::kExhaustive,
                              .precision = Precision::kPerturbedDouble};
  results.rows.back() = dwell_row(deep, make_decimal_view({"0", "1", "2e-10"}, 64, 64), 3);
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError) << "same depth";
  results.rows.back() = dwell_row(deep, make_decimal_view({"0", "1", "1e-30"}, 128, 128), 3);
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError) << "two sizes";
  EXPECT_NO_THROW(make_figure(results, Quantity::kTime, Selection{{{"size", {"64"}}}}));
}

TEST(MandelbrotFigure, SpeedupIsOverExhaustiveOfTheSameViewAndPrecision) {
  bench::Results results = test::sample_depths();
  results.rows.push_back(dwell_row({.precision = Precision::kPerturbedDouble},
                                   make_decimal_view({"0", "1", "1e-30"}, 64, 64), 1));
  const Figure figure = make_figure(results, Quantity::kSpeedup, Selection{});
  ASSERT_EQ(figure.panels[0].series.size(), 1u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{30, 3}}));
}

/// n = 1024 with every g, r and B that is a power of two up to 64; 8, 4, 16 is the fastest.
bench::Results sample_landscape() {
  bench::Results results = sample_dwells();
  results.rows.clear();
  results.rows.push_back(dwell_row({.method = MandelbrotMethod::kExhaustive}, 1024, 100));
  for (std::uint32_t g = 2; g <= 64; g *= 2) {
    for (std::uint32_t r = 2; r <= 64; r *= 2) {
      for (std::uint32_t b = 2; b <= 64 && g * r * b <= 1024; b *= 2) {
        const double ms =
            20 + std::abs(std::log2(g / 8.0)) + std::abs(std::log2(r / 4.0)) + std::abs(std::log2(b / 16.0));
        results.rows.push_back(dwell_row({.g = g, .r = r, .b = b}, 1024, ms));
      }
    }
  }
  return results;
}

TEST(LandscapeFigure, MarksTheFastestAndTheModelsOptimum) {
  const bench::Results results = sample_landscape();
  const Figure figure = make_landscape_figure(results, {});
  const LandscapeFigure& landscape = figure.landscape.value();
  EXPECT_EQ(landscape.optimum, (CostCut{8, 4, 16}));
  EXPECT_EQ(landscape.best, 20);
  ASSERT_EQ(landscape.rs.size(), 6u);
  EXPECT_EQ(landscape.cells.size() + 1, results.rows.size());
  ASSERT_TRUE(landscape.marked);
  EXPECT_EQ(landscape.notes.size(), 2u);
  EXPECT_NE(landscape.notes[0].find("5.00×"), std::string::npos) << landscape.notes[0];
  EXPECT_NE(landscape.notes[1].find("P 0.500"), std::string::npos) << landscape.notes[1];
  for (const FigureFormat format : {FigureFormat::kSvg, FigureFormat::kPdf, FigureFormat::kPng}) {
    EXPECT_GT(draw_figure(figure, format).size(), 1000u);
  }
}

TEST(LandscapeFigure, WithoutExhaustiveThereIsNoModelAndItSaysSo) {
  bench::Results results = sample_landscape();
  results.rows.erase(results.rows.begin());
  const LandscapeFigure landscape = make_landscape_figure(results, {}).landscape.value();
  EXPECT_FALSE(landscape.marked);
  EXPECT_NE(landscape.notes.at(1).find("No model"), std::string::npos);
}

TEST(LandscapeFigure, NeedsOneMethodAndSize) {
  bench::Results results = sample_landscape();
  results.rows.push_back(dwell_row({}, 2048, 1));
  EXPECT_THROW(make_landscape_figure(results, {}), InputError);
  EXPECT_NO_THROW(make_landscape_figure(results, {{{"size", {"1024"}}}}));
  results.rows.back() = dwell_row({.method = MandelbrotMethod::kDp}, 1024, 1);
  EXPECT_THROW(make_landscape_figure(results, {}), InputError);
  EXPECT_NO_THROW(make_landscape_figure(results, {{{"method", {"ask"}}}}));
  EXPECT_THROW(make_landscape_figure(results, {{{"method", {"exhaustive"}}}}), InputError);
}

TEST(LambdaFit, FindsTheLambdaThatMadeTheMeasurements) {
  const CostProblem problem{.n = 4096, .dwell = 512, .p = 0.6, .lambda = 100, .q = 132, .c = 128};
  for (const CostRatio ratio : {CostRatio::kSbrSpeedup, CostRatio::kMbrSpeedup}) {
    std::vector<CutValue> cuts;
    for (std::uint32_t g = 2; g <= 256; g *= 2) {
      for (std::uint32_t b = 2; b <= 256 && g * 2 * b <= 4096; b *= 2) {
        cuts.push_back({{g, 2, b}, cost_ratio(ratio, problem, {g, 2, b})});
      }
    }
    cuts.push_back({{1024, 1024, 1024}, 1000});  // has no level, so the model does not apply
    CostProblem unknown = problem;
    unknown.lambda = 1;
    const auto fit = fit_lambda(ratio, unknown, cuts);
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->problem.lambda, 100, 1e-6);
    double best = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) best = std::max(best, cuts[i].value);
    EXPECT_NEAR(fit->optimum.value, best, 1e-9 * best);
    EXPECT_FALSE(fit_lambda(ratio, unknown, {cuts.back()}));
  }
}

TEST(LambdaFit, KnowsTheProcessorsOfTheMachine) {
  bench::Machine machine;
  machine.threads = 8;
  machine.gpus = {{0, "A", "8.0", 108, 1}, {1, "H", "9.0", 132, 1}};
  EXPECT_EQ(processors_of(machine, false, 0)->q, 8);
  EXPECT_EQ(processors_of(machine, true, 0)->c, 64);
  EXPECT_EQ(processors_of(machine, true, 1)->c, 128);
  EXPECT_EQ(processors_of(machine, true, 1)->q, 132);
  EXPECT_FALSE(processors_of(machine, true, 2));
}

// Source: table "Throughput of Native Arithmetic Instructions" of the CUDA C++ Programming Guide, 32-bit
// floating-point additions.
TEST(ModelFit, KnowsTheCoresOfAMultiprocessor) {
  struct Capability {
    const char* name;
    double cores;
  };
  for (const auto& [name, cores] : {Capability{"5.2", 128},
                                    {"6.0", 64},
                                    {"6.1", 128},
                                    {"7.0", 64},
                                    {"7.2", 64},
                                    {"7.5", 64},
                                    {"8.0", 64},
                                    {"8.6", 128},
                                    {"8.7", 128},
                                    {"8.9", 128},
                                    {"9.0", 128},
                                    {"10.0", 128},
                                    {"12.0", 128}}) {
    bench::Machine machine;
    machine.gpus = {{0, "G", name, 1, 1}};
    EXPECT_EQ(processors_of(machine, true, 0)->c, cores) << name;
    const int dot = static_cast<int>(std::string(name).find('.'));
    const int major = std::stoi(std::string(name).substr(0, dot));
    EXPECT_EQ(cores_of_multiprocessor(major, std::stoi(name + dot + 1)), cores) << name;
  }
}

}  // namespace
}  // namespace loom::app::plot
