#include "app/plot/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/plot/diagram_file.h"
#include "app/plot/plot_area.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "sample_results.h"

namespace loom::app::plot {
namespace {

using test::measured_row;
using test::sample_results;

std::size_t count_series(const Figure& figure) {
  std::size_t count = 0;
  for (const Panel& panel : figure.panels) count += panel.series.size();
  return count;
}

TEST(Figure, TimeHasALineAMapAndTileSize) {
  const Figure figure = make_figure(sample_results(), Quantity::kTime, Selection{});
  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(count_series(figure), 6u);
  EXPECT_EQ(figure.scale, 2u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 32}, {5, 40}, {6, 48}}));
}

TEST(Figure, SpeedupIsAgainstTheBoundingBoxOfTheSameTileSize) {
  bench::Results results = sample_results();
  results.rows.push_back(measured_row("lambda", 6, 8, 1));  // no bounding box at this tile size
  const Figure figure = make_figure(results, Quantity::kSpeedup, Selection{});
  ASSERT_EQ(count_series(figure), 3u);
  for (const Series& series : figure.panels[0].series) {
    EXPECT_EQ(series.points, (std::vector<Point>{{4, 4}, {5, 5}, {6, 6}}));
  }
}

// Earlier results in which the bounding box took three times as long and lambda half as long, on another
// backend.
TEST(Figure, SpeedupsCanBeOverOtherResults) {
  bench::Results earlier = sample_results();
  for (bench::Row& entry : earlier.rows) {
    entry.set("backend", "cuda");
    if (entry.measured())
      entry.set("median_ms", entry.number("median_ms") * (entry["map"] == "bounding-box" ? 3 : 0.5));
  }
  Baseline baseline{earlier, "earlier.json"};
  for (const bool best : {false, true}) {
    const Figure figure =
        make_figure(sample_results(), Quantity::kSpeedup, Selection{.best = best}, &baseline);
    ASSERT_EQ(figure.panels.size(), 1u);
    const std::vector<Series>& series = figure.panels[0].series;
    ASSERT_EQ(series.size(), best ? 2u : 6u);
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double value = i < series.size() / 2 ? 3 : 0.5;  // the bounding box comes first
      EXPECT_EQ(series[i].points, (std::vector<Point>{{4, value}, {5, value}, {6, value}}));
    }
    EXPECT_NE(figure.title.find("speedup over earlier.json"), std::string::npos) << figure.title;
  }
  for (bench::Row& entry : baseline.results.rows) entry.set("block", 16);
  EXPECT_THROW(make_figure(sample_results(), Quantity::kSpeedup, Selection{}, &baseline), InputError);
  for (bench::Row& entry : baseline.results.rows) entry.set("fractal", "vicsek");
  EXPECT_THROW(make_figure(sample_results(), Quantity::kSpeedup, Selection{}, &baseline), InputError);
}

TEST(Figure, BeforeMeasuringItCountsThreadsPerCell) {
  const Figure figure =
      make_model_figure({.model = Model::kParallelSpace,
                         .fractals = {find_fractal("sierpinski-gasket"), find_fractal("sierpinski-carpet")},
                         .levels = {0, 2, 5}});
  ASSERT_EQ(count_series(figure), 2u);
  EXPECT_EQ(figure.panels[0].series[0].points,
            (std::vector<Point>{{0, 1}, {2, 16.0 / 9}, {5, 1024.0 / 243}}));
  EXPECT_EQ(figure.panels[0].series[1].points,
            (std::vector<Point>{{0, 1}, {2, 81.0 / 64}, {5, 59049.0 / 32768}}));
}

TEST(Figure, LinesThatAreMapsHaveTheirColours) {
  const Figure figure = make_figure(sample_results(), Quantity::kTime, Selection{.best = true});
  ASSERT_EQ(count_series(figure), 2u);
  const auto colour = [&](std::size_t i) { return series_colour(figure.panels[0].series[i].colour).on_dark; };
  EXPECT_EQ(colour(0), glm::u8vec3(glm::vec3(colour_of(MapKind::kBoundingBox)) * 255.0f));
  EXPECT_EQ(colour(1), glm::u8vec3(glm::vec3(colour_of(MapKind::kLambda)) * 255.0f));
}

TEST(Figure, LinesOfAMethodThatDoNotDependOnTheTileSizeAreOne) {
  const Figure memory = make_figure(sample_results(), Quantity::kMemory, Selection{});
  EXPECT_EQ(count_series(memory), 1u);  // both maps also allocate the same bytes
  EXPECT_EQ(memory.panels[0].series[0].points.front(), (Point{4, 512}));
  const Figure utilization = make_figure(sample_results(), Quantity::kUtilization, Selection{});
  EXPECT_EQ(count_series(utilization), 1u + 3u);
}

