#include "app/explain/diagram/diagram.h"

#include <gtest/gtest.h>

namespace loom::app::diagram {
namespace {

/// Every character is half a font size wide, bold ones a whole one.
float half(std::string_view text, FontFace face) {
  return static_cast<float>(text.size()) * (face == FontFace::kBold ? 1.0f : 0.5f);
}

TEST(Diagram, ItsExtentContainsAllShapesByTheMetricsOfItsPainter) {
  Diagram diagram(half);
  diagram.text({.at = {1, 2}, .text = "abcd"});
  EXPECT_FLOAT_EQ(diagram.size().x, 3);
  EXPECT_FLOAT_EQ(diagram.size().y, 2 + Diagram::kLine);
  diagram.text({.at = {1, 0}, .text = "abcd", .size = 2, .face = FontFace::kBold});
  EXPECT_FLOAT_EQ(diagram.size().x, 9);
  diagram.line({{{0, 0}, {12, 1}}, ColourRole::kText});
  diagram.polygon({{{0, 0}, {1, 0}, {0, 7}}, ColourRole::kText});
  EXPECT_FLOAT_EQ(diagram.size().x, 12);
  EXPECT_FLOAT_EQ(diagram.size().y, 7);
}

TEST(Diagram, WrapsTextAtTheGivenWidthAndSize) {
  Diagram diagram(half);
  EXPECT_FLOAT_EQ(draw_wrapped(diagram, {0, 1}, 4, "abcd efg hi", ColourRole::kText), 1 + 2 * Diagram::kLine);
  EXPECT_FLOAT_EQ(draw_wrapped(diagram, {0, 0}, 4, "abcd efg hi", ColourRole::kText, 0.5f),
                  0.5f * Diagram::kLine);
  EXPECT_EQ(std::get<Text>(diagram.shapes()[0]).text, "abcd efg");
  EXPECT_EQ(std::get<Text>(diagram.shapes()[1]).text, "hi");
}

TEST(Diagram, OfSeveralHotspotsUnderAPointTheNearestCentreCounts) {
  Diagram diagram;
  diagram.hotspot({{{0, 0}, {2, 2}}, "", 1});
  diagram.hotspot({{{1, 0}, {2, 2}}, "", 2});
  EXPECT_EQ(diagram.hotspot_at({1.2f, 1})->tag, 1);
  EXPECT_EQ(diagram.hotspot_at({1.8f, 1})->tag, 2);
  EXPECT_EQ(diagram.hotspot_at({0, 0})->tag, 1);
  EXPECT_EQ(diagram.hotspot_at({3, 1}), nullptr) << "the right edge is outside";
}

}  // namespace
}  // namespace loom::app::diagram
