#include "compute/cuda/probe.h"

namespace loom::cuda {
namespace {

__global__ void probe_kernel() {}

}  // namespace

cudaError_t probe_device(int device) {
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaSetDevice(device);
  return status == cudaSuccess ? cudaFuncGetAttributes(&attributes, probe_kernel) : status;
}

}  // namespace loom::cuda
