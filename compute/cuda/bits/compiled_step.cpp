#include "compute/cuda/bits/compiled_step.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <list>
#include <mutex>
#include <system_error>

#include "compute/cuda/bits/plane_step_sources.h"
#include "compute/cuda/check.h"
#include "compute/workload/life_counts.h"

namespace loom::cuda {
namespace {

std::string text_for(const NbbShape& shape) {
  std::string x, y, replica_at;
  for (std::uint32_t b = 0; b < shape.k; ++b) {
    x += fmt::format("{}, ", shape.offset_x[b]);
    y += fmt::format("{}, ", shape.offset_y[b]);
  }
  for (std::uint32_t i = 0; i < shape.s_x * shape.s_y; ++i)
    replica_at += fmt::format("{}, ", shape.replica_at[i]);
  return fmt::format(R"(#include "compute/cuda/bits/plane_step_kernel.cuh"
namespace loom::cuda {{
struct GivenShape {{
  static constexpr NbbShape kShape{{{}, {}, {}, {{{}}}, {{{}}}, {{{}}}}};
}};
}}
)",
                     shape.k, shape.s_x, shape.s_y, x, y, replica_at);
}

constexpr const char* kKernel =
    "loom::cuda::step_planes_kernel<loom::cuda::UnrolledProgram<loom::cuda::GivenShape>, ";

int architecture_of(int device) {
  int major = 0;
  int minor = 0;
  LOOM_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  LOOM_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
  return 10 * major + minor;
}

}  // namespace

MachineCode compile_step(const NbbShape& shape, int architecture) {
  const std::array kernels = {fmt::format("{}false>", kKernel), fmt::format("{}true>", kKernel)};
  return compile_at_run_time(text_for(shape), embedded::plane_step_sources, kernels, architecture);
}

struct CompiledStep::Kernels {
  explicit Kernels(const MachineCode& compiled) {
    LOOM_CUDA(cudaLibraryLoadData(&library, compiled.code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    for (std::size_t i = 0; i < kernels.size(); ++i)
      LOOM_CUDA(cudaLibraryGetKernel(&kernels[i], library, compiled.kernels[i].c_str()));
  }
  ~Kernels() {
    // At the end of the process the runtime may already be unloaded.
    if (library != nullptr) cudaLibraryUnload(library);
  }
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  cudaLibrary_t library = nullptr;
  std::array<cudaKernel_t, 2> kernels = {};  ///< without and with counts
};

namespace {

CompiledStep::Outcome compile(const NbbShape& shape, int architecture, int device) {
  try {
    const ExitGuard held;
    const MachineCode code = compile_step(shape, architecture);
    LOOM_CUDA(cudaSetDevice(device));
    auto loaded = std::make_shared<const CompiledStep::Kernels>(code);
    // Loads the code onto the device now, instead of at the first launch.
    for (const cudaKernel_t kernel : loaded->kernels) {
      cudaFuncAttributes attributes;
      LOOM_CUDA(cudaFuncGetAttributes(&attributes, kernel));
    }
    return {std::move(loaded), ""};
  } catch (const std::exception& error) {
    return {nullptr, error.what()};
  }
}

/// A cache of recent compilations, finished or in progress.
class CompileCache {
 public:
  std::shared_future<CompiledStep::Outcome> of(const NbbShape& shape, int device) {
    const int architecture = architecture_of(device);
    const std::scoped_lock lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->shape != shape || entry->architecture != architecture) continue;
      entries_.splice(entries_.begin(), entries_, entry);
      return entries_.front().outcome;
    }
    forget_oldest();
    entries_.push_front({shape, architecture, begin(shape, architecture, device)});
    return entries_.front().outcome;
  }

 private:
  struct Entry {
    NbbShape shape;
    int architecture = 0;
    std::shared_future<CompiledStep::Outcome> outcome;
  };
  static std::shared_future<CompiledStep::Outcome> begin(const NbbShape& shape, int architecture,
                                                         int device) {
    try {
      return std::async(std::launch::async, compile, shape, architecture, device).share();
    } catch (const std::system_error&) {
      std::promise<CompiledStep::Outcome> none;
      none.set_value({nullptr, "no thread could be made for its compiler"});
      return none.get_future().share();
    }
  }
  /// Removes a finished entry only: removing another one would have to wait for its compilation.
  void forget_oldest() {
    constexpr std::size_t kMost = 16;
    for (auto entry = entries_.end(); entries_.size() >= kMost && entry != entries_.begin();) {
      --entry;
      if (entry->outcome.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
        entry = entries_.erase(entry);
    }
  }

  std::mutex mutex_;
  std::list<Entry> entries_;  ///< most recently used first
};
CompileCache& compiled() {
  static CompileCache all;
  return all;
}

int current_device() {
  int device = 0;
  LOOM_CUDA(cudaGetDevice(&device));
  return device;
}

}  // namespace

CompiledStep::CompiledStep(const NbbShape& shape) : outcome_(compiled().of(shape, current_device())) {}

bool CompiledStep::known() const {
  return outcome_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

bool CompiledStep::ready() const {
  return known() && outcome_.get().kernels != nullptr;
}

std::string CompiledStep::problem() const {
  return known() ? outcome_.get().problem : "being compiled";
}

void CompiledStep::launch(const StepLaunch& step) const {
  StepLaunch given = step;
  CountRule rule(step.rule);
  void* arguments[] = {&given.groups, &given.now, &given.next, &given.counts, &rule};
  LOOM_CUDA(cudaLaunchKernel(outcome_.get().kernels->kernels[step.counts == nullptr ? 0 : 1],
                             dim3(step.blocks), dim3(kPlaneThreads), arguments, 0, step.stream));
}

}  // namespace loom::cuda
