#include "compute/cuda/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "compute/core/error.h"

namespace loom::cuda {
namespace {

std::string describe(cudaError_t status, const char* call, const char* file, int line) {
  return fmt::format("{}: {} ({}) at {}:{}", call, cudaGetErrorName(status), cudaGetErrorString(status), file,
                     line);
}

}  // namespace

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  if (status == cudaErrorMemoryAllocation) throw std::bad_alloc();
  throw DeviceFault(describe(status, call, file, line));
}

void check_quietly(cudaError_t status, const char* call, const char* file, int line) noexcept {
  if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
  cudaGetLastError();
  std::fprintf(stderr, "%s\n", describe(status, call, file, line).c_str());
}

}  // namespace loom::cuda
