#include "app/life/edit/selection_work.h"
#include "compute/geometry/nbb_catalog.h"
#include "expect_cancels.h"

namespace loom::app {
namespace {

using tests::expect_cancels;

TEST(SelectionCancel, WhateverIsDoneToASelectionPolls) {
  const patterns::Field field(find_fractal("sierpinski-gasket"), 11);
  const patterns::Field::Rect all{{0, 0}, {field.width(), field.height()}};
  const std::vector<Coord64> cells = field.cells_in(all);
  const std::vector<std::uint8_t> states(cells.size(), 1);
  for (const SelectionDo what : {SelectionDo::kCopy, SelectionDo::kCut, SelectionDo::kTurnRight,
                                 SelectionDo::kTurnLeft, SelectionDo::kMirror, SelectionDo::kUpsideDown})
    expect_cancels([&](Watch& watch) { apply_to_selection(what, field, all, cells, states, &watch); }, 80);
  expect_cancels([&](Watch& watch) { fill_at_random(cells, {}, &watch); }, 40);
}

}  // namespace
}  // namespace loom::app