TEST(Figure, RepeatsAreDrawnByTheirMedian) {
  bench::Results results;
  results.settings = nlohmann::ordered_json::object();
  for (double ms : {7.0, 1.0, 2.0}) results.rows.push_back(measured_row("lambda", 4, 1, ms));
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 2}}));
}

TEST(Figure, FiltersChooseMapsAndTileSizes) {
  EXPECT_EQ(count_series(make_figure(sample_results(), Quantity::kTime, Selection{{{"map", {"lambda"}}}})),
            3u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Quantity::kTime, Selection{{{"block", {"2"}}}})), 2u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Quantity::kSpeedup,
                                     Selection{{{"map", {"lambda"}}, {"block", {"2"}}}})),
            1u);
  EXPECT_EQ(count_series(make_figure(sample_results(), Quantity::kTime, Selection{.best = true})), 2u);
}

TEST(Figure, ManyMethodsGetAPanelAMap) {
  bench::Results results = sample_results();
  for (const char* arithmetic : {"table", "loop"}) {
    for (const char* intra_block : {"lookup", "unrolled"}) {
      bench::Row entry = measured_row("lambda", 5, 2, 3);
      entry.set("arithmetic", arithmetic);
      entry.set("intra_block", intra_block);
      results.rows.push_back(entry);
    }
  }
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  ASSERT_EQ(figure.panels.size(), 2u);
  EXPECT_EQ(figure.panels[0].title, "bounding box");
  EXPECT_EQ(figure.panels[1].series.size(), 3u + 4u);
}

/// All 1 + 24 + 48 methods of a preset, at two tile sizes.
bench::Results whole_preset() {
  bench::Results results = sample_results();
  results.rows.clear();
  for (int level : {4, 5}) {
    for (std::uint32_t tile_size : {2u, 4u}) {
      results.rows.push_back(measured_row("bounding-box", level, tile_size, 8.0 * tile_size));
      for (const char* map : {"lambda", "compact"}) {
        for (int arithmetic = 0; arithmetic < 8; ++arithmetic) {
          for (const char* intra_block : {"lookup", "sub-box", "unrolled"}) {
            for (bool halo : {true, false}) {
              bench::Row entry = measured_row(map, level, tile_size, 4.0 / tile_size + arithmetic);
              entry.set("arithmetic", "arithmetic-" + std::to_string(arithmetic));
              entry.set("intra_block", intra_block);
              const bool has_halo = !entry["halo"].is_null();
              if (has_halo) entry.set("halo", halo);
              if (has_halo || halo) results.rows.push_back(entry);
            }
          }
        }
      }
    }
  }
  return results;
}

TEST(Figure, AWholePresetIsAGridOfEachMethodsBest) {
  const bench::Results results = whole_preset();
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  ASSERT_EQ(figure.panels.size(), 6u);
  EXPECT_EQ(figure.columns, 3u);
  EXPECT_EQ(figure.panels[0].title, "λ, lookup");
  EXPECT_EQ(figure.panels[5].title, "compact, unrolled");
  ASSERT_EQ(figure.panels[0].series.size(), 1u + 8u) << "with the bounding box";
  ASSERT_EQ(figure.panels[5].series.size(), 1u + 16u);
  EXPECT_EQ(figure.panels[0].series[0].colour, kUniformStyle);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 16}, {5, 16}})) << "tile size 2";
  EXPECT_EQ(figure.panels[0].series[3].points, (std::vector<Point>{{4, 3}, {5, 3}})) << "tile size 4";
  EXPECT_EQ(figure.panels[2].series[3].colour, figure.panels[5].series[5].colour) << "the same arithmetic";
  EXPECT_NE(figure.panels[5].series[5].dash, figure.panels[5].series[6].dash) << "with and without halo";
  EXPECT_NE(figure.y_label.find("best tile size"), std::string::npos);
}

TEST(Figure, AGridOfASingleTileSizeNamesIt) {
  const Figure figure = make_figure(whole_preset(), Quantity::kTime, Selection{{{"block", {"2"}}}});
  EXPECT_EQ(figure.panels.size(), 6u);
  EXPECT_NE(figure.y_label.find("tile size 2"), std::string::npos) << figure.y_label;
}

TEST(Figure, NoLineOfAPanelLooksLikeAnother) {
  for (Quantity kind : kQuantities) {
    for (bool best : {false, true}) {
      for (bench::Results results : {whole_preset(), sample_results()}) {
        for (bench::Row& row : results.rows) {
          if (row.measured()) row.set("joules", row.number("median_ms") / 10);
        }
        const Figure figure = make_figure(results, kind, Selection{.best = best});
        for (const Panel& panel : figure.panels) {
          std::set<std::pair<std::size_t, std::size_t>> looks;
          for (const Series& series : panel.series) looks.insert({series.colour, series.dash % kDashes});
          EXPECT_EQ(looks.size(), panel.series.size()) << name_of(kind) << ", " << panel.title;
        }
        EXPECT_GT(draw_figure(figure, FigureFormat::kSvg).size(), 1000u);
      }
    }
  }
}

