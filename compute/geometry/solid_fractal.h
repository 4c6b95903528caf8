#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"

namespace loom {

/// The largest scale of an axis of a three-dimensional fractal.
inline constexpr std::uint32_t kMaxSolidScale = 4;
inline constexpr std::uint32_t kMaxSolidReplicas = 63;

/// A three-dimensional NBB fractal as plain data for kernels: k replicas within a box of s_x x s_y x s_z.
struct SolidShape {
  std::uint32_t k = 0;
  Coord3 scale = {1, 1, 1};
  std::uint8_t offset_x[kMaxSolidReplicas] = {};
  std::uint8_t offset_y[kMaxSolidReplicas] = {};
  std::uint8_t offset_z[kMaxSolidReplicas] = {};
  /// The replica at (z * s_y + y) * s_x + x, or -1.
  std::int8_t replica_at[kMaxSolidScale * kMaxSolidScale * kMaxSolidScale] = {};

  LOOM_HOST_DEVICE int replica(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return replica_at[(z * scale.y + y) * scale.x + x];
  }
  friend bool operator==(const SolidShape&, const SolidShape&) = default;
};

/// A named three-dimensional NBB fractal: 1 <= s <= 4 on each axis, at least two replicas and at least one
/// empty place; offsets are within the scale box and pairwise different. Immutable.
class SolidFractal {
 public:
  /// Throws InputError that states what is wrong and what is allowed. The order of the offsets is kept: it
  /// numbers the replicas and thereby defines the canonical index.
  SolidFractal(std::string name, Coord3 scale, const std::vector<Coord3>& offsets);
  /// The first one of the catalogue.
  SolidFractal();

  const std::string& name() const { return name_; }
  const SolidShape& shape() const { return shape_; }
  std::vector<Coord3> offsets() const;

  /// The largest level whose sides fit in 32 bits and whose cells fit in 64 bits.
  int max_level() const { return max_level_; }
  /// (s_x^r, s_y^r, s_z^r) and k^r. They throw InputError with max_level() for a level outside
  /// 0..max_level().
  Coord3 size(int level) const;
  std::uint64_t cells(int level) const;
  /// The Hausdorff dimension log k / log s. For unequal scales, log s is the mean over the axes.
  double dimension() const;
  /// k^r / (n_x n_y n_z), the share of the cube that consists of cells.
  double filled_share(int level) const;

  /// Whether another fractal has the same cells and numbers at each level, whatever its name.
  bool has_same_cells(const SolidFractal& other) const { return shape_ == other.shape_; }
  friend bool operator==(const SolidFractal&, const SolidFractal&) = default;

 private:
  void check_level(int level) const;
  std::string name_;
  SolidShape shape_;
  int max_level_ = 0;
};

/// The built-in three-dimensional fractals, in the order of docs/reference/fractals.md. The first one is
/// menger-sponge.
const std::vector<SolidFractal>& solid_catalog();

/// Null if no built-in three-dimensional fractal has this name.
const SolidFractal* find_solid(std::string_view name);

/// A three-dimensional fractal with the divisors that split its coordinates into digits.
struct SolidTransform {
  SolidShape shape;
  FastDivisor<std::uint32_t> k;
  FastDivisor<std::uint32_t> s_x;
  FastDivisor<std::uint32_t> s_y;
  FastDivisor<std::uint32_t> s_z;

  SolidTransform() = default;
  explicit SolidTransform(const SolidShape& nbb)
      : shape(nbb), k(nbb.k), s_x(nbb.scale.x), s_y(nbb.scale.y), s_z(nbb.scale.z) {}
};

/// lambda in three dimensions: compact -> expanded. `omega` is in the k^ceil(levels/3) x k^ceil((levels-1)/3)
/// x k^floor(levels/3) orthotope; the result is in [0, s_x^levels) x [0, s_y^levels) x [0, s_z^levels) and
/// never a hole. Levels mu = 1, 2, 3, ... (1 is the finest) are digits of omega.x, omega.y and omega.z in
/// turn, in base k. Exact. Source: the extension of [lambda-2020] eqs. 4-9 in docs/explanation/maps.md.
LOOM_HOST_DEVICE Coord3 lambda_map(const SolidTransform& f, int levels, Coord3 omega) {
  Coord3 cell;
  Coord3 weight{1, 1, 1};
  const auto add_level = [&](std::uint32_t& digits) {
    const std::uint32_t beta = f.k.take_digit(digits);
    cell.x += weight.x * f.shape.offset_x[beta];
    cell.y += weight.y * f.shape.offset_y[beta];
    cell.z += weight.z * f.shape.offset_z[beta];
    weight.x *= f.shape.scale.x;
    weight.y *= f.shape.scale.y;
    weight.z *= f.shape.scale.z;
  };
  for (int mu = 1; mu <= levels; mu += 3) {
    add_level(omega.x);
    if (mu + 1 <= levels) add_level(omega.y);
    if (mu + 2 <= levels) add_level(omega.z);
  }
  return cell;
}

/// A compact coordinate, or nothing if the expanded point is a hole; `omega` is then unspecified.
struct CompactCoord3 {
  Coord3 omega;
  bool present = false;
};

/// nu, the inverse of lambda: expanded -> compact, or nothing for a hole. `cell` is in [0, s_x^levels) x [0,
/// s_y^levels) x [0, s_z^levels). Exact. Source: the extension of [compact] eqs. 2-8.
LOOM_HOST_DEVICE CompactCoord3 nu_map(const SolidTransform& f, int levels, Coord3 cell) {
  CompactCoord3 result;
  std::uint32_t weight = 1;
  int holes = 0;  // negative once some level has no replica at this point
  const auto take_level = [&](std::uint32_t& digits) {
    const std::uint32_t x = f.s_x.take_digit(cell.x);
    const std::uint32_t y = f.s_y.take_digit(cell.y);
    const std::uint32_t z = f.s_z.take_digit(cell.z);
    const int replica = f.shape.replica(x, y, z);
    holes |= replica;
    digits += weight * static_cast<std::uint32_t>(replica);
  };
  for (int mu = 1; mu <= levels; mu += 3) {
    take_level(result.omega.x);
    if (mu + 1 <= levels) take_level(result.omega.y);
    if (mu + 2 <= levels) take_level(result.omega.z);
    if (holes < 0) return result;
    weight *= f.shape.k;
  }
  result.present = true;
  return result;
}

/// Whether a point of [0, s_x^levels) x [0, s_y^levels) x [0, s_z^levels) is a cell. Stops at the first
/// level, from the finest, that has no replica there.
LOOM_HOST_DEVICE bool is_member(const SolidTransform& f, int levels, Coord3 cell) {
  for (int mu = 1; mu <= levels; ++mu) {
    const std::uint32_t x = f.s_x.take_digit(cell.x);
    const std::uint32_t y = f.s_y.take_digit(cell.y);
    const std::uint32_t z = f.s_z.take_digit(cell.z);
    if (f.shape.replica(x, y, z) < 0) return false;
  }
  return true;
}

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
TiledSolid make_tiled_fractal(const SolidFractal& fractal, int level, std::uint32_t tile_size);

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
