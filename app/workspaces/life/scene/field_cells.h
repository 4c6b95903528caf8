#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The cells of a field in the format of FractalEngine::read_bits(), which is independent of map, storage and
/// backend: one plane, or several if there are more than two states.
struct CellBits {
  std::uint64_t count = 0;
  std::vector<std::uint8_t> bytes;
  std::uint32_t planes() const { return static_cast<std::uint32_t>(bytes.size() / bytes_of_bits(count)); }
  std::uint8_t state(std::uint64_t index) const;
  friend bool operator==(const CellBits&, const CellBits&) = default;
};

/// Reads all cells. Throws OperationCancelled if the engine's monitor is cancelled, std::bad_alloc.
CellBits read_cell_bits(const FractalEngine& engine);

/// Equal to FractalEngine::census() of the same cells.
Census census_of(const CellBits& bits);

/// The cells of a field, to be written into an engine: `bits` at `generation`; without bits, the result of
/// `generation` repetitions of `work` on the random start.
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
/// True if a file may store the cells: as bits, or by a start that is quick to recompute.
bool can_be_saved(const FieldCells& cells, std::uint64_t count);
/// Throws InputError if can_be_saved() is false.
void check_can_be_saved(const FieldCells& cells, std::uint64_t count);

/// Writes the cells into an engine of their fractal and level. If `watch` is cancelled, throws
/// OperationCancelled and leaves unusable cells; the engine must have no other monitor.
void write_cells(FractalEngine& engine, const FieldCells& cells, ProgressMonitor* watch = nullptr);

/// The cells of an engine: as `recomputable` if that is given and quick, otherwise as bits. Throws
/// OperationCancelled if the engine's monitor is cancelled, std::bad_alloc.
FieldCells copy_cells(const FractalEngine& engine, const FieldCells* recomputable);

}  // namespace loom::app
