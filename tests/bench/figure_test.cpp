#include "app/plot/figure.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/plot/draw_figure.h"
#include "app/plot/log_axis.h"
#include "compute/core/error.h"
#include "sample_results.h"

namespace loom::app::plot {
namespace {

using test::measured_entry;
using test::sample_results;

std::size_t count_series(const Figure& figure) {
  std::size_t count = 0;
  for (const Panel& panel : figure.panels) count += panel.series.size();
  return count;
}

TEST(Figure, TimeHasALineAMapAndBlockSize) {
  const Figure figure = make_figure(sample_results(), Kind::kTime, {});
  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(count_series(figure), 6u);
  EXPECT_EQ(figure.scale, 2u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 32}, {5, 40}, {6, 48}}));
}

TEST(Figure, SpeedupIsAgainstTheBoundingBoxOfTheSameBlockSize) {
  bench::Results results = sample_results();
  results.entries.push_back(measured_entry("lambda", 6, 8, 1));  // no bounding box at this block size
  const Figure figure = make_figure(results, Kind::kSpeedup, {});
  ASSERT_EQ(count_series(figure), 3u);
  for (const Series& series : figure.panels[0].series) {
    EXPECT_EQ(series.points, (std::vector<Point>{{4, 4}, {5, 5}, {6, 6}}));
  }
}

TEST(Figure, LinesOfAMethodThatDoNotDependOnTheBlockSizeAreOne) {
  const Figure memory = make_figure(sample_results(), Kind::kMemory, {});
  EXPECT_EQ(count_series(memory), 1u);  // both maps hold the same bytes too
  EXPECT_EQ(memory.panels[0].series[0].points.front(), (Point{4, 512}));
  const Figure efficiency = make_figure(sample_results(), Kind::kEfficiency, {});
  EXPECT_EQ(count_series(efficiency), 1u + 3u);
}

TEST(Figure, RepeatsAreDrawnByTheirMedian) {
  bench::Results results;
  results.settings = nlohmann::ordered_json::object();
  for (double ms : {7.0, 1.0, 2.0}) results.entries.push_back(measured_entry("lambda", 4, 1, ms));
  const Figure figure = make_figure(results, Kind::kTime, {});
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 2}}));
}

TEST(Figure, FiltersChooseMapsAndBlocks) {
  EXPECT_EQ(count_series(make_figure(sample_results(), Kind::kTime, {.maps = {"lambda"}})), 3u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Kind::kTime, {.blocks = {2}})), 2u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Kind::kSpeedup, {.maps = {"lambda"}, .blocks = {2}})),
            1u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Kind::kTime, {.best = true})), 2u);
}

TEST(Figure, ManyMethodsGetAPanelAMap) {
  bench::Results results = sample_results();
  for (const char* arithmetic : {"table", "loop"}) {
    for (const char* intra_block : {"lookup", "unrolled"}) {
      bench::Entry entry = measured_entry("lambda", 5, 2, 3);
      entry.arithmetic = arithmetic;
      entry.intra_block = intra_block;
      results.entries.push_back(entry);
    }
  }
  const Figure figure = make_figure(results, Kind::kTime, {});
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].title, "bounding-box");
  EXPECT_EQ(figure.panels[1].series.size(), 3u + 4u);
}

TEST(Figure, WhatIsNotInTheResultsIsRefused) {
  EXPECT_THROW(make_figure(sample_results(), Kind::kTime, {.fractals = {"candy"}}), InputError);
  EXPECT_THROW(make_figure(sample_results(), Kind::kTime, {.blocks = {32}}), InputError);
  EXPECT_THROW(make_figure(sample_results(), Kind::kSpeedup, {.maps = {"bounding-box"}}), InputError);
  // There is only a skipped entry of it.
  EXPECT_THROW(make_figure(sample_results(), Kind::kTime, {.maps = {"compact"}}), InputError);
  bench::Results empty = sample_results();
  empty.entries.clear();
  EXPECT_THROW(make_figure(empty, Kind::kTime, {}), InputError);
}

TEST(Figure, SeveralFractalsNeedAChoice) {
  bench::Results results = sample_results();
  results.entries.push_back(measured_entry("lambda", 4, 1, 1));
  results.entries.back().fractal = "candy";
  EXPECT_THROW(make_figure(results, Kind::kTime, {}), InputError);
  EXPECT_EQ(count_series(make_figure(results, Kind::kTime, {.fractals = {"candy"}})), 1u);
}

TEST(Figure, TheCaptionNamesMachineBackendCommitAndDate) {
  const std::string caption = make_figure(sample_results(), Kind::kTime, {}).caption;
  for (const char* part : {"Test CPU", "2 threads", "cpu backend", "abc1234", "2026-11-20", "B2/S23"}) {
    EXPECT_NE(caption.find(part), std::string::npos) << part << " is not in: " << caption;
  }
}

TEST(LogAxis, HoldsAllValuesAndTicksAscend) {
  for (Kind kind : {Kind::kSpeedup, Kind::kTime, Kind::kMemory, Kind::kEfficiency}) {
    const Figure figure = make_figure(sample_results(), kind, {});
    const LogAxis axis = make_axis(figure);
    for (const Series& series : figure.panels[0].series) {
      for (const Point& point : series.points) {
        EXPECT_GT(axis.position(point.value), 0);
        EXPECT_LT(axis.position(point.value), 1);
      }
    }
    ASSERT_GE(axis.ticks.size(), 2u) << name_of(kind);
    EXPECT_TRUE(std::is_sorted(axis.ticks.begin(), axis.ticks.end(),
                               [](const Tick& a, const Tick& b) { return a.value < b.value; }));
    const auto labelled =
        std::count_if(axis.ticks.begin(), axis.ticks.end(), [](const Tick& t) { return !t.label.empty(); });
    EXPECT_GE(labelled, 2) << name_of(kind);
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(DrawFigure, AnSvgHasADashedLineForEachSeriesOfTheSecondMethod) {
  const std::string svg = draw_figure(make_figure(sample_results(), Kind::kTime, {}), Format::kSvg);
  EXPECT_EQ(svg.rfind("<?xml", 0), 0u);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u + 1u);  // and its line in the legend
}

TEST(DrawFigure, APdfAndAPngAreWhole) {
  const Figure figure = make_figure(sample_results(), Kind::kSpeedup, {});
  const std::string pdf = draw_figure(figure, Format::kPdf);
  EXPECT_EQ(pdf.rfind("%PDF-", 0), 0u);
  EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
  const std::string png = draw_figure(figure, Format::kPng);
  EXPECT_EQ(png.rfind("\x89PNG\r\n\x1a\n", 0), 0u);
  EXPECT_NE(png.find("IEND"), std::string::npos);
}

TEST(DrawFigure, EveryKindAndASinglePointCanBeDrawn) {
  bench::Results results = sample_results();
  results.entries.resize(2);  // bounding box and lambda at level 4, block 1
  for (Kind kind : {Kind::kSpeedup, Kind::kTime, Kind::kMemory, Kind::kEfficiency}) {
    EXPECT_GT(draw_figure(make_figure(results, kind, {}), Format::kSvg).size(), 1000u);
  }
}

TEST(Format, IsTheEndingOfTheFile) {
  EXPECT_EQ(format_of("a/b.svg"), Format::kSvg);
  EXPECT_EQ(format_of("b.pdf"), Format::kPdf);
  EXPECT_EQ(format_of("b.png"), Format::kPng);
  EXPECT_THROW(format_of("b.json"), InputError);
  EXPECT_THROW(format_of("svg"), InputError);
}

}  // namespace
}  // namespace loom::app::plot
