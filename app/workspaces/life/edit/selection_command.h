#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/patterns/pattern.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// Commands for a selection.
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
/// "copy", "cut", "clear selection", "fill", "rotate", "mirror": the name for undo.
const char* name_of(SelectionCommand what);
/// True if the command depends on which cells are alive.
bool needs_cell_states(SelectionCommand what);

/// The result: a pattern to copy, changed cells, and the new selection.
struct SelectionResult {
  std::optional<patterns::Pattern> pattern = {};
  std::vector<CellEdit> edits = {};
  patterns::FractalField::Rect selection = {};
  std::string message = {};
};

// Each takes time proportional to the number of cells. If `watch` is cancelled, it throws OperationCancelled.

/// The cells of a rectangle that are not dead, as a pattern that records its position. `states`: one per
/// element of `cells`.
patterns::Pattern pattern_in(const patterns::FractalField::Rect& rect, const std::vector<Coord64>& cells,
                             const std::vector<std::uint8_t>& states, const ProgressMonitor* watch = nullptr);

/// Executes a command; `cells` are those of the rectangle. A rotation keeps the middle of the rectangle, but
/// shifts it if it would leave the field. Throws InputError if the rotated rectangle is wider or higher than
/// the field.
SelectionResult apply_to_selection(SelectionCommand what, const patterns::FractalField& field,
                                   const patterns::FractalField::Rect& rect,
                                   const std::vector<Coord64>& cells, const std::vector<std::uint8_t>& states,
                                   const ProgressMonitor* watch = nullptr);

/// Sets the cells at random: each state depends on the seed, the density and the cell's position.
std::vector<CellEdit> fill_at_random(const std::vector<Coord64>& cells, const RandomStart& start,
                                     const ProgressMonitor* watch = nullptr);

}  // namespace loom::app
