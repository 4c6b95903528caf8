#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/patterns/placement.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// What can be done to a selection.
enum class SelectionCommand {
  kCopy,
  kCut,
  kClear,
  kFill,
  kRotateRight,
  kRotateLeft,
  kFlipHorizontally,
  kFlipVertically
};
/// "copy", "cut", "clear selection", "fill", "turn", "mirror": for undoing it.
const char* name_of(SelectionCommand what);
/// Whether it depends on which of the cells are alive.
bool needs_cell_states(SelectionCommand what);

/// The result: a pattern to copy, changed cells, and the new selection.
struct SelectionResult {
  std::optional<patterns::Pattern> pattern = {};
  std::vector<CellEdit> edits = {};
  patterns::FractalField::Rect selection = {};
  std::string message = {};
};

// Each takes time proportional to the number of cells; `watch` may end it by OperationCancelled.

/// The living cells of a rectangle as a pattern that records its position. `states`: one per element of
/// `cells`, 1 for a living cell.
patterns::Pattern pattern_in(const patterns::FractalField::Rect& rect, const std::vector<Coord64>& cells,
                             const std::vector<std::uint8_t>& states, const ProgressMonitor* watch = nullptr);

/// Does it; `cells` are those of the rectangle. Turned about its middle, a rectangle is moved where it would
/// reach outside of the field. Throws InputError where it is wider or higher than the field then.
SelectionResult apply_to_selection(SelectionCommand what, const patterns::FractalField& field,
                                   const patterns::FractalField::Rect& rect,
                                   const std::vector<Coord64>& cells, const std::vector<std::uint8_t>& states,
                                   const ProgressMonitor* watch = nullptr);

/// The cells at random: each alive or dead by `seed`, the density and where it lies.
std::vector<CellEdit> fill_at_random(const std::vector<Coord64>& cells, const RandomStart& start,
                                     const ProgressMonitor* watch = nullptr);

}  // namespace loom::app
