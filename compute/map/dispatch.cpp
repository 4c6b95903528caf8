#include "compute/map/dispatch.h"

namespace loom {

LaunchShape launch_shape(const MapMethod& method, const BlockedFractal& fractal) {
  if (method.map == MapKind::kBoundingBox) return BoundingBoxMap<std::uint64_t>(fractal).launch_shape();
  return block_level_shape(fractal, AnyThreads(method.intra_block, fractal, nullptr));
}

std::uint64_t storage_index(MapKind map, const BlockedFractal& fractal, Coord64 cell) {
  if (cell.x >= fractal.width || cell.y >= fractal.height) return kNoIndex;
  return with_storage(map, fractal,
                      [&]<typename Int, template <typename> typename Storage>(const Storage<Int>& storage) {
                        return storage.index_of({static_cast<Int>(cell.x), static_cast<Int>(cell.y)});
                      });
}

std::uint64_t storage_bytes(MapKind map, const BlockedFractal& fractal) {
  return with_storage(map, fractal, [](const auto& storage) { return storage.size(); });
}

}  // namespace loom
