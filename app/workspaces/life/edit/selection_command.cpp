#include "app/workspaces/life/edit/selection_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"
#include "compute/workload/random_start.h"

namespace loom::app {
namespace {

using patterns::FractalField;
using patterns::Pattern;

Pattern turned(SelectionCommand what, const Pattern& pattern, const ProgressMonitor* watch) {
  switch (what) {
    case SelectionCommand::kRotateRight:
      return rotate_clockwise(pattern, watch);
    case SelectionCommand::kRotateLeft:
      return rotate_anticlockwise(pattern, watch);
    case SelectionCommand::kFlipHorizontally:
      return flip_left_right(pattern, watch);
    default:
      return flip_top_bottom(pattern, watch);
  }
}

// The new low coordinate: keeps the middle, and is shifted into the field if necessary.
std::uint64_t moved_low(std::uint64_t low, std::uint64_t was, std::uint64_t is, std::uint64_t field) {
  if (is > field)
    throw InputError(fmt::format(
        "the rotated selection is {} cells long, the field {}; allowed: a smaller selection", is, field));
  const std::uint64_t middle = low + was / 2;
  const std::uint64_t start = middle > is / 2 ? middle - is / 2 : 0;
  return std::min(start, field - is);
}

}  // namespace

const char* name_of(SelectionCommand what) {
  return value_for<SelectionCommand::kFlipVertically>(
      {"copy", "cut", "clear selection", "fill", "rotate", "rotate", "mirror", "mirror"}, what);
}

bool needs_cell_states(SelectionCommand what) {
  return what != SelectionCommand::kClear && what != SelectionCommand::kFill;
}

Pattern pattern_in(const FractalField::Rect& rect, const std::vector<Coord64>& cells,
                   const std::vector<std::uint8_t>& states, const ProgressMonitor* watch) {
  CancelPoll poll(watch);
  Pattern pattern;
  pattern.width = static_cast<std::uint32_t>(std::min<std::uint64_t>(rect.size.x, patterns::kMostSide));
  pattern.height = static_cast<std::uint32_t>(std::min<std::uint64_t>(rect.size.y, patterns::kMostSide));
  for (std::size_t i = 0; i < cells.size() && i < states.size(); ++i) {
    poll();
    if (states[i] == 0) continue;
    pattern.cells.push_back({static_cast<std::uint32_t>(cells[i].x - rect.low.x),
                             static_cast<std::uint32_t>(cells[i].y - rect.low.y)});
    pattern.states.push_back(states[i]);
  }
  sort_cells(pattern, watch);
  pattern.at =
      Coord<std::int64_t>{static_cast<std::int64_t>(rect.low.x), static_cast<std::int64_t>(rect.low.y)};
  return pattern;
}

SelectionResult apply_to_selection(SelectionCommand what, const FractalField& field,
                                   const FractalField::Rect& rect, const std::vector<Coord64>& cells,
                                   const std::vector<std::uint8_t>& states, const ProgressMonitor* watch) {
  SelectionResult result{.selection = rect};
  Pattern pattern = pattern_in(rect, cells, states, watch);
  const std::size_t alive = pattern.cells.size();
  const auto clear = [&] {
    CancelPoll poll(watch);
    for (std::size_t i = 0; i < cells.size() && i < states.size(); ++i) {
      poll();
      if (states[i] != 0) result.edits.push_back({cells[i], 0});
    }
  };
  if (what == SelectionCommand::kCopy || what == SelectionCommand::kCut) {
    if (what == SelectionCommand::kCut) clear();
    result.message = fmt::format("{} {} living cells as RLE; Ctrl V pastes them",
                                 what == SelectionCommand::kCut ? "cut" : "copied", alive);
    result.pattern = std::move(pattern);
    return result;
  }
  const Pattern after = turned(what, pattern, watch);
  result.selection.size = {after.width, after.height};
  result.selection.low = {moved_low(rect.low.x, rect.size.x, after.width, field.width()),
                          moved_low(rect.low.y, rect.size.y, after.height, field.height())};
  const Coord<std::int64_t> at{static_cast<std::int64_t>(result.selection.low.x),
                               static_cast<std::int64_t>(result.selection.low.y)};
  clear();
  const std::vector<CellEdit> placed_cells = field.placed_cells(after, at, watch);
  // Where a cell is both cleared and placed, the last edit counts.
  result.edits.insert(result.edits.end(), placed_cells.begin(), placed_cells.end());
  const std::size_t lost = alive - placed_cells.size();
  result.message =
      lost == 0 ? fmt::format("{} living cells moved", alive)
                : fmt::format("{} of {} living cells fell on holes and were dropped; Ctrl Z restores them",
                              lost, alive);
  return result;
}

std::vector<CellEdit> fill_at_random(const std::vector<Coord64>& cells, const RandomStart& start,
                                     const ProgressMonitor* watch) {
  const std::uint64_t threshold = density_threshold(start.density);
  std::vector<CellEdit> edits;
  edits.reserve(cells.size());
  CancelPoll poll(watch);
  for (const Coord64& cell : cells) {
    poll();
    edits.push_back({cell, random_cell(start.seed, splitmix64(cell.x) ^ cell.y, threshold) != 0});
  }
  return edits;
}

}  // namespace loom::app
