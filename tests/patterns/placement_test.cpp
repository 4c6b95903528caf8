#include <gtest/gtest.h>

#include <algorithm>

#include "app/patterns/pattern.h"
#include "compute/check/reference_life.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"

namespace loom::app::patterns {
namespace {

std::vector<Coord64> by_reference(const NbbFractal& fractal, int level, const FractalField::Rect& rect) {
  const ReferenceLife reference(fractal, level);
  std::vector<Coord64> cells;
  for (std::uint64_t i = 0; i < reference.cell_count(); ++i) {
    const Coord64 at = reference.place(i);
    if (at.x >= rect.low.x && at.y >= rect.low.y && at.x < rect.low.x + rect.size.x &&
        at.y < rect.low.y + rect.size.y)
      cells.push_back(at);
  }
  return cells;
}

void sort(std::vector<Coord64>& cells) {
  std::ranges::sort(cells, [](Coord64 a, Coord64 b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
}

TEST(Placing, CellsOfARectangleAreThoseOfTheReference) {
  for (const NbbFractal& fractal : catalog()) {
    for (const int level : {0, 1, 3}) {
      const FractalField field(fractal, level);
      const std::uint64_t w = field.width();
      const std::uint64_t h = field.height();
      for (const FractalField::Rect& rect :
           {FractalField::Rect{{0, 0}, {w, h}},
            FractalField::Rect{{w / 3, h / 3}, {(w + 1) / 2, (h + 1) / 2}},
            FractalField::Rect{{w - 1, 0}, {1, h}}, FractalField::Rect{{w / 2, h / 2}, {1, 1}}}) {
        std::vector<Coord64> expected = by_reference(fractal, level, rect);
        std::vector<Coord64> found = field.cells_in(rect);
        sort(expected);
        sort(found);
        EXPECT_EQ(found, expected) << fractal.name() << " level " << level;
        EXPECT_EQ(field.count_in(rect, kMostCells), expected.size());
      }
    }
  }
}

TEST(Placing, CountsNoFurtherThanAsked) {
  const FractalField field(find_fractal("sierpinski-gasket"), 30);
  const FractalField::Rect all{{0, 0}, {field.width(), field.height()}};
  EXPECT_EQ(field.count_in(all, 1000), 1001u);
  EXPECT_EQ(field.count_in({{1, 1}, {field.width() - 2, field.height() - 2}}, 1000), 1001u);
  EXPECT_THROW(field.cells_in(all), InputError);
}

TEST(Placing, CountsWhatFallsOnHolesAndOutside) {
  const FractalField field(find_fractal("sierpinski-gasket"), 2);
  const Pattern row = parse_pattern("6o!", "p");
  // The first row of the gasket has one cell of four.
  PlacementCounts placement;
  field.count(row, {-1, 0}, 0, row.cells.size(), placement);
  EXPECT_EQ(placement, (PlacementCounts{.cells = 1, .holes = 3, .outside = 2}));
  const std::vector<CellEdit> edits = field.placed_cells(row, {-1, 0});
  ASSERT_EQ(edits.size(), 1u);
  EXPECT_EQ(edits[0].cell, (Coord64{0, 0}));
  EXPECT_EQ(edits[0].state, 1);
  PlacementCounts last;
  field.count(row, {0, 3}, 0, row.cells.size(), last);
  EXPECT_EQ(last, (PlacementCounts{.cells = 4, .holes = 0, .outside = 2}));
}

}  // namespace
}  // namespace loom::app::patterns
