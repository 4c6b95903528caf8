#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace loom::cuda {

/// Throws CapacityError for cudaErrorMemoryAllocation (and clears the error), DeviceFault with call, file,
/// line, error name and text for any other error.
void check(cudaError_t status, const char* call, const char* file, int line);

/// As check(); if memory is insufficient, the message states the requested and the free bytes.
void check_allocation(cudaError_t status, std::size_t bytes, const char* call, const char* file, int line);

/// For destructors: prints the message that `check` would throw. Prints nothing while the driver shuts down,
/// and nothing for a sticky error, which the first failed call has already reported.
void check_quietly(cudaError_t status, const char* call, const char* file, int line) noexcept;

}  // namespace loom::cuda

#define LOOM_CUDA(call) ::loom::cuda::check((call), #call, __FILE__, __LINE__)
#define LOOM_CUDA_ALLOCATES(bytes, call) \
  ::loom::cuda::check_allocation((call), (bytes), #call, __FILE__, __LINE__)
#define LOOM_CUDA_QUIETLY(call) ::loom::cuda::check_quietly((call), #call, __FILE__, __LINE__)
