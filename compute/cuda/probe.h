#pragma once

#include <cuda_runtime_api.h>

namespace loom::cuda {

/// Makes a device current and tests whether this program contains machine code (or PTX) that the device can
/// run; cudaSuccess if so.
cudaError_t probe_device(int device);

}  // namespace loom::cuda
