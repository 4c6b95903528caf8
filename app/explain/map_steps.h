#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/explain/thread_space.h"

namespace loom::app::explain {

// lambda and nu of one tile, level by level, with all intermediate numbers of the arithmetic `loop`. Levels
// are those of the map of tiles, mu = 1 to r_b, the finest first; the level j of the tile itself lies below
// them. For other arithmetics see table_steps.h, shuffle_steps.h, fragments.h.

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

}  // namespace loom::app::explain
