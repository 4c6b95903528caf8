#pragma once

#include <cstdint>

namespace loom::cuda {

/// Free memory of a device, minus a reserve for a frame's image and the driver. Throws DeviceFault.
std::uint64_t available_memory(int device);

}  // namespace loom::cuda
