#include "compute/map/dispatch.h"

namespace loom {

LaunchShape launch_shape(const MapMethod& method, const TiledFractal& fractal) {
  if (method.map == MapKind::kBoundingBox) return BoundingBoxMap<std::uint64_t>(fractal).launch_shape();
  return tile_grid_shape(fractal, AnyThreads(method.intra_block, fractal, nullptr));
}

}  // namespace loom
