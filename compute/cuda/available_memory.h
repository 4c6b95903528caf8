#pragma once

#include <cstdint>

namespace loom::cuda {

/// Free memory of a device, less what a frame's image and the driver may still take. Throws DeviceFault.
std::uint64_t available_memory(int device);

}  // namespace loom::cuda
