#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

/// Rows of the orthotope of a fractal's blocks, one after the other.
struct BlockRows {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  friend bool operator==(const BlockRows&, const BlockRows&) = default;
};

/// A fractal at level r cut into blocks of rho = s^j cells a side, as plain data for kernels. A block holds a
/// whole level-j fractal (docs/explanation/maps.md), so the block coordinates form the same fractal at level
/// r_b = r - j.
struct BlockedFractal {
  NbbShape shape;
  int level = 0;                  ///< r
  int block_level = 0;            ///< j
  int coarse_level = 0;           ///< r_b = r - j
  std::uint32_t rho_x = 1;        ///< s_x^j
  std::uint32_t rho_y = 1;        ///< s_y^j
  std::uint32_t block_cells = 1;  ///< k^j, the cells in a block that has any
  std::uint64_t width = 1;        ///< n_x = s_x^r
  std::uint64_t height = 1;       ///< n_y = s_y^r
  std::uint64_t cells = 1;        ///< k^r
  std::uint64_t grid_x = 1;       ///< n_x / rho_x: blocks of the bounding box
  std::uint64_t grid_y = 1;       ///< n_y / rho_y
  std::uint64_t orthotope_x = 1;  ///< k^ceil(r_b/2): blocks of compact space
  std::uint64_t orthotope_y = 1;  ///< k^floor(r_b/2)
  BlockRows held = {0, 1};  ///< whose blocks compact storage holds: all rows, or a part's (byte_parts.h)
  std::uint32_t micro_mask[kMaxBlockThreads / 32] =
      {};  ///< bit t_y * rho_x + t_x: a cell of the level-j fractal

  LOOM_HOST_DEVICE std::uint32_t block_area() const { return rho_x * rho_y; }
  LOOM_HOST_DEVICE std::uint64_t orthotope_blocks() const { return orthotope_x * orthotope_y; }
  LOOM_HOST_DEVICE bool holds_all() const { return held.count == orthotope_y; }
  LOOM_HOST_DEVICE bool holds_row(std::uint64_t row) const { return row - held.first < held.count; }
  /// Places of a row of blocks in compact storage.
  LOOM_HOST_DEVICE std::uint64_t places_of_row() const { return orthotope_x * block_area(); }
  /// Whether position `thread` (< block_area()) of an occupied block is a cell: the bounding sub-box test.
  LOOM_HOST_DEVICE bool micro_member(std::uint32_t thread) const {
    return (micro_mask[thread >> 5] >> (thread & 31u)) & 1u;
  }
  /// Whether every coordinate and index of this space fits in 32 bits, so that maps may use fast arithmetic.
  bool fits_32_bits() const;
};

/// Throws InputError where `level` does not fit in 64 bits or `block` is not an allowed rho_x (see
/// allowed_blocks). For s_x = 1 the only allowed value is 1 (block level 0).
BlockedFractal make_blocked(const NbbFractal& fractal, int level, std::uint32_t block);

}  // namespace loom
