#include <fstream>
#include <string>

#include "app/patterns/pattern.h"
#include "compute/geometry/nbb_catalog.h"
#include "expect_cancels.h"
#include "temporary_folder.h"

namespace loom::app::patterns {
namespace {

using tests::expect_cancels;

/// Rows of isolated cells: each is a run of its own in RLE.
Pattern many_cells() {
  Pattern pattern{.width = 1000, .height = 400};
  for (std::uint32_t y = 0; y < pattern.height; ++y) {
    for (std::uint32_t x = 0; x < pattern.width; x += 2) pattern.cells.push_back({x, y});
  }
  return pattern;
}

TEST(PatternCancel, ReadingATextPolls) {
  const Pattern pattern = many_cells();
  const std::string rle = to_rle(pattern);
  expect_cancels([&](ProgressMonitor& watch) { parse_pattern(rle, "p", &watch); }, 40);
  const std::string plain = to_cells(pattern);
  expect_cancels([&](ProgressMonitor& watch) { parse_pattern(plain, "p", &watch); }, 40);
  // One long line that is almost all spaces.
  const std::string spaces = "o" + std::string(1 << 20, ' ') + "o!";
  expect_cancels([&](ProgressMonitor& watch) { parse_rle(spaces, "p", &watch); }, 16);
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "p.rle";
  std::ofstream(file) << rle;
  expect_cancels([&](ProgressMonitor& watch) { read_pattern_file(file, &watch); }, 40);
}

TEST(PatternCancel, WritingAndTurningPoll) {
  const Pattern pattern = many_cells();
  expect_cancels([&](ProgressMonitor& watch) { to_rle(pattern, &watch); }, 40);
  for (const auto turn : {rotate_clockwise, rotate_anticlockwise, flip_left_right, flip_top_bottom})
    expect_cancels([&](ProgressMonitor& watch) { turn(pattern, &watch); }, 20);
}

TEST(PatternCancel, CellsOfARectanglePoll) {
  const FractalField field(find_fractal("sierpinski-gasket"), 11);
  const FractalField::Rect all{{0, 0}, {field.width(), field.height()}};
  expect_cancels([&](ProgressMonitor& watch) { field.cells_in(all, &watch); }, 40);
  const Pattern pattern = many_cells();
  expect_cancels([&](ProgressMonitor& watch) { field.placed_cells(pattern, {0, 0}, &watch); }, 40);
}

}  // namespace
}  // namespace loom::app::patterns
