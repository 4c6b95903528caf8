#pragma once

/// Marks a function that runs on the CPU and inside CUDA kernels alike. A header that uses it still compiles
/// with the host compiler alone.
#if defined(__CUDACC__)
#define LOOM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define LOOM_HOST_DEVICE inline
#endif
