#pragma once

#include "compute/cuda/bits/plane_unrolled.cuh"
#include "compute/geometry/nbb_catalog.h"

namespace loom::cuda {

/// A catalogue fractal, for kernels that are compiled with the program.
template <int kFractal>
struct CatalogShapeOf {
  static constexpr NbbShape kShape = in_plane_order(kCatalogShapes[kFractal].shape());
};
template <int kFractal>
using CatalogProgram = UnrolledProgram<CatalogShapeOf<kFractal>>;

}  // namespace loom::cuda
