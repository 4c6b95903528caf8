#include "compute/cuda/check.h"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"

namespace loom::cuda {
namespace {

std::string describe(cudaError_t status, const char* call, const char* file, int line) {
  return fmt::format("{}: {} ({}) at {}:{}", call, cudaGetErrorName(status), cudaGetErrorString(status), file,
                     line);
}

/// Whether the device has an unrecoverable error: every call then returns it, including this harmless one.
bool is_lost() {
  const cudaError_t now = cudaDeviceSynchronize();
  cudaGetLastError();
  return now != cudaSuccess;
}

}  // namespace

void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  if (status == cudaErrorMemoryAllocation) {
    throw CapacityError(fmt::format("out of memory on the device: {} failed", call), 0, 0);
  }
  throw DeviceFault(describe(status, call, file, line));
}

void check_allocation(cudaError_t status, std::size_t bytes, const char* call, const char* file, int line) {
  if (status != cudaErrorMemoryAllocation) return check(status, call, file, line);
  cudaGetLastError();
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess) cudaGetLastError();
  const bool on_host = std::string_view(call).starts_with("cudaMallocHost");
  if (on_host) {
    throw CapacityError(fmt::format("out of page-locked host memory: {} requested", describe_bytes(bytes)),
                        bytes, 0);
  }
  throw CapacityError(fmt::format("out of memory on the device: {} requested, but only {} are free",
                                  describe_bytes(bytes), describe_bytes(free_bytes)),
                      bytes, free_bytes);
}

void check_quietly(cudaError_t status, const char* call, const char* file, int line) noexcept {
  if (status == cudaSuccess || status == cudaErrorCudartUnloading) return;
  cudaGetLastError();
  if (is_lost()) return;
  std::fprintf(stderr, "%s\n", describe(status, call, file, line).c_str());
}

std::uint64_t available_memory(int device) {
  // Reserve for the image's buffers, the driver and the window.
  constexpr std::uint64_t kReserve = std::uint64_t{256} << 20;
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  LOOM_CUDA(cudaSetDevice(device));
  LOOM_CUDA(cudaMemGetInfo(&free_bytes, &total_bytes));
  return free_bytes > kReserve ? free_bytes - kReserve : 0;
}

}  // namespace loom::cuda
