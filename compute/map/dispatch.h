#pragma once

#include <cstdint>
#include <utility>

#include "compute/fractal/storage.h"
#include "compute/map/bounding_box.h"
#include "compute/map/lambda.h"
#include "compute/map/map_kind.h"

namespace loom {

// The one place where run-time choices become template arguments.

/// Calls `use` with the storage value of a map: BlockedCompactStorage<Int> for compact, else
/// ExpandedStorage<Int>; Int = uint32_t where the space fits.
template <typename Use>
decltype(auto) with_storage(MapKind map, const BlockedFractal& fractal, Use&& use) {
  if (map == MapKind::kCompact) {
    if (fractal.fits_32_bits()) return use(BlockedCompactStorage<std::uint32_t>(fractal));
    return use(BlockedCompactStorage<std::uint64_t>(fractal));
  }
  if (fractal.fits_32_bits()) return use(ExpandedStorage<std::uint32_t>(fractal));
  return use(ExpandedStorage<std::uint64_t>(fractal));
}

/// Calls `use` with the thread map and the storage of a map kind.
template <typename Use>
decltype(auto) with_map(MapKind map, const BlockedFractal& fractal, Use&& use) {
  const auto pick = [&]<typename Int>(Int) {
    switch (map) {
      case MapKind::kBoundingBox:
        return use(BoundingBoxMap<Int>(fractal), ExpandedStorage<Int>(fractal));
      case MapKind::kLambda:
        return use(LambdaMap<Int>(fractal), ExpandedStorage<Int>(fractal));
      case MapKind::kCompact:
        break;
    }
    return use(LambdaMap<Int>(fractal), BlockedCompactStorage<Int>(fractal));
  };
  return fractal.fits_32_bits() ? pick(std::uint32_t{}) : pick(std::uint64_t{});
}

/// The parallel space of one generation under a map.
inline LaunchShape launch_shape(MapKind map, const BlockedFractal& fractal) {
  return with_map(map, fractal,
                  [](const auto& thread_map, const auto&) { return thread_map.launch_shape(); });
}

/// Bytes of one generation's cells in a map's storage; saturates at 2^64 - 1.
inline std::uint64_t storage_bytes(MapKind map, const BlockedFractal& fractal) {
  return with_storage(map, fractal, [](const auto& storage) { return storage.size(); });
}

}  // namespace loom
