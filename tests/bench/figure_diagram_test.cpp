#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "app/plot/diagram_file.h"
#include "app/plot/figure.h"
#include "app/plot/plot_area.h"
#include "sample_results.h"

// Layout without a painter: positions and texts of the display list.

namespace loom::app::plot {
namespace {

using diagram::Diagram;

template <typename Shape>
std::vector<Shape> shapes_of(const Diagram& diagram) {
  std::vector<Shape> shapes;
  for (const Diagram::Shape& shape : diagram.shapes()) {
    if (const auto* const one = std::get_if<Shape>(&shape)) shapes.push_back(*one);
  }
  return shapes;
}

const diagram::Text* find_text(const std::vector<diagram::Text>& texts, const std::string& text) {
  const auto found =
      std::find_if(texts.begin(), texts.end(), [&](const auto& one) { return one.text == text; });
  return found == texts.end() ? nullptr : &*found;
}

Figure sample_figure(Quantity kind = Quantity::kTime) {
  return make_figure(test::sample_results(), kind, Selection{});
}

TEST(FigureDiagram, EveryPointHasAHotspotOnItsLine) {
  const Figure figure = sample_figure();
  const Diagram diagram = figure_diagram(figure, diagram::estimated_width);
  std::vector<diagram::Polyline> lines;  // of the series, in their order
  for (const diagram::Polyline& line : shapes_of<diagram::Polyline>(diagram)) {
    if (std::holds_alternative<diagram::ColourPair>(line.paint) && line.points.size() == 3)
      lines.push_back(line);
  }
  ASSERT_EQ(lines.size(), figure.panels[0].series.size());
  ASSERT_EQ(diagram.hotspots().size(), 3 * lines.size());
  for (const diagram::Hotspot& hotspot : diagram.hotspots()) {
    const auto [series, index] = point_of(figure, hotspot.tag);
    ASSERT_NE(series, nullptr);
    const auto place = static_cast<std::size_t>(series - figure.panels[0].series.data());
    EXPECT_NEAR(hotspot.box.centre().x, lines[place].points[index].x, 1e-3f);
    EXPECT_NEAR(hotspot.box.centre().y, lines[place].points[index].y, 1e-3f);
    EXPECT_EQ(lines[place].paint, diagram::Paint(series_colour(series->colour)));
  }
  const int beyond = static_cast<int>(diagram.hotspots().size());
  EXPECT_EQ(point_of(figure, beyond).first, nullptr);
}

TEST(FigureDiagram, APageHasTitleAndCaptionAndAWindowHasNeither) {
  const Figure figure = sample_figure();
  const auto page = shapes_of<diagram::Text>(figure_diagram(figure, diagram::estimated_width));
  const auto window =
      shapes_of<diagram::Text>(figure_diagram(figure, diagram::estimated_width, glm::vec2{60, 40}));
  EXPECT_NE(find_text(page, figure.title), nullptr);
  EXPECT_EQ(find_text(window, figure.title), nullptr);
  EXPECT_GT(page.size(), window.size() + 1) << "the caption";
  for (const std::string& text : {figure.x_label, figure.y_label, figure.legend[0].title, std::string("6")}) {
    EXPECT_NE(find_text(page, text), nullptr) << text;
    EXPECT_NE(find_text(window, text), nullptr) << text;
  }
}

TEST(FigureDiagram, FitsAWindowAndMovesItsLegendBelowNarrowPanels) {
  const Figure figure = sample_figure();
  for (const float width : {24.0f, 30.0f, 45.0f, 90.0f}) {
    const Diagram diagram = figure_diagram(figure, diagram::estimated_width, glm::vec2{width, 44});
    EXPECT_LE(diagram.size().x, width + 0.01f) << width;
    EXPECT_LE(diagram.size().y, 44.01f) << width;
    const auto texts = shapes_of<diagram::Text>(diagram);
    const bool below =
        find_text(texts, figure.legend[0].title)->at.y > find_text(texts, figure.x_label)->at.y;
    EXPECT_EQ(below, width < 31) << width;
    for (const diagram::Hotspot& hotspot : diagram.hotspots()) {
      EXPECT_GT(hotspot.box.centre().x, 0);
      EXPECT_LT(hotspot.box.centre().x, width);
    }
  }
}

TEST(FigureDiagram, LargerValuesAreHigherAndHigherLevelsFurtherRight) {
  Figure figure = sample_figure(Quantity::kSpeedup);  // lambda is `level` times as fast
  const Diagram diagram = figure_diagram(figure, diagram::estimated_width);
  const auto& spots = diagram.hotspots();
  EXPECT_LT(spots[0].box.corner.x, spots[1].box.corner.x);
  EXPECT_GT(spots[0].box.corner.y, spots[2].box.corner.y);
}

LandscapeFigure small_landscape() {
  LandscapeFigure landscape;
  landscape.value_name = "milliseconds";
  landscape.gs = {2, 3};
  landscape.bs = {4, 8, 16};
  landscape.rs = {2, 5};
  landscape.cells = {{{2, 2, 4}, 10}, {{3, 2, 16}, 1}, {{2, 5, 8}, 100}};
  landscape.best = 1;
  landscape.worst = 100;
  landscape.optimum = {3, 2, 16};
  landscape.marked = CostCut{2, 5, 8};
  landscape.notes = {"A note."};
  return landscape;
}

TEST(LandscapeDiagram, EveryCombinationHasAHotspotAndMeasuredOnesAValue) {
  const LandscapeFigure landscape = small_landscape();
  const Diagram diagram = landscape_diagram(landscape, diagram::estimated_width);
  ASSERT_EQ(diagram.hotspots().size(), 12u);
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> cuts;
  std::size_t measured = 0;
  for (const diagram::Hotspot& hotspot : diagram.hotspots()) {
    const CostCut cut = cut_of(landscape, hotspot.tag);
    cuts.insert({cut.g, cut.r, cut.b});
    const auto value = value_at(landscape, cut);
    if (!value) continue;
    ++measured;
    const auto fills = shapes_of<diagram::Fill>(diagram);
    EXPECT_TRUE(std::any_of(fills.begin(), fills.end(), [&](const diagram::Fill& fill) {
      return fill.box == hotspot.box && std::holds_alternative<glm::u8vec3>(fill.paint);
    })) << cut.g;
  }
  EXPECT_EQ(cuts.size(), 12u);
  EXPECT_EQ(measured, 3u);
  const auto texts = shapes_of<diagram::Text>(diagram);
  for (const char* text : {"1.00", "10.0", "100", "r = 5", "3", "16", "A note."})
    EXPECT_NE(find_text(texts, text), nullptr) << text;
  EXPECT_LT(find_text(texts, "1.00")->at.y, find_text(texts, "10.0")->at.y) << "g increases upwards";
}

TEST(LandscapeDiagram, FramesTheOptimumSolidAndTheMarkedCellDashed) {
  const LandscapeFigure landscape = small_landscape();
  const Diagram diagram = landscape_diagram(landscape, diagram::estimated_width);
  const auto frames = shapes_of<diagram::Polyline>(diagram);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_TRUE(frames[0].dash.empty());
  EXPECT_FALSE(frames[1].dash.empty());
  const auto middle = [](const diagram::Polyline& frame) {
    return (frame.points[0] + frame.points[2]) / 2.0f;
  };
  EXPECT_EQ(cut_of(landscape, diagram.hotspot_at(middle(frames[0]))->tag), landscape.optimum);
  EXPECT_EQ(cut_of(landscape, diagram.hotspot_at(middle(frames[1]))->tag), *landscape.marked);
}

TEST(LandscapeDiagram, FitsAWindow) {
  const LandscapeFigure landscape = small_landscape();
  for (const glm::vec2 size : {glm::vec2{20, 0}, glm::vec2{20, 40}, glm::vec2{60, 20}}) {
    const Diagram diagram = landscape_diagram(landscape, diagram::estimated_width, size);
    EXPECT_LE(diagram.size().x, size.x + 0.01f);
    if (size.y > 0) {
      EXPECT_LE(diagram.size().y, size.y);
    }
    const bool in_a_row = diagram.hotspots()[0].box.corner.y == diagram.hotspots()[6].box.corner.y;
    EXPECT_EQ(in_a_row, size.y < 30) << size.y;
  }
}

}  // namespace
}  // namespace loom::app::plot
