#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compute/backend/engine_factory.h"
#include "compute/check/reference_life.h"
#include "compute/engine/thread_count.h"

namespace loom {

/// A fractal cut into blocks in the plainest form: cells and blocks found by going through all cells, the
/// parallel spaces by the formulas of docs/explanation/maps.md, written out again. Shares no code with the
/// maps and their launches.
class ReferenceBlocks {
 public:
  /// `block` is an allowed block size of the reference's fractal and level.
  ReferenceBlocks(const NbbFractal& fractal, int level, std::uint32_t block, const ReferenceLife& reference);

  /// Where a count of a configuration with this fractal, level and block size is not what the definition
  /// says, in words; nothing where it is. The method is an exact one. How many tiles an automatic tiling has,
  /// and so how many thread blocks and how many threads that only fill up warps, is not looked at but for
  /// bounds.
  std::optional<std::string> first_difference(const FractalConfig& config, BackendKind backend,
                                              const ThreadCount& count) const;

  std::uint64_t cells() const { return cells_; }
  /// Blocks of the square that hold a cell.
  std::uint64_t occupied() const { return occupied_; }
  /// Cells of a block that holds any.
  std::uint64_t cells_of_block() const { return cells_of_block_; }

 private:
  std::uint64_t rho_x_ = 1;
  std::uint64_t rho_y_ = 1;
  std::uint64_t grid_x_ = 1;  ///< blocks of the bounding box
  std::uint64_t grid_y_ = 1;
  std::uint64_t orthotope_x_ = 1;  ///< blocks of lambda and compact
  std::uint64_t orthotope_y_ = 1;
  std::uint64_t cells_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint64_t cells_of_block_ = 0;
  std::uint64_t words_ = 0;             ///< of 64 points, row by row
  std::uint64_t words_with_cells_ = 0;  ///< of these
};

}  // namespace loom
