#pragma once

#include "compute/engine/engine_factory.h"

namespace loom {

/// The choices of a map that say how its threads find their cells; tiles are automatic in all of them.
struct MethodChoices {
  MapArithmetic arithmetic = MapArithmetic::kLoop;
  IntraBlock intra_block = IntraBlock::kSubBox;
  bool halo = true;  ///< compact only
};

/// The choices with which a map was measured to be fastest on a backend. The bounding box has none; it gets
/// those of lambda, so that a switch to lambda finds them.
MethodChoices fastest_method(BackendKind backend, MapKind map);

}  // namespace loom
