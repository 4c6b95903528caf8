#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "app/plot/figure.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "sample_dwells.h"

namespace loom::app::plot {
namespace {

double value_at(const Series& series, int x) {
  for (const Point& point : series.points) {
    if (point.level == x) return point.value;
  }
  return 0;
}

/// The paper's values at n = 2^16 and 2^30 with P = 0.7, lambda = 100, A = 16, q = 128, c = 64.
TEST(ModelFigure, SubdivisionHasThePapersValues) {
  const std::tuple<Model, double, double> expected[] = {{Model::kWorkReduction, 10.41, 15.94},
                                                        {Model::kSbrSpeedup, 4.59, 15.67},
                                                        {Model::kMbrSpeedup, 7.41, 15.88}};
  for (const auto& [model, at_16, at_30] : expected) {
    const ModelRequest request{.model = model, .p = {0.7, 0.2}, .dwell = {16}};
    const Figure figure = make_model_figure(request);
    ASSERT_EQ(figure.panels.size(), 1u);
    ASSERT_EQ(figure.panels[0].series.size(), 2u);
    EXPECT_NEAR(value_at(figure.panels[0].series[0], 16), at_16, 0.005) << name_of(model);
    EXPECT_NEAR(value_at(figure.panels[0].series[0], 30), at_30, 0.005) << name_of(model);
    EXPECT_NE(figure.caption.find("not measured"), std::string::npos);
  }
}

TEST(ModelFigure, OverAParameterTheOthersAreTheBest) {
  // The best cuts at n = 2^16 are (2, 2, 8), (8, 2, 64) and (2, 2, 64).
  const std::tuple<Model, XAxis, int, double> expected[] = {{Model::kWorkReduction, XAxis::kB, 3, 10.41},
                                                            {Model::kSbrSpeedup, XAxis::kG, 3, 4.59},
                                                            {Model::kMbrSpeedup, XAxis::kR, 1, 7.41}};
  for (const auto& [model, over, best_x, best] : expected) {
    const ModelRequest request{.model = model, .over = over, .p = {0.7}, .dwell = {16}};
    const Figure figure = make_model_figure(request);
    const Series& series = figure.panels[0].series.at(0);
    ASSERT_EQ(series.points.size(), 8u);
    EXPECT_NEAR(value_at(series, best_x), best, 0.005) << name_of(model);
    for (const Point& point : series.points) EXPECT_LE(point.value, value_at(series, best_x));
  }
}

TEST(ModelFigure, EachWorkOfAPixelHasAPanelAndEachCostADash) {
  ModelRequest request{.p = {0.5, 0.9}, .dwell = {16, 512}, .lambda = {1, 100, 1000}};
  Figure figure = make_model_figure(request);
  ASSERT_EQ(figure.panels.size(), 2u);
  for (const Panel& panel : figure.panels) ASSERT_EQ(panel.series.size(), 6u);
  EXPECT_EQ(figure.panels[1].title, "A = 512");
  ASSERT_EQ(figure.legend.size(), 2u);
  EXPECT_EQ(figure.legend[0].items.size(), 2u);
  EXPECT_EQ(figure.legend[1].items.size(), 3u);
  request.cuts[XAxis::kG] = {256};
  request.cuts[XAxis::kB] = {256};
  figure = make_model_figure(request);
  EXPECT_EQ(figure.panels[0].series.at(0).points.front().level, 17) << "n = g r B at least";
  request.p = {1.5};
  EXPECT_THROW(make_model_figure(request), InputError);
}

TEST(ModelFigure, SpacesOfMapsAreCounted) {
  ModelRequest request{.model = Model::kCompression,
                       .fractals = {find_fractal("sierpinski-gasket"), find_fractal("sierpinski-carpet")},
                       .levels = {0, 1, 2, 5}};
  Figure figure = make_model_figure(request);
  ASSERT_EQ(figure.panels[0].series.size(), 2u);
  EXPECT_EQ(figure.panels[0].series[0].points,
            (std::vector<Point>{{0, 1}, {1, 4.0 / 3}, {2, 16.0 / 9}, {5, 1024.0 / 243}}));
  EXPECT_EQ(figure.panels[0].series[1].points,
            (std::vector<Point>{{0, 1}, {1, 9.0 / 8}, {2, 81.0 / 64}, {5, 59049.0 / 32768}}));
  request.model = Model::kParallelSpace;
  request.tile_size = 4;
  figure = make_model_figure(request);
  ASSERT_EQ(figure.panels[0].series.size(), 1u) << "the carpet has no tile of 4 x 4";
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{2, 1}, {5, 64.0 / 27}}));
}

TEST(ModelFigure, MapTimeIsTheGrowthRateOfTheTheorem) {
  const Figure figure = make_model_figure({.model = Model::kMapTime,
                                           .fractals = {find_fractal("sierpinski-gasket")},
                                           .levels = {0, 1, 2, 4, 16}});
  const Series& series = figure.panels[0].series.at(0);
  ASSERT_EQ(series.points.size(), 3u) << "log2 log_s n is 0 or less below level 2";
  for (const Point& point : series.points) {
    const double n = std::exp2(point.level);
    EXPECT_NEAR(point.value, std::pow(n, 2 - std::log2(3.0)) / std::log2(std::log2(n)), 1e-9 * point.value);
  }
}

TEST(MandelbrotFigure, OverAParameterTheOthersAreTheBestMeasured) {
  bench::Results results(bench::SweepKind::kMandelbrot);
  results.rows.push_back(test::dwell_row({.method = MandelbrotMethod::kExhaustive}, 1024, 16));
  const auto add = [&](std::uint32_t g, std::uint32_t b, double ms) {
    MandelbrotConfig config;
    config.g = g;
    config.b = b;
    results.rows.push_back(test::dwell_row(config, 1024, ms));
  };
  add(2, 16, 8);
  add(2, 32, 4);
  add(4, 16, 2);
  add(4, 32, 6);
  add(8, 64, 1);
  const auto points_of = [&](Quantity kind, XAxis over) {
    const Figure figure = make_figure(results, kind, {.over = over});
    EXPECT_EQ(figure.x_axis, over);
    return figure.panels.at(0).series.at(0).points;
  };
  EXPECT_EQ(points_of(Quantity::kTime, XAxis::kG), (std::vector<Point>{{1, 4}, {2, 2}, {3, 1}}));
  EXPECT_EQ(points_of(Quantity::kSpeedup, XAxis::kG), (std::vector<Point>{{1, 4}, {2, 8}, {3, 16}}));
  EXPECT_EQ(points_of(Quantity::kTime, XAxis::kB), (std::vector<Point>{{4, 2}, {5, 4}, {6, 1}}));
  const Selection only{.values = {{"method", {"exhaustive"}}}, .over = XAxis::kG};
  EXPECT_THROW(make_figure(results, Quantity::kTime, only), InputError);
  add(2, 16, 1);
  results.rows.back() = test::dwell_row({}, 2048, 1);
  EXPECT_THROW(points_of(Quantity::kTime, XAxis::kG), InputError) << "two sizes";
}

}  // namespace
}  // namespace loom::app::plot
