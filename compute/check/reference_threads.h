#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compute/check/reference_life.h"
#include "compute/device/device.h"
#include "compute/engine/fractal_config.h"
#include "compute/engine/thread_count.h"
#include "compute/solid/solid_config.h"

namespace loom {

/// A plain division of a fractal into tiles: cells and tiles are found by a pass over all cells, the parallel
/// spaces by a separate implementation of the formulas of docs/explanation/maps.md. Shares no code with the
/// maps and their launches.
class ReferenceTiles {
 public:
  /// `tile_size` must be an allowed tile size of the reference's fractal and level.
  ReferenceTiles(const ReferenceLife& reference, std::uint32_t tile_size);

  /// Describes the first count of a configuration with this fractal, level and tile size that differs from
  /// the definition; nothing if all agree. The method must be exact. For automatic tiling, the number of
  /// tiles per thread block is not known here, so that the numbers of thread blocks and of threads that only
  /// fill up warps and thread blocks are checked against bounds.
  std::optional<std::string> first_difference(const FractalConfig& config, const Device& device,
                                              const ThreadCount& count) const;
  std::optional<std::string> first_difference(const SolidConfig& config, const Device& device,
                                              const ThreadCount& count) const;

  std::uint64_t cells() const { return cells_; }
  /// Tiles of the box that contain cells.
  std::uint64_t occupied() const { return occupied_; }
  /// Cells of an occupied tile.
  std::uint64_t cells_per_tile() const { return cells_per_tile_; }

 private:
  /// For byte storage; `most_tiles`: per thread block, where the last one may have fewer.
  std::optional<std::string> first_difference(const MapMethod& method, std::uint64_t most_tiles,
                                              const Device& device, const ThreadCount& count) const;

  ReferenceLife::Point rho_ = {1, 1, 1};
  ReferenceLife::Point grid_ = {1, 1, 1};       ///< tiles of the bounding box
  ReferenceLife::Point orthotope_ = {1, 1, 1};  ///< tiles of lambda and compact
  std::uint64_t cells_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint64_t cells_per_tile_ = 0;
  std::uint64_t words_ = 0;             ///< words of 64 points, row by row
  std::uint64_t words_with_cells_ = 0;  ///< words that contain cells
};

}  // namespace loom
