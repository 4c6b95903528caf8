#pragma once

#include <optional>

#include "compute/core/coord.h"
#include "compute/geometry/nbb_fractal.h"

namespace loom {

// Plain implementations of lambda and nu from their definitions. Every arithmetic is checked against them at
// levels that are too high for ReferenceLife. They share no code with the maps.

/// The expanded coordinate of the cell at a compact coordinate, for a fractal of level `level`. `omega` is in
/// the k^ceil(level / 2) x k^floor(level / 2) orthotope.
Coord64 reference_lambda(const NbbFractal& fractal, int level, Coord64 omega);

/// The compact coordinate of the cell at an expanded coordinate; nothing for a hole. `place` is within the
/// square.
std::optional<Coord64> reference_nu(const NbbFractal& fractal, int level, Coord64 place);

/// The image of a point of a square of side `side`, written out for each symmetry as
/// docs/reference/fractals.md states it. Shares no code with apply() of nbb_fractal.h.
inline Coord64 reference_turn(Symmetry symmetry, Coord64 at, std::uint64_t side) {
  const std::uint64_t last = side - 1;
  switch (symmetry) {
    case Symmetry::kIdentity:
      return at;
    case Symmetry::kRotate90:
      return {last - at.y, at.x};
    case Symmetry::kRotate180:
      return {last - at.x, last - at.y};
    case Symmetry::kRotate270:
      return {at.y, last - at.x};
    case Symmetry::kMirrorX:
      return {last - at.x, at.y};
    case Symmetry::kMirrorY:
      return {at.x, last - at.y};
    case Symmetry::kTranspose:
      return {at.y, at.x};
    case Symmetry::kAntitranspose:
      return {last - at.y, last - at.x};
  }
  return at;
}

/// The point whose image is `at`.
inline Coord64 reference_turn_back(Symmetry symmetry, Coord64 at, std::uint64_t side) {
  // Rotations by 90 and 270 degrees reverse each other; the others reverse themselves.
  if (symmetry == Symmetry::kRotate90) return reference_turn(Symmetry::kRotate270, at, side);
  if (symmetry == Symmetry::kRotate270) return reference_turn(Symmetry::kRotate90, at, side);
  return reference_turn(symmetry, at, side);
}

}  // namespace loom
