#pragma once

#include "compute/core/host_device.h"

namespace loom {

/// A copy of an aligned value, with as few loads as possible: a compiler loads each member by itself.
template <typename T>
LOOM_HOST_DEVICE T load_whole(const T& value) {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T) == 8 || sizeof(T) % 16 == 0);
  T copy;
  if constexpr (sizeof(T) == 8) {
    const uint2 two = *reinterpret_cast<const uint2*>(&value);
    __builtin_memcpy(&copy, &two, 8);
  } else {
#pragma unroll
    for (unsigned i = 0; i < sizeof(T) / 16; ++i) {
      const uint4 four = reinterpret_cast<const uint4*>(&value)[i];
      __builtin_memcpy(reinterpret_cast<unsigned char*>(&copy) + 16 * i, &four, 16);
    }
  }
  return copy;
#else
  return value;
#endif
}

}  // namespace loom
