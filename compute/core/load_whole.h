#pragma once

#include "compute/core/host_device.h"

namespace loom {

/// A copy of an aligned value, with as few loads as possible: a compiler loads each member by itself.
template <typename T>
LOOM_HOST_DEVICE T load_whole(const T& value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T) == 8 || sizeof(T) == 16 || sizeof(T) == 24);
  T copy;
  const auto* from = reinterpret_cast<const unsigned char*>(&value);
  auto* to = reinterpret_cast<unsigned char*>(&copy);
  constexpr unsigned kFirst = sizeof(T) / 16 * 16;  // 0 or 16
  if constexpr (kFirst > 0) {
    const uint4 four = *reinterpret_cast<const uint4*>(from);
    __builtin_memcpy(to, &four, 16);
  }
  if constexpr (sizeof(T) > kFirst) {
    const uint2 two = *reinterpret_cast<const uint2*>(from + kFirst);
    __builtin_memcpy(to + kFirst, &two, 8);
  }
  return copy;
#else
  return value;
#endif
}

}  // namespace loom
