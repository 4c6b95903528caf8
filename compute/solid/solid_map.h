#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/fast_divisor.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/map/map_method.h"

namespace loom {

/// An entry of SolidTableArithmetic: a sum of lambda or nu, aligned so that it is loaded at once.
struct alignas(16) SolidEntry {
  Coord3 sum;
  std::uint32_t hole = 0;  ///< nu: 1 if some level has no replica at this point
};

/// lambda and nu of tile coordinates from tables that cover several levels' digits per look-up, as
/// TableArithmetic in two dimensions: lambda(omega) is a sum of one entry for each group of digits of each
/// axis of omega; nu's tables have one entry for each point of a box of several levels. A table has at most
/// 1024 entries. Exact.
///
/// This is a view: the caller owns the entries, in host or device memory.
class SolidTableArithmetic {
 public:
  SolidTableArithmetic() = default;
  /// A view of `entries`, which is the content of build(tiled) or a copy of it.
  SolidTableArithmetic(const TiledSolid& tiled, const SolidEntry* entries);
  static std::vector<SolidEntry> build(const TiledSolid& tiled);

  LOOM_HOST_DEVICE Coord3 lambda(Coord3 omega) const {
    Coord3 place;
    axes_[0].add(omega.x, place);
    axes_[1].add(omega.y, place);
    axes_[2].add(omega.z, place);
    return place;
  }
  LOOM_HOST_DEVICE CompactCoord3 nu(Coord3 place) const {
    CompactCoord3 result;
    std::uint32_t holes = 0;
    for (int c = 0; c < nu_.count; ++c) {
      const SolidEntry entry = nu_.take(c, place);
      holes |= entry.hole;
      add_to(result.omega, entry.sum);
    }
    result.present = holes == 0;
    return result;
  }

 private:
  static constexpr int kMaxDigitGroups = 6;
  static constexpr int kMaxBoxGroups = 16;

  LOOM_HOST_DEVICE static void add_to(Coord3& sum, Coord3 term) {
    sum.x += term.x;
    sum.y += term.y;
    sum.z += term.z;
  }

  /// Groups of base-k digits of one axis of omega, the finest first; the last group is the remaining quotient
  /// and needs no division.
  struct DigitGroups {
    int count = 0;
    FastDivisor<std::uint32_t> base[kMaxDigitGroups];
    const SolidEntry* entries[kMaxDigitGroups] = {};
    LOOM_HOST_DEVICE void add(std::uint32_t digits, Coord3& place) const {
      for (int c = 0; c < count; ++c) {
        const std::uint32_t digit = c + 1 < count ? base[c].take_digit(digits) : digits;
        const SolidEntry entry = entries[c][digit];
        add_to(place, entry.sum);
      }
    }
  };
  /// Groups of levels, the finest first.
  struct BoxGroups {
    int count = 0;
    FastDivisor<std::uint32_t> side_x[kMaxBoxGroups];
    FastDivisor<std::uint32_t> side_y[kMaxBoxGroups];
    FastDivisor<std::uint32_t> side_z[kMaxBoxGroups];
    const SolidEntry* entries[kMaxBoxGroups] = {};
    LOOM_HOST_DEVICE SolidEntry take(int c, Coord3& place) const {
      Coord3 at = place;
      if (c + 1 < count) {
        at.x = side_x[c].take_digit(place.x);
        at.y = side_y[c].take_digit(place.y);
        at.z = side_z[c].take_digit(place.z);
      }
      return entries[c][(at.z * side_y[c].value() + at.y) * side_x[c].value() + at.x];
    }
  };

  DigitGroups axes_[3];
  BoxGroups nu_;
};

/// lambda and nu of tile coordinates with the arithmetic chosen at run time; all threads take the same
/// branch.
class SolidArithmetic {
 public:
  SolidArithmetic() = default;
  /// `entries` as for SolidTableArithmetic; only kTable reads them.
  SolidArithmetic(MapArithmetic kind, const TiledSolid& tiled, const SolidEntry* entries)
      : by_table_(kind == MapArithmetic::kTable), levels_(tiled.coarse_level) {
    if (by_table_) table_ = SolidTableArithmetic(tiled, entries);
  }
  LOOM_HOST_DEVICE Coord3 lambda(const TiledSolid& tiled, Coord3 omega) const {
    if (by_table_) return table_.lambda(omega);
    return lambda_map(tiled.transform, levels_, omega);
  }
  LOOM_HOST_DEVICE CompactCoord3 nu(const TiledSolid& tiled, Coord3 place) const {
    if (by_table_) return table_.nu(place);
    return nu_map(tiled.transform, levels_, place);
  }

