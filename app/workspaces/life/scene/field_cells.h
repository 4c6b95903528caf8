#pragma once

#include <memory>

#include "app/workspaces/life/scene/cell_bits.h"

namespace loom::app {

/// The cells of a field, to be put into an engine: those of `bits` at a generation; without bits those that
/// `generation` times `work` make of `start`.
struct FieldCells {
  std::uint64_t generation = 0;
  std::shared_ptr<const CellBits> bits = {};
  RandomStart start = {};
  Work work = {};
};

/// Largest product of cells and generations that is recomputed and not stored: about 0.1 s on a CPU.
inline constexpr std::uint64_t kMaxRecomputedCells = std::uint64_t{1} << 25;
/// True if recomputing `generations` generations of `cells` cells is quick enough to replace storing them.
bool is_cheap_to_recompute(std::uint64_t generations, std::uint64_t cells);
/// Whether a file may have them so: they have bits or are quickly grown.
bool can_be_saved(const FieldCells& cells, std::uint64_t count);
/// Throws InputError where not.
void check_can_be_saved(const FieldCells& cells, std::uint64_t count);

/// Puts them into an engine of their fractal and level. Where that is watched, by `watch` and none other, it
/// throws OperationCancelled, with the engine's cells of no use.
void write_cells(FractalEngine& engine, const FieldCells& cells, ProgressMonitor* watch = nullptr);

/// The cells of an engine: as `grown` if given and quickly recomputed, otherwise as bits. Throws
/// OperationCancelled if the engine is watched, std::bad_alloc.
FieldCells copy_cells(const FractalEngine& engine, const FieldCells* recomputable);

}  // namespace loom::app
