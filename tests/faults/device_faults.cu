#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "device_faults.h"

struct cudaGraphicsResource;

// With the linker's --wrap option, a call of NAME goes to __wrap_NAME, and __real_NAME is CUDA's function.
extern "C" {
cudaError_t __real_cudaMalloc(void** memory, std::size_t bytes);
cudaError_t __real_cudaMallocHost(void** memory, std::size_t bytes);
cudaError_t __real_cudaFree(void* memory);
cudaError_t __real_cudaFreeHost(void* memory);
cudaError_t __real_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t __real_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t __real_cudaEventCreate(cudaEvent_t* event);
cudaError_t __real_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t __real_cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t __real_cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t __real___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream);
cudaError_t __real_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream);
cudaError_t __real_cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, unsigned image,
                                               unsigned target, unsigned flags);
cudaError_t __real_cudaGraphicsMapResources(int count, cudaGraphicsResource** resources, cudaStream_t stream);
cudaError_t __real_cudaGraphicsUnmapResources(int count, cudaGraphicsResource** resources,
                                              cudaStream_t stream);
cudaError_t __real_cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource* resource,
                                                         unsigned index, unsigned level);
cudaError_t __real_cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                            std::size_t pitch, std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream);
}

namespace {

std::uint64_t number(const char* variable) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

/// Counts down to the call that must fail.
class Countdown {
 public:
  explicit Countdown(const char* variable) : left_(number(variable)) {}
  void set(std::uint64_t nth) {
    left_ = nth;
    came_ = false;
  }
  /// Counts one call. Returns whether it must fail.
  bool needs_search() {
    std::uint64_t left = left_;
    while (left > 0 && !left_.compare_exchange_weak(left, left - 1)) {
    }
    if (left == 1) came_ = true;
    return left == 1;
  }
  bool came() const { return came_; }

 private:
  std::atomic<std::uint64_t> left_;
  std::atomic<bool> came_{false};
};

struct Faults {
  Countdown allocation{"LOOM_FAIL_ALLOCATION"};
  Countdown interop{"LOOM_FAIL_INTEROP"};
  Countdown launch{"LOOM_BREAK_LAUNCH"};
  std::atomic<bool> few_launches{number("LOOM_FEW_LAUNCHES") > 0};
  std::atomic<std::uint64_t> said_launches{0};
  std::atomic<bool> refuses_launches{false};
  std::atomic<std::int64_t> buffers{0};
  std::atomic<std::uint64_t> launches{0};
};

Faults& faults() {
  static Faults faults;
  return faults;
}

cudaError_t allocate(cudaError_t (*real)(void**, std::size_t), void** memory, std::size_t bytes) {
  if (faults().allocation.needs_search()) return cudaErrorMemoryAllocation;
  const cudaError_t status = real(memory, bytes);
  if (status == cudaSuccess && *memory != nullptr) ++faults().buffers;
  return status;
}

bool refuses_interop() {
  return faults().interop.needs_search() || faults().interop.came();
}

__global__ void broken_kernel() {
  asm("trap;");
}

/// The longest launch of each kernel. The six longest are written to standard error when the program ends.
class KernelTimes {
 public:
  KernelTimes() : wanted_(number("LOOM_KERNEL_TIMES") > 0) {}
  ~KernelTimes() {
    if (!wanted_) return;
    std::vector<std::pair<double, std::string>> all;
    for (const auto& [kernel, milliseconds] : longest_) all.emplace_back(milliseconds, kernel);
    std::sort(all.rbegin(), all.rend());
    for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 6); ++i)
      std::fprintf(stderr, "kernel %9.3f ms  %s\n", all[i].first, all[i].second.c_str());
  }
  bool wanted() const { return wanted_; }
  void note(cudaKernel_t kernel, double milliseconds) {
    const char* name = nullptr;
    if (cudaFuncGetName(&name, reinterpret_cast<const void*>(kernel)) != cudaSuccess) {
      cudaGetLastError();
      name = "?";
    }
    const std::lock_guard lock(mutex_);
    double& longest = longest_[name];
    longest = std::max(longest, milliseconds);
  }

 private:
  bool wanted_;
  std::mutex mutex_;
  std::map<std::string, double> longest_;
};

KernelTimes& kernel_times() {
  static KernelTimes times;
  return times;
}

}  // namespace

namespace loom::tests {

void fail_allocation(std::uint64_t nth) {
  faults().allocation.set(nth);
}
void fail_interop(std::uint64_t nth) {
  faults().interop.set(nth);
}
void break_launch(std::uint64_t nth) {
  faults().launch.set(nth);
}
namespace {

// Undoes the limit that an earlier engine has set: 2048 is CUDA's default.
void take_launches_back() {
  if (__real_cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 2048) != cudaSuccess)
    cudaGetLastError();
}

}  // namespace

void keep_launches_few(bool few) {
  faults().few_launches = few;
  faults().said_launches = 0;
  if (few) take_launches_back();
}
void refuse_launches(bool refuse) {
  faults().refuses_launches = refuse;
  if (refuse) take_launches_back();
}
bool fault_came() {
  return faults().allocation.came() || faults().interop.came() || faults().launch.came();
}
std::int64_t buffers_held() {
  return faults().buffers;
}
std::uint64_t launches() {
  return faults().launches;
}

}  // namespace loom::tests