 private:
  bool by_table_ = false;
  int levels_ = 0;
  SolidTableArithmetic table_;
};

/// The index of no tile, and of a hole.
inline constexpr std::uint64_t kNoSolidIndex = ~std::uint64_t{0};

/// A thread's point in its tile, or none; the thread is then idle.
struct SolidPosition {
  Coord3 at;
  bool present = false;
};

/// A thread map on a three-dimensional fractal: the tiles of its grid, numbered with x fastest, and the cells
/// of their threads. Bounding box: every tile of the cube, one thread per point, which tests whether the
/// point is a cell. Lambda and compact: k^(r_b) tiles, mapped by lambda, with one of the intra-block
/// mappings. Over the whole grid, every cell is the cell of exactly one thread.
struct SolidMap {
  TiledSolid tiled;
  MapKind kind = MapKind::kLambda;
  IntraBlock intra_block = IntraBlock::kSubBox;
  SolidArithmetic arithmetic;
  const std::uint32_t* tile_cells = nullptr;  ///< see solid_tile_cells(); for kLookup
  BoxIndex grid;                              ///< splits a tile's number
  BoxIndex points;                            ///< splits a point's index in its tile
  BoxIndex unrolled;                          ///< splits a thread's index in its tile, for kUnrolled

  LOOM_HOST_DEVICE bool is_box() const { return kind == MapKind::kBoundingBox; }
  LOOM_HOST_DEVICE bool is_compact() const { return kind == MapKind::kCompact; }
  LOOM_HOST_DEVICE std::uint64_t tiles() const {
    return is_box() ? volume(tiled.grid) : tiled.orthotope_tiles();
  }
  LOOM_HOST_DEVICE std::uint32_t threads_per_tile() const {
    return is_box() || intra_block == IntraBlock::kSubBox ? tiled.points_per_tile() : tiled.tile_cells;
  }

  /// The expanded tile coordinate of a tile of the grid.
  LOOM_HOST_DEVICE Coord3 place(std::uint64_t tile) const {
    const Coord3 at = grid.at(tile);
    return is_box() ? at : arithmetic.lambda(tiled, at);
  }
  /// The point of a thread in the tile at `place`.
  LOOM_HOST_DEVICE SolidPosition position(Coord3 place, std::uint32_t thread) const {
    if (is_box()) {
      const Coord3 at = points.at(thread);
      return {at, is_member(tiled.transform, tiled.level, cell(place, at))};
    }
    return position(thread);
  }
  /// The same for lambda and compact, where it is the same in all tiles.
  LOOM_HOST_DEVICE SolidPosition position(std::uint32_t thread) const {
    if (intra_block == IntraBlock::kLookup) {
      const std::uint32_t packed = tile_cells[thread];
      return {{packed & 0x7ffu, packed >> 11 & 0x7ffu, packed >> 22}, true};
    }
    if (intra_block == IntraBlock::kUnrolled)
      return {lambda_map(tiled.transform, tiled.tile_level, unrolled.at(thread)), true};
    return {points.at(thread), tiled.micro_member(thread)};
  }
  /// The cell at a point of the tile at an expanded tile coordinate.
  LOOM_HOST_DEVICE Coord3 cell(Coord3 place, Coord3 at) const {
    return {place.x * tiled.rho.x + at.x, place.y * tiled.rho.y + at.y, place.z * tiled.rho.z + at.z};
  }

