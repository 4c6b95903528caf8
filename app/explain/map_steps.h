#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"
#include "compute/core/coord.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::app::explain {

// lambda and nu of one tile, level by level, with all intermediate numbers of the arithmetic `loop`. Levels
// are those of the map of tiles, mu = 1 to r_b, the finest first; the level j of the tile itself lies below
// them. For tensor cores see fragments.h.

/// A rectangle of cells, in expanded coordinates.
struct CellRect {
  Coord64 corner;
  Coord64 size;
};

/// The contribution of level mu to lambda(omega).
struct LambdaStep {
  int level = 0;            ///< mu
  bool from_x = true;       ///< the digit comes from omega_x (mu odd), else from omega_y
  std::uint64_t rest = 0;   ///< remaining coordinate: its digits of this level and above
  std::uint32_t digit = 0;  ///< beta, 0 to k - 1: the replica
  loom::Symmetry symmetry = loom::Symmetry::kIdentity;  ///< how the coarser levels turn this one
  Coord32 offset;                                       ///< tau, the replica's offset, turned by `symmetry`
  Coord64 weight;       ///< s_x^(mu - 1), s_y^(mu - 1), or the products of the finer scales, in tiles
  Coord64 term;         ///< offset times weight
  Coord64 sum;          ///< sum of the terms so far
  CellRect square;      ///< the replica that the digit selects, among those of the level above
  std::string formula;  ///< "β_2 = ⌊ω_y / 3^0⌋ mod 3 = ⌊5 / 1⌋ mod 3 = 2, τ_2 = H[2] = (1, 1)"
};
struct LambdaSteps {
  Coord64 omega;
  std::vector<LambdaStep> steps;
  Coord64 place;          ///< lambda(omega), in tiles
  std::string formula_x;  ///< "λ_x(2, 5) = 1·1 + 1·2 + 0·4 + 0·8 = 3"
  std::string formula_y;
};

/// The contribution of level mu to nu(place), or a hole.
struct NuStep {
  int level = 0;  ///< mu
  Coord64 rest;   ///< place without the levels below: place / s^(mu - 1), rounded down
  loom::Symmetry symmetry = loom::Symmetry::kIdentity;  ///< how the coarser levels turn this one
  Coord32 offset;            ///< tau: the sub-square among the s_x x s_y of this level, as it is turned
  int replica = -1;          ///< b, the replica at that offset; -1: none
  bool to_x = true;          ///< the digit goes to omega_x (mu odd), else to omega_y
  std::uint64_t weight = 0;  ///< weight of the digit: k^((mu - 1) / 2), exponent rounded down
  Coord64 term;              ///< replica times weight, in one coordinate
  Coord64 sum;               ///< sum of the terms so far
  CellRect square;           ///< the sub-square
  std::string formula;  ///< "τ_2 = (⌊3 / 2⌋ mod 2, ⌊11 / 2⌋ mod 2) = (1, 1), b_2 = H⁻¹(1, 1) = 2"
};
struct NuSteps {
  Coord64 place;
  /// Up to the first level without a replica. With turned replicas that is the coarsest such level; it comes
  /// first, and coarser levels follow.
  std::vector<NuStep> steps;
  bool present = false;   ///< the tile contains cells
  Coord64 omega;          ///< nu(place) if `present`
  std::string formula_x;  ///< "ν_x(3, 11) = 2·1 + 0·3 = 2"; for a hole, the level that has no replica
  std::string formula_y;
};

/// lambda of the tile with index `omega`, for any map of the configuration. Throws InputError if omega is
/// outside the k^ceil(r_b/2) x k^floor(r_b/2) orthotope.
LambdaSteps lambda_steps(const ThreadSpace& space, Coord64 omega);

/// nu of the tile at position `place`; a cell is in the tile at cell / rho. Throws InputError if it is
/// outside the grid.
NuSteps nu_steps(const ThreadSpace& space, Coord64 place);

/// Throw InputError as lambda_steps() and nu_steps() do.
void check_omega(const ThreadSpace& space, Coord64 omega);
void check_tile_position(const ThreadSpace& space, Coord64 place);

// lambda and nu of one tile by the arithmetic `shuffle`: each lane of a warp computes one level, and five
// rounds sum the terms (compute/cuda/warp/warp_arithmetic.cuh).

/// The state of a lane before the first round.
struct ShuffleLane {
  std::vector<int> levels;  ///< levels mu of its terms: lane + 1, lane + 33, if they exist
  Coord64 value;            ///< the sum of these terms
  bool present = true;      ///< nu: all its levels have a replica
};
/// One round: each lane adds the value of the lane whose index differs in the bit `distance`.
struct ShuffleRound {
  std::uint32_t distance = 0;              ///< 16, 8, 4, 2, 1
  std::array<Coord64, kWarpLanes> values;  ///< value of each lane after the round
};
struct ShuffleSteps {
  std::array<ShuffleLane, kWarpLanes> lanes;
  std::vector<ShuffleRound> rounds;  ///< after the last round, all lanes have the same value
  bool present = true;               ///< by a vote of all lanes; if false, nu is undefined
  Coord64 result;                    ///< lambda(omega) in tiles, or nu(place)
};

/// Throw InputError as lambda_steps() and nu_steps() do.
ShuffleSteps shuffle_lambda_steps(const ThreadSpace& space, Coord64 omega);
ShuffleSteps shuffle_nu_steps(const ThreadSpace& space, Coord64 place);

// lambda and nu of one tile by the arithmetic `table` (TableArithmetic): several levels at a time.

/// A look-up of one table entry.
struct TableLookup {
  bool from_x = true;       ///< lambda: the digits are from omega_x, else omega_y; nu uses both
  std::vector<int> levels;  ///< levels mu whose digits form the index, the finest first
  Coord64 size;             ///< size of the table: k^t entries in a row for lambda, s_x^t x s_y^t for nu
  Coord64 number;           ///< position in the table
  std::size_t index = 0;    ///< index among all entries in memory
  Coord64 entry;            ///< its content
  bool hole = false;        ///< nu: the entry marks a level without a replica
  Coord64 sum;              ///< sum of the entries so far, without holes
  std::string formula;      ///< "digits of levels 1, 3 of ω_x: T[2] = (3, 1)"
};
struct TableSteps {
  std::vector<TableLookup> lookups;  ///< all look-ups; nu continues after a hole
  bool present = true;               ///< false if nu found a hole; `result` is then undefined
  Coord64 result;                    ///< lambda(omega) in tiles, or nu(place)
  std::string formula_x;             ///< "λ_x(2, 5) = 3 + 0 = 3"; for a hole, a message
  std::string formula_y;
};

/// Throw InputError as lambda_steps() and nu_steps() do.
TableSteps table_lambda_steps(const ThreadSpace& space, Coord64 omega);
TableSteps table_nu_steps(const ThreadSpace& space, Coord64 place);

// The maps compute with 32 bits if the space fits, otherwise with 64. Explanations show 64-bit numbers.

/// Calls `use` with a zero of the integer width that a configuration's maps compute in.
template <typename Use>
decltype(auto) with_width(const TiledFractal& tiled, const Use& use) {
  return tiled.fits_32_bits() ? use(std::uint32_t{}) : use(std::uint64_t{});
}
template <typename Int>
Coord64 widened(Coord<Int> c) {
  return {c.x, c.y};
}
template <typename Int>
Coord<Int> narrowed(Coord64 c) {
  return {static_cast<Int>(c.x), static_cast<Int>(c.y)};
}

}  // namespace loom::app::explain
