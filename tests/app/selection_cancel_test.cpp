#include "app/workspaces/life/edit/cell_editor.h"
#include "compute/geometry/nbb_catalog.h"
#include "expect_cancels.h"

namespace loom::app {
namespace {

using tests::expect_cancels;

TEST(SelectionCancel, WhateverIsDoneToASelectionPolls) {
  const patterns::FractalField field(find_fractal("sierpinski-gasket"), 11);
  const patterns::FractalField::Rect all{{0, 0}, {field.width(), field.height()}};
  const std::vector<Coord64> cells = field.cells_in(all);
  const std::vector<std::uint8_t> states(cells.size(), 1);
  for (const SelectionCommand what : {SelectionCommand::kCopy, SelectionCommand::kCut,
                                      SelectionCommand::kRotateRight, SelectionCommand::kRotateLeft,
                                      SelectionCommand::kFlipHorizontally, SelectionCommand::kFlipVertically})
    expect_cancels(
        [&](ProgressMonitor& watch) { apply_to_selection(what, field, all, cells, states, &watch); }, 80);
  expect_cancels([&](ProgressMonitor& watch) { fill_at_random(cells, {}, &watch); }, 40);
}

}  // namespace
}  // namespace loom::app