TEST(Figure, APointNamesTheEntryThatItShows) {
  for (const bench::Results& results : {whole_preset(), sample_results()}) {
    for (bool best : {false, true}) {
      const Figure figure = make_figure(results, Quantity::kTime, Selection{.best = best});
      for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series) {
          ASSERT_EQ(series.rows.size(), series.points.size());
          for (std::size_t i = 0; i < series.points.size(); ++i) {
            const bench::Row& entry = results.rows.at(series.rows[i]);
            EXPECT_EQ(entry["level"], series.points[i].level);
            EXPECT_EQ(entry.number("median_ms"), series.points[i].value);
          }
        }
      }
    }
  }
}

TEST(Figure, SubjectsAreWhatWasMeasured) {
  bench::Results results = sample_results();
  results.rows.front().set("fractal", "candy");
  results.rows.back().set("fractal", "cantor");  // skipped
  const auto subjects = subjects_of(results);
  EXPECT_EQ(subjects.at("fractal"), (std::vector<std::string>{"candy", "sierpinski-gasket"}));
  EXPECT_EQ(subjects.at("workload"), (std::vector<std::string>{"life"}));
  EXPECT_EQ(subjects.at("backend"), (std::vector<std::string>{"cpu"}));
}

TEST(Figure, WhatIsNotInTheResultsIsRefused) {
  EXPECT_THROW(make_figure(sample_results(), Quantity::kTime, Selection{{{"fractal", {"candy"}}}}),
               InputError);
  EXPECT_THROW(make_figure(sample_results(), Quantity::kTime, Selection{{{"block", {"32"}}}}), InputError);
  EXPECT_THROW(make_figure(sample_results(), Quantity::kSpeedup, Selection{{{"map", {"bounding-box"}}}}),
               InputError);
  // The only entry of this map is skipped.
  EXPECT_THROW(make_figure(sample_results(), Quantity::kTime, Selection{{{"map", {"compact"}}}}), InputError);
  bench::Results empty = sample_results();
  empty.rows.clear();
  EXPECT_THROW(make_figure(empty, Quantity::kTime, Selection{}), InputError);
}

TEST(Figure, SeveralFractalsNeedAChoice) {
  bench::Results results = sample_results();
  results.rows.push_back(measured_row("lambda", 4, 1, 1));
  results.rows.back().set("fractal", "candy");
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError);
  EXPECT_EQ(count_series(make_figure(results, Quantity::kTime, Selection{{{"fractal", {"candy"}}}})), 1u);
}

// The papers' sweeps contain all three workloads, and the plot commands in the documentation name none.
TEST(Figure, OfSeveralWorkloadsLifeIsDrawn) {
  bench::Results results = sample_results();
  const Figure life = make_figure(results, Quantity::kTime, Selection{});
  const auto only = results.rows;
  for (const char* workload : {"reduction", "single-write"}) {
    for (bench::Row entry : only) {
      entry.set("workload", workload);
      if (entry.measured()) entry.set("median_ms", 3 * entry.number("median_ms"));
      results.rows.push_back(std::move(entry));
    }
  }
  const Figure figure = make_figure(results, Quantity::kTime, Selection{});
  EXPECT_EQ(figure.panels[0].series[0].points, life.panels[0].series[0].points);
  EXPECT_NE((figure.title + figure.caption).find("life"), std::string::npos)
      << figure.title << figure.caption;
  EXPECT_EQ(make_figure(results, Quantity::kTime, Selection{{{"workload", {"reduction"}}}})
                .panels[0]
                .series[0]
                .points[0]
                .value,
            96);
  std::erase_if(results.rows, [](const bench::Row& entry) { return entry["workload"] == "life"; });
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError)
      << "no remaining workload takes precedence";
}

TEST(Figure, TheCaptionNamesMachineBackendCommitAndDate) {
  const std::string caption = make_figure(sample_results(), Quantity::kTime, Selection{}).caption;
  for (const char* part : {"Test CPU", "2 threads", "cpu backend", "abc1234", "2026-11-20", "B2/S23"}) {
    EXPECT_NE(caption.find(part), std::string::npos) << part << " is not in: " << caption;
  }
}

