#pragma once

/// Marks a function that compiles for the CPU and for CUDA kernels. A header that uses the macro still
/// compiles with the host compiler alone.
#if defined(__CUDACC__)
#define LOOM_HOST_DEVICE __host__ __device__ __forceinline__
#else
#define LOOM_HOST_DEVICE inline
#endif