  /// The byte of a thread's cell: expanded storage holds every point of the cube, x fastest; compact storage
  /// holds the occupied tiles by their number, each with all of its points.
  LOOM_HOST_DEVICE std::uint64_t offset(std::uint64_t tile, Coord3 place, Coord3 at) const {
    if (is_compact()) return tile * tiled.points_per_tile() + index_in(tiled.rho, at);
    return index_in(tiled.size, cell(place, at));
  }
  /// The number of the tile at an expanded tile coordinate in compact storage; kNoSolidIndex for a tile
  /// without cells and for a coordinate outside of the grid.
  LOOM_HOST_DEVICE std::uint64_t tile_at(Coord3 place) const {
    if (place.x >= tiled.grid.x || place.y >= tiled.grid.y || place.z >= tiled.grid.z) return kNoSolidIndex;
    const CompactCoord3 found = arithmetic.nu(tiled, place);
    return found.present ? index_in(tiled.orthotope, found.omega) : kNoSolidIndex;
  }
  /// The byte of a cell given by its expanded coordinate; kNoSolidIndex for a hole and for a point outside.
  LOOM_HOST_DEVICE std::uint64_t index_of(Coord3 point) const {
    const Coord3 rho = tiled.rho;
    if (point.x >= tiled.size.x || point.y >= tiled.size.y || point.z >= tiled.size.z) return kNoSolidIndex;
    if (!is_member(tiled.transform, tiled.level, point)) return kNoSolidIndex;
    if (!is_compact()) return index_in(tiled.size, point);
    const Coord3 place{point.x / rho.x, point.y / rho.y, point.z / rho.z};
    const Coord3 at{point.x - place.x * rho.x, point.y - place.y * rho.y, point.z - place.z * rho.z};
    const CompactCoord3 found = nu_map(tiled.transform, tiled.coarse_level, place);
    return index_in(tiled.orthotope, found.omega) * tiled.points_per_tile() + index_in(rho, at);
  }
  /// The number of bytes of a generation.
  LOOM_HOST_DEVICE std::uint64_t bytes() const {
    return is_compact() ? tiled.orthotope_tiles() * tiled.points_per_tile() : volume(tiled.size);
  }
};

// The neighbours of a tile or a point have the numbers 0 to 26, x fastest; 13 is itself.
inline constexpr std::uint32_t kSolidSteps = 27;
inline constexpr std::uint32_t kSolidSelf = 13;
/// A coordinate below 0 wraps around to one beyond every grid.
LOOM_HOST_DEVICE constexpr Coord3 neighbour_place(Coord3 place, std::uint32_t number) {
  return {place.x + (number % 3 - 1), place.y + (number / 3 % 3 - 1), place.z + (number / 9 - 1)};
}
/// The number of the tile that contains a neighbour of a point of a tile, as a neighbour of that tile. Makes
/// `at` the neighbour's point in it; before, it is relative to the point's tile.
LOOM_HOST_DEVICE constexpr std::uint32_t take_neighbour_tile(Coord3& at, Coord3 rho) {
  // 0, 1 or 2 for a coordinate before, in or after the tile.
  const auto side = [](std::uint32_t& coordinate, std::uint32_t length) {
    if (coordinate < length) return 1u;
    const bool before = coordinate == ~0u;
    coordinate = before ? length - 1 : 0;
    return before ? 0u : 2u;
  };
  const std::uint32_t x = side(at.x, rho.x);
  const std::uint32_t y = side(at.y, rho.y);
  const std::uint32_t z = side(at.z, rho.z);
  return (z * 3 + y) * 3 + x;
}

/// A cell that a step of life reads to compute an occupied tile: one of the tile's own cells, or a cell of
/// its halo. Aligned for load_whole().
struct alignas(16) StagedPoint {
  std::uint16_t tile = kSolidSelf;  ///< the neighbouring tile that contains the cell
  std::uint16_t source = 0;         ///< its point index there
  std::uint16_t target = 0;         ///< its index in the box of the tile and its halo
  std::uint16_t x = 0;              ///< its coordinate in that box: (1, 1, 1) is the tile's first point
  std::uint16_t y = 0;
  std::uint16_t z = 0;
};

/// The tables of a tiled fractal, in host memory that this object owns.
struct SolidTables {
  explicit SolidTables(const TiledSolid& tiled);
  std::vector<SolidEntry> arithmetic;
  std::vector<std::uint32_t> tile_cells;  ///< the cells of a tile, row by row, as x | y << 11 | z << 22
  std::vector<StagedPoint> staged;        ///< the tile's own cells first
  std::uint32_t halo_tiles = 0;           ///< bit i: some halo cell is in neighbouring tile i
};

}  // namespace loom