TEST(LogAxis, HoldsAllValuesAndTicksAscend) {
  for (Quantity kind : {Quantity::kSpeedup, Quantity::kTime, Quantity::kMemory, Quantity::kUtilization}) {
    const Figure figure = make_figure(sample_results(), kind, Selection{});
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

TEST(LogAxis, HasSeveralNumbersWithinLessThanADecade) {
  bench::Results results = sample_results();
  std::erase_if(results.rows,
                [](const bench::Row& e) { return e["map"] != "lambda" || e.count("level") > 5; });
  results.rows.front().set("median_ms", 10);  // the others are 8
  const LogAxis axis = make_axis(make_figure(results, Quantity::kTime, Selection{}));
  EXPECT_LT(axis.high / axis.low, 3);
  const auto labelled =
      std::count_if(axis.ticks.begin(), axis.ticks.end(), [](const Tick& t) { return !t.label.empty(); });
  EXPECT_GE(labelled, 4);
}

TEST(PlotArea, PlacesLevelsAndValuesWithinItsRectangle) {
  const Figure figure = make_figure(sample_results(), Quantity::kTime, Selection{});
  const auto [first, last] = level_range(figure);
  EXPECT_EQ(first, 4);
  EXPECT_EQ(last, 6);
  const PlotArea plot_area{{{10, 20}, {300, 200}}, first, last, make_axis(figure)};
  EXPECT_DOUBLE_EQ(plot_area.x(4), 60);
  EXPECT_DOUBLE_EQ(plot_area.x(6), 260);
  EXPECT_GT(plot_area.y(8), plot_area.y(48)) << "larger values are higher up";
  EXPECT_LT(plot_area.y(8), plot_area.box.end().y);
  EXPECT_GT(plot_area.y(48), plot_area.box.corner.y);
  EXPECT_EQ(plot_area.level_step(100), 1);
  EXPECT_EQ(plot_area.level_step(101), 2);
  EXPECT_EQ(plot_area.level_step(500), 5);
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(DrawFigure, AnSvgHasADashedLineForEachSeriesOfTheSecondMethod) {
  const std::string svg =
      draw_figure(make_figure(sample_results(), Quantity::kTime, Selection{}), FigureFormat::kSvg);
  EXPECT_EQ(svg.rfind("<?xml", 0), 0u);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 3u + 1u);  // and one in the legend
}

TEST(DrawFigure, APdfAndAPngAreWhole) {
  const Figure figure = make_figure(sample_results(), Quantity::kSpeedup, Selection{});
  const std::string pdf = draw_figure(figure, FigureFormat::kPdf);
  EXPECT_EQ(pdf.rfind("%PDF-", 0), 0u);
  EXPECT_NE(pdf.find("%%EOF"), std::string::npos);
  const std::string png = draw_figure(figure, FigureFormat::kPng);
  EXPECT_EQ(png.rfind("\x89PNG\r\n\x1a\n", 0), 0u);
  EXPECT_NE(png.find("IEND"), std::string::npos);
}

TEST(DrawFigure, EveryKindAndASinglePointCanBeDrawn) {
  bench::Results results = sample_results();
  results.rows.erase(results.rows.begin() + 2,
                     results.rows.end());  // bounding box and lambda at level 4, tile size 1
  for (Quantity kind : {Quantity::kSpeedup, Quantity::kTime, Quantity::kMemory, Quantity::kUtilization}) {
    EXPECT_GT(draw_figure(make_figure(results, kind, Selection{}), FigureFormat::kSvg).size(), 1000u);
  }
}

TEST(Figure, EnergyIsOfRowsThatHaveIt) {
  bench::Results results = sample_results();
  EXPECT_THROW(make_figure(results, Quantity::kEnergy, Selection{}), InputError);
  set_energy(results.rows[0],
             {.sensor = "NVML, GPU 0", .joules = 0.5, .least = 0.4, .most = 0.6, .watts = 400});
  const Figure figure = make_figure(results, Quantity::kEnergy, Selection{});
  ASSERT_EQ(figure.panels.size(), 1u);
  ASSERT_EQ(figure.panels[0].series.size(), 1u);
  EXPECT_EQ(figure.panels[0].series[0].points, (std::vector<Point>{{4, 0.5}}));
  EXPECT_GT(draw_figure(figure, FigureFormat::kSvg).size(), 1000u);
}

TEST(FigureFormat, IsTheEndingOfTheFile) {
  EXPECT_EQ(format_of("a/b.svg"), FigureFormat::kSvg);
  EXPECT_EQ(format_of("b.pdf"), FigureFormat::kPdf);
  EXPECT_EQ(format_of("b.png"), FigureFormat::kPng);
  EXPECT_THROW(format_of("b.json"), InputError);
  EXPECT_THROW(format_of("svg"), InputError);
}

}  // namespace
}  // namespace loom::app::plot
