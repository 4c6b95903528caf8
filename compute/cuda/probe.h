#pragma once

#include <cuda_runtime_api.h>

namespace loom::cuda {

/// Makes a device current and asks whether this program holds machine code (or PTX) that it can run;
/// cudaSuccess if so.
cudaError_t probe_device(int device);

}  // namespace loom::cuda
