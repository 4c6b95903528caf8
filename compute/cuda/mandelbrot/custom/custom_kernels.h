#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/mandelbrot/custom_formula.h"

namespace loom::cuda {

/// The CUDA C++ of a formula's orbits (linked/custom_kernels.cu).
std::string formula_text(const CustomFormula& formula);
/// The kernels of a formula for devices of an architecture, ten times the compute capability: its orbits,
/// compiled by NVRTC and linked by nvJitLink of the CUDA Toolkit. Takes about a second. Throws MachineError,
/// and InputError for a formula that does not run on a GPU.
std::vector<char> compile_formula(const CustomFormula& formula, int architecture);

/// The kernels of a custom formula on the current device.
class CustomKernels {
 public:
  /// Throws as compile_formula().
  CustomKernels(const CustomFormula& formula, int device);
  ~CustomKernels();
  CustomKernels(const CustomKernels&) = delete;
  CustomKernels& operator=(const CustomKernels&) = delete;

  const CustomFormula& formula() const { return formula_; }
  cudaKernel_t kernel(const std::string& name) const;
  /// Before and after launches on a stream, which check() waits for: it throws InputError, one line, if a
  /// step of an orbit had a fault.
  void begin(const Stream& stream) const;
  void check(const Stream& stream) const;

 private:
  CustomFormula formula_;
  cudaLibrary_t library_ = nullptr;
  unsigned long long* fault_ = nullptr;  ///< on the device
  mutable std::map<std::string, cudaKernel_t> kernels_;
};

/// How launches on dwells are divided.
struct DwellSlices : LaunchSlices {
  const CustomKernels* custom = nullptr;  ///< the kernels of a custom formula, which are launched instead
};

/// "_f32_u16" and so on: the end of the names of the kernels for a task.
template <typename Task>
std::string custom_suffix(const Task& task) {
  constexpr bool is_double = std::is_same_v<typename decltype(task.grid)::Value, double>;
  constexpr bool is_narrow = sizeof(*task.image.dwells) == 2;
  return std::string(is_double ? "_f64" : "_f32") + (is_narrow ? "_u16" : "_u32");
}

/// The grid of a kernel that processes `count` > 0 items in a grid-stride loop (launch.cuh).
inline constexpr unsigned kItemThreads = 256;
inline unsigned blocks_for(std::uint64_t count) {
  constexpr std::uint64_t kMaxBlocks = 1 << 16;
  return static_cast<unsigned>(std::min(kMaxBlocks, (count + kItemThreads - 1) / kItemThreads));
}

/// Launches a kernel on a task; for a custom formula the one of this name instead.
template <typename... Parameters, typename Task, typename... Arguments>
void launch_on_task(const DwellSlices& slices, const char* name, void (*kernel)(Parameters...), dim3 blocks,
                    dim3 threads, const Stream& stream, const Task& task, const Arguments&... arguments) {
  std::tuple<std::remove_cv_t<Parameters>...> values(task, arguments...);
  const void* launched = reinterpret_cast<const void*>(kernel);
  if (slices.custom != nullptr) launched = slices.custom->kernel(name + custom_suffix(task));
  std::apply(
      [&](auto&... each) {
        void* pointers[] = {&each...};
        LOOM_CUDA(cudaLaunchKernel(launched, blocks, threads, pointers, 0, stream.get()));
      },
      values);
}

}  // namespace loom::cuda
