#pragma once

#include <cstdint>

#include "compute/core/coord3.h"
#include "compute/core/host_device.h"

namespace loom {

/// The largest scale of an axis of a three-dimensional fractal.
inline constexpr std::uint32_t kMaxSolidScale = 4;
inline constexpr std::uint32_t kMaxSolidReplicas = 63;

/// A three-dimensional NBB fractal as plain data for kernels: k replicas within a box of s_x x s_y x s_z.
struct SolidShape {
  std::uint32_t k = 0;
  Coord3 scale = {1, 1, 1};
  std::uint8_t offset_x[kMaxSolidReplicas] = {};
  std::uint8_t offset_y[kMaxSolidReplicas] = {};
  std::uint8_t offset_z[kMaxSolidReplicas] = {};
  /// The replica at (z * s_y + y) * s_x + x, or -1.
  std::int8_t replica_at[kMaxSolidScale * kMaxSolidScale * kMaxSolidScale] = {};

  LOOM_HOST_DEVICE int replica(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return replica_at[(z * scale.y + y) * scale.x + x];
  }
  friend bool operator==(const SolidShape&, const SolidShape&) = default;
};

}  // namespace loom
