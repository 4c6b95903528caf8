#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

/// The largest number of threads that CUDA allows in a thread block.
inline constexpr std::uint32_t kMaxBlockThreads = 1024;

/// A point of a two-dimensional index space: x grows to the right, y grows downwards, both start at 0.
template <typename Int>
struct Coord {
  Int x = 0;
  Int y = 0;
  friend constexpr bool operator==(const Coord&, const Coord&) = default;
};

using Coord32 = Coord<std::uint32_t>;
using Coord64 = Coord<std::uint64_t>;

/// A point of a three-dimensional index space: x grows to the right, y downwards, z away from the viewer, all
/// start at 0.
struct Coord3 {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
  friend constexpr bool operator==(const Coord3&, const Coord3&) = default;
};

/// The number of points of a box.
LOOM_HOST_DEVICE constexpr std::uint64_t volume(Coord3 box) {
  return std::uint64_t{box.x} * box.y * box.z;
}
/// The index of a point of a box, x fastest, then y, then z.
LOOM_HOST_DEVICE constexpr std::uint64_t index_in(Coord3 box, Coord3 at) {
  return (std::uint64_t{at.z} * box.y + at.y) * box.x + at.x;
}

}  // namespace loom
