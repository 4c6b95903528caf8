#pragma once

/// Marks a function that compiles for the CPU and for CUDA kernels. A header that uses the macro still
/// compiles with the host compiler alone.
#if defined(__CUDACC__)
#define LOOM_HOST_DEVICE __host__ __device__ __forceinline__
/// The same for a long function that is called instead of copied into each of its callers.
#define LOOM_HOST_DEVICE_CALL __host__ __device__ __noinline__
#else
#define LOOM_HOST_DEVICE inline
#define LOOM_HOST_DEVICE_CALL inline
#endif
