#pragma once

#include "compute/core/coord.h"
#include "compute/geometry/symmetry.h"

namespace loom {

/// The image of a point of a square of side `side`, written out for each symmetry as
/// docs/reference/fractals.md states it. Shares no code with symmetry.h's apply().
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