extern "C" {

cudaError_t __wrap_cudaMalloc(void** memory, std::size_t bytes) {
  return allocate(__real_cudaMalloc, memory, bytes);
}
cudaError_t __wrap_cudaMallocHost(void** memory, std::size_t bytes) {
  return allocate(__real_cudaMallocHost, memory, bytes);
}
cudaError_t __wrap_cudaFree(void* memory) {
  if (memory != nullptr) --faults().buffers;
  return __real_cudaFree(memory);
}
cudaError_t __wrap_cudaFreeHost(void* memory) {
  if (memory != nullptr) --faults().buffers;
  return __real_cudaFreeHost(memory);
}
cudaError_t __wrap_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  if (faults().allocation.needs_search()) return cudaErrorMemoryAllocation;
  return __real_cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t __wrap_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (faults().allocation.needs_search()) return cudaErrorMemoryAllocation;
  return __real_cudaStreamCreateWithPriority(stream, flags, priority);
}
cudaError_t __wrap_cudaEventCreate(cudaEvent_t* event) {
  if (faults().allocation.needs_search()) return cudaErrorMemoryAllocation;
  return __real_cudaEventCreate(event);
}
cudaError_t __wrap_cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (faults().allocation.needs_search()) return cudaErrorMemoryAllocation;
  return __real_cudaEventCreateWithFlags(event, flags);
}

cudaError_t __wrap_cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  if (limit != cudaLimitDevRuntimePendingLaunchCount) return __real_cudaDeviceSetLimit(limit, value);
  if (faults().refuses_launches) return cudaErrorMemoryAllocation;
  if (!faults().few_launches) return __real_cudaDeviceSetLimit(limit, value);
  faults().said_launches = value;
  return cudaSuccess;
}
cudaError_t __wrap_cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  const cudaError_t status = __real_cudaDeviceGetLimit(value, limit);
  const std::uint64_t said = faults().said_launches;
  if (limit == cudaLimitDevRuntimePendingLaunchCount && said > 0) *value = said;
  return status;
}

}  // extern "C"

namespace {

/// `launch` launches the kernel.
template <typename Launch>
cudaError_t watched_launch(cudaKernel_t kernel, cudaStream_t stream, const Launch& launch) {
  ++faults().launches;
  if (faults().launch.needs_search()) broken_kernel<<<1, 1, 0, stream>>>();
  if (!kernel_times().wanted()) return launch();
  cudaStreamSynchronize(stream);
  const auto begin = std::chrono::steady_clock::now();
  const cudaError_t status = launch();
  cudaStreamSynchronize(stream);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  kernel_times().note(kernel, took.count());
  return status;
}

}  // namespace

extern "C" {

cudaError_t __wrap___cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                      std::size_t shared, cudaStream_t stream) {
  return watched_launch(kernel, stream, [&] {
    return __real___cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
  });
}
cudaError_t __wrap_cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    std::size_t shared, cudaStream_t stream) {
  cudaKernel_t found = nullptr;
  cudaGetKernel(&found, kernel);
  return watched_launch(
      found, stream, [&] { return __real_cudaLaunchKernel(kernel, grid, block, arguments, shared, stream); });
}

cudaError_t __wrap_cudaGraphicsGLRegisterImage(cudaGraphicsResource** resource, unsigned image,
                                               unsigned target, unsigned flags) {
  if (refuses_interop()) return cudaErrorUnknown;
  return __real_cudaGraphicsGLRegisterImage(resource, image, target, flags);
}
cudaError_t __wrap_cudaGraphicsMapResources(int count, cudaGraphicsResource** resources,
                                            cudaStream_t stream) {
  if (refuses_interop()) return cudaErrorUnknown;
  return __real_cudaGraphicsMapResources(count, resources, stream);
}
cudaError_t __wrap_cudaGraphicsSubResourceGetMappedArray(cudaArray_t* array, cudaGraphicsResource* resource,
                                                         unsigned index, unsigned level) {
  if (refuses_interop()) return cudaErrorUnknown;
  return __real_cudaGraphicsSubResourceGetMappedArray(array, resource, index, level);
}
cudaError_t __wrap_cudaMemcpy2DToArrayAsync(cudaArray_t to, std::size_t x, std::size_t y, const void* from,
                                            std::size_t pitch, std::size_t width, std::size_t height,
                                            cudaMemcpyKind kind, cudaStream_t stream) {
  if (refuses_interop()) return cudaErrorUnknown;
  return __real_cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, stream);
}
// A refused call must not keep the texture from OpenGL: the resources are unmapped and an error is returned.
cudaError_t __wrap_cudaGraphicsUnmapResources(int count, cudaGraphicsResource** resources,
                                              cudaStream_t stream) {
  const bool refused = refuses_interop();
  const cudaError_t status = __real_cudaGraphicsUnmapResources(count, resources, stream);
  return refused ? cudaErrorUnknown : status;
}

}  // extern "C"
