#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/engine/occupancy.h"

namespace loom::cuda {

/// The number of thread blocks of `threads` threads, with `dynamic_bytes` of dynamic shared memory, that are
/// resident on a multiprocessor of the current device, and the limiting resource. `kernel` is a __global__
/// function. Throws DeviceFault.
Occupancy kernel_occupancy(const void* kernel, std::uint32_t threads, std::size_t dynamic_bytes);

template <typename... Parameters>
Occupancy kernel_occupancy(void (*kernel)(Parameters...), std::uint32_t threads, std::size_t dynamic_bytes) {
  return kernel_occupancy(reinterpret_cast<const void*>(kernel), threads, dynamic_bytes);
}

}  // namespace loom::cuda
