#include <gtest/gtest.h>

#include <cmath>

#include "app/bench/results.h"
#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "app/plot/plot_area.h"
#include "compute/core/error.h"
#include "sample_dwells.h"
#include "sample_results.h"

namespace loom::app::plot {
namespace {

bench::Row on_devices(int devices, int level, std::uint32_t tile_size, double ms) {
  bench::Row entry = test::measured_row("compact", level, tile_size, ms);
  entry.set("devices", devices);
  return entry;
}

/// The compact map at levels 10 to 12 on 1, 2, 3 and 4 devices: 1.9, 2.7 and 3.4 times as fast at every
/// level. Each level takes 3 times as long as the one before.
bench::Results scaling_results(std::uint32_t tile_size = 8) {
  bench::Results results = test::sample_results();
  results.rows.clear();
  double one = 9;
  for (int level = 10; level <= 12; ++level, one *= 3) {
    int devices = 1;
    for (const double times : {1.0, 1.9, 2.7, 3.4})
      results.rows.push_back(on_devices(devices++, level, tile_size, one / times));
  }
  results.planned = results.rows.size();
  return results;
}

void expect_points(const Series& series, const std::vector<Point>& points) {
  ASSERT_EQ(series.points.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(series.points[i].level, points[i].level);
    EXPECT_NEAR(series.points[i].value, points[i].value, 1e-12);
  }
}

TEST(Scaling, HasAStrongAndAWeakPanelByDevices) {
  const Figure figure = make_scaling_figure(scaling_results(), Selection{});
  EXPECT_EQ(figure.x_axis, XAxis::kDevices);
  ASSERT_EQ(figure.panels.size(), 2u);
  const Panel& strong = figure.panels[0];
  EXPECT_EQ(strong.title, "strong scaling: same problem size");
  ASSERT_EQ(strong.series.size(), 1u + 3u);
  EXPECT_EQ(strong.series[0].colour, kUniformStyle);
  expect_points(strong.series[0], {{1, 1}, {2, 2}, {3, 3}, {4, 4}});
  for (std::size_t i = 1; i <= 3; ++i)
    expect_points(strong.series[i], {{1, 1}, {2, 1.9}, {3, 2.7}, {4, 3.4}});
  // Three devices at level r + 1 have as many cells each as one device at level r; 2 and 4 devices have
  // nearly as many. The highest level has none above it.
  const Panel& weak = figure.panels[1];
  EXPECT_EQ(weak.title, "weak scaling: same cells per device");
  ASSERT_EQ(weak.series.size(), 1u + 2u);
  for (std::size_t i = 1; i <= 2; ++i) expect_points(weak.series[i], {{1, 1}, {2, 1.9}, {3, 2.7}, {4, 3.4}});
  EXPECT_NE(figure.caption.find("Weak scaling: cells per second"), std::string::npos) << figure.caption;
}

// Bit-packed results with another number of generations per sample belong to another method.
TEST(Scaling, BitsOfOtherBatchesAreNotCompared) {
  bench::Results results = scaling_results();
  for (bench::Row& entry : results.rows) {
    entry.set("storage", "bits");
    entry.set("generations_per_sample", entry.count("level") == 10 ? 4 : 1);
  }
  EXPECT_THROW(make_scaling_figure(results, Selection{}), InputError);
  EXPECT_NO_THROW(make_scaling_figure(results, Selection{{{"level", {"11", "12"}}}}));
  EXPECT_NO_THROW(make_scaling_figure(results, Selection{{{"level", {"10"}}}}));
  EXPECT_THROW(make_scaling_figure(results, Selection{{{"level", {"13"}}}}), InputError);
}

TEST(Scaling, WeakLeavesOutWhatHasNoLevelNear) {
  bench::Results results = scaling_results();
  for (bench::Row& entry : results.rows) {  // k = 12: two devices have half or six times the cells each
    entry.set("fractal", "candy");
    entry.set("cells", std::pow(12, entry.number("level")));
  }
  const Figure figure = make_scaling_figure(results, Selection{});
  ASSERT_EQ(figure.panels.size(), 1u);
  EXPECT_EQ(figure.panels[0].title, "strong scaling: same problem size");
  EXPECT_EQ(figure.caption.find("Weak"), std::string::npos) << figure.caption;
}

TEST(Scaling, OfTheBestTileSizeComparesBestWithBest) {
  bench::Results results = scaling_results(8);
  for (int level = 10; level <= 12; ++level) {
    results.rows.push_back(on_devices(1, level, 4, 1));
    results.rows.push_back(on_devices(2, level, 4, 0.8));
  }
  const Figure each = make_scaling_figure(results, Selection{});
  EXPECT_EQ(each.panels[0].series.size(), 1u + 6u);
  const Figure best = make_scaling_figure(results, Selection{.best = true});
  ASSERT_EQ(best.panels[0].series.size(), 1u + 3u);
  expect_points(best.panels[0].series[1], {{1, 1}, {2, 1.25}, {3, 1 * 2.7 / 9}, {4, 1 * 3.4 / 9}});
  EXPECT_NE(best.y_label.find("best tile size"), std::string::npos);
}

TEST(Scaling, RepeatsAreDrawnByTheirMedian) {
  bench::Results results = scaling_results();
  results.rows.erase(results.rows.begin() + 2, results.rows.end());  // level 10 on one and two devices
  for (const double ms : {1.0, 100.0}) results.rows.push_back(on_devices(1, 10, 8, ms));
  const Figure figure = make_scaling_figure(results, Selection{});
  expect_points(figure.panels[0].series[1], {{1, 1}, {2, 1.9}});
}

TEST(Scaling, NeedsOneDeviceAndSeveral) {
  EXPECT_THROW(make_scaling_figure(test::sample_results(), Selection{}), InputError);
  EXPECT_THROW(make_scaling_figure(test::sample_dwells(), Selection{}), InputError);
  EXPECT_THROW(make_scaling_figure(scaling_results(), Selection{{{"devices", {"2", "4"}}}}), InputError);
  EXPECT_THROW(make_scaling_figure(scaling_results(), Selection{{{"devices", {"8"}}}}), InputError);
  EXPECT_NO_THROW(make_scaling_figure(scaling_results(), Selection{{{"devices", {"1", "4"}}}}));
}

TEST(Scaling, OtherKindsAreOfOneNumberOfDevices) {
  try {
    make_figure(scaling_results(), Quantity::kTime, Selection{});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("--devices with one of 1, 2, 3, 4"), std::string::npos)
        << error.what();
  }
  const Figure figure = make_figure(scaling_results(), Quantity::kTime, Selection{{{"devices", {"2"}}}});
  ASSERT_EQ(figure.panels[0].series.size(), 1u);
  EXPECT_NEAR(figure.panels[0].series[0].points[0].value, 9 / 1.9, 1e-12);
  EXPECT_EQ(subjects_of(scaling_results()).at("devices"), (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST(Scaling, OfTheMandelbrotSetGrowsWithPixels) {
  bench::Results results(bench::SweepKind::kMandelbrot);
  results.settings = nlohmann::ordered_json::object();
  for (const std::uint32_t n : {1024u, 2048u}) {
    for (const int devices : {1, 2, 4}) {
      results.rows.push_back(test::dwell_row({}, n, n / 128.0 * n / 128.0 / (devices * 0.75)));
      results.rows.back().set("devices", devices);
    }
  }
  const Figure figure = make_scaling_figure(results, Selection{});
  ASSERT_EQ(figure.panels.size(), 2u);
  expect_points(figure.panels[0].series[1], {{1, 1}, {2, 2}, {4, 4}});
  ASSERT_EQ(figure.panels[1].series.size(), 1u + 1u);
  expect_points(figure.panels[1].series[1],
                {{1, 1}, {4, 4}});  // 2 devices have half or twice the pixels each
  EXPECT_THROW(make_figure(results, Quantity::kTime, Selection{}), InputError);
}

TEST(Scaling, DevicesGoThroughFilesAndOneIsNotWritten) {
  const bench::Results results = scaling_results();
  const std::string text = bench::document_text(results);
  EXPECT_TRUE(bench::parse_results(text, "x") == results);
  EXPECT_NE(text.find("\"devices\":4"), std::string::npos);
  EXPECT_EQ(text.find("\"devices\":1"), std::string::npos);
  auto json = nlohmann::ordered_json::parse(text);
  json["configurations"][0]["devices"] = 0;
  EXPECT_THROW(bench::parse_results(json.dump(), "x"), InputError);
}

TEST(Scaling, IsDrawnWithDevicesAtTheirLogarithms) {
  const Figure figure = make_scaling_figure(scaling_results(), Selection{});
  const PlotArea plot_area{{{0, 0}, {300, 200}}, 1, 4, make_axis(figure), XAxis::kDevices};
  EXPECT_DOUBLE_EQ(plot_area.x(1), 50);
  EXPECT_DOUBLE_EQ(plot_area.x(2), 150);
  EXPECT_DOUBLE_EQ(plot_area.x(4), 250);
  EXPECT_GT(draw_figure(figure, FigureFormat::kSvg).size(), 1000u);
  const PlotArea depths{{{0, 0}, {300, 200}}, 0, 3, make_axis(figure), XAxis::kDepth};
  EXPECT_DOUBLE_EQ(depths.x(0), 50) << "depths begin at 0";
  EXPECT_DOUBLE_EQ(depths.x(1), 150);
}

}  // namespace
}  // namespace loom::app::plot
