#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/coord3.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/solid/solid_fractal.h"
#include "compute/solid/solid_transforms.h"

namespace loom {

/// A three-dimensional fractal at level r divided into tiles of rho_x x rho_y x rho_z points, rho = s^j on
/// each axis, as plain data for kernels. A tile contains a complete level-j fractal or no cell. Tile
/// coordinates therefore form the same fractal at level r_b = r - j.
struct TiledSolid {
  SolidTransform transform;
  int level = 0;                 ///< r
  int tile_level = 0;            ///< j
  int coarse_level = 0;          ///< r_b = r - j
  std::uint32_t tile_cells = 1;  ///< k^j, the cells of an occupied tile
  std::uint64_t cells = 1;       ///< k^r
  Coord3 rho = {1, 1, 1};        ///< (s_x^j, s_y^j, s_z^j)
  Coord3 size = {1, 1, 1};       ///< (n_x, n_y, n_z) = (s_x^r, s_y^r, s_z^r)
  Coord3 grid = {1, 1, 1};       ///< size / rho: tiles of the bounding box
  Coord3 orthotope = {1, 1, 1};  ///< tiles of compact space
  /// Bit (z * rho_y + y) * rho_x + x: whether that point is a cell of the level-j fractal.
  std::uint32_t micro_mask[kMaxBlockThreads / 32] = {};

  LOOM_HOST_DEVICE std::uint32_t points_per_tile() const { return rho.x * rho.y * rho.z; }
  LOOM_HOST_DEVICE std::uint64_t orthotope_tiles() const { return volume(orthotope); }
  /// The bounding sub-box test for the point with this index in an occupied tile.
  LOOM_HOST_DEVICE bool micro_member(std::uint32_t point) const {
    return (micro_mask[point >> 5] >> (point & 31u)) & 1u;
  }
};

/// Throws InputError if `level` is too large or if `tile_size` is not an allowed tile size rho_x.
TiledSolid make_tiled_solid(const SolidFractal& fractal, int level, std::uint32_t tile_size);

/// The allowed tile sizes rho_x = s_x^j, ascending: rho_x rho_y rho_z <= 1024 and j <= level. For s_x = 1 the
/// only one is 1.
std::vector<std::uint32_t> allowed_tile_sizes(const SolidFractal& fractal, int level);
/// The largest allowed tile size up to `most`.
std::uint32_t nearest_tile_size(const SolidFractal& fractal, int level, std::uint32_t most);

/// The number of points of the bounding box, and its tiles; both saturate at 2^64 - 1.
std::uint64_t box_points(const TiledSolid& tiled);
std::uint64_t box_tiles(const TiledSolid& tiled);

/// Splits the index of a point of a box into its coordinate.
class BoxIndex {
 public:
  BoxIndex() = default;
  explicit BoxIndex(Coord3 box) : x_(box.x), y_(box.y) {
    fits_ = std::max({box.x, box.y, box.z}) < kFits;
    if (fits_) narrow_x_ = FastDivisor<std::uint32_t>(box.x);
    if (fits_) narrow_y_ = FastDivisor<std::uint32_t>(box.y);
  }
  LOOM_HOST_DEVICE Coord3 at(std::uint64_t index) const {
    if (fits_) {
      auto rest = static_cast<std::uint32_t>(index);
      const std::uint32_t x = narrow_x_.take_digit(rest);
      const std::uint32_t y = narrow_y_.take_digit(rest);
      return {x, y, rest};
    }
    const auto x = static_cast<std::uint32_t>(x_.take_digit(index));
    const auto y = static_cast<std::uint32_t>(y_.take_digit(index));
    return {x, y, static_cast<std::uint32_t>(index)};
  }

 private:
  static constexpr std::uint32_t kFits = 1625;  ///< boxes with sides below it have fewer than 2^32 points
  bool fits_ = true;
  FastDivisor<std::uint32_t> narrow_x_;
  FastDivisor<std::uint32_t> narrow_y_;
  FastDivisor<std::uint64_t> x_;
  FastDivisor<std::uint64_t> y_;
};

/// The canonical numbering of the cells: lambda at tile size 1, row by row through the orthotope. It depends
/// only on the fractal and the level. Random starts, state hashes and transfers between engines use it.
class SolidOrder {
 public:
  explicit SolidOrder(const TiledSolid& tiled);
  /// The expanded coordinate of cell `index` < k^r.
  LOOM_HOST_DEVICE Coord3 cell(std::uint64_t index) const {
    return lambda_map(transform_, level_, split_.at(index));
  }
  /// The index of a cell, or nothing for a hole; `cell` is within the size.
  std::optional<std::uint64_t> index(Coord3 cell) const {
    const CompactCoord3 found = nu_map(transform_, level_, cell);
    if (!found.present) return std::nullopt;
    return index_in(orthotope_, found.omega);
  }

 private:
  SolidTransform transform_;
  int level_ = 0;
  Coord3 orthotope_;
  BoxIndex split_;
};

}  // namespace loom
