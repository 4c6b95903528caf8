#pragma once

#include <cuda_runtime_api.h>

namespace loom::cuda {

/// Throws std::bad_alloc for cudaErrorMemoryAllocation (and clears it), DeviceFault with call, file, line,
/// error name and text for any other error.
void check(cudaError_t status, const char* call, const char* file, int line);

/// For destructors: prints what `check` would throw; says nothing while the driver shuts down.
void check_quietly(cudaError_t status, const char* call, const char* file, int line) noexcept;

}  // namespace loom::cuda

#define LOOM_CUDA(call) ::loom::cuda::check((call), #call, __FILE__, __LINE__)
#define LOOM_CUDA_QUIETLY(call) ::loom::cuda::check_quietly((call), #call, __FILE__, __LINE__)
