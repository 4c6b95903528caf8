#pragma once

#include <cstdint>

namespace loom {

inline constexpr int kMaxScale = 8;                         ///< largest s_x and s_y
inline constexpr int kMaxReplicas = kMaxScale * kMaxScale;  ///< k of the full square

/// F(k, s) as plain data that kernels take by value: k replicas at offsets H[b], and the inverse of H.
struct NbbShape {
  std::uint32_t k = 0;
  std::uint32_t s_x = 0;
  std::uint32_t s_y = 0;
  std::uint8_t offset_x[kMaxReplicas] = {};   ///< H[b].x, b < k
  std::uint8_t offset_y[kMaxReplicas] = {};   ///< H[b].y
  std::int8_t replica_at[kMaxReplicas] = {};  ///< H^-1 at [y * s_x + x]; -1 = hole
  friend bool operator==(const NbbShape&, const NbbShape&) = default;
};

}  // namespace loom
