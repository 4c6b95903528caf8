#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <future>
#include <memory>
#include <string>

#include "compute/cuda/bits/plane_groups.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// One launch of a kernel that makes a generation.
struct StepLaunch {
  PlaneGroups groups;
  const void* now = nullptr;
  void* next = nullptr;
  std::uint16_t* counts = nullptr;  ///< may be null
  LifeRule rule;
  unsigned blocks = 0;
  cudaStream_t stream = nullptr;
};

/// Compiles it for devices of an architecture, ten times the compute capability: the kernel without counts
/// and the one with them. `shape` is in plane_shape()'s order. Throws CompilerError.
MachineCode compile_step(const NbbShape& shape, int architecture);

/// The step of one generation in bit planes for one fractal, compiled while the program runs
/// (run_time_compiler.h) from the text that the catalogue's steps are compiled from (plane_step_kernel.cuh).
/// That takes seconds, on a thread of its own; steps for the same fractal share what it comes to.
class CompiledStep {
 public:
  /// For the current device. `shape` is in plane_shape()'s order; planes are cut as at any high level.
  explicit CompiledStep(const NbbShape& shape);

  /// Whether it can be launched.
  bool ready() const;
  /// Whether it can be launched, or it is known that it never can.
  bool known() const;
  /// Waits for that.
  void wait() const { outcome_.wait(); }
  /// Why it cannot be launched, in a few words; empty where it can.
  std::string why_not() const;

  /// Enqueues it; ready(). Throws as LOOM_CUDA does.
  void launch(const StepLaunch& step) const;

  /// Kernels in a device's memory.
  struct Kernels;
  struct Outcome {
    std::shared_ptr<const Kernels> kernels;
    std::string why_not;
  };

 private:
  std::shared_future<Outcome> outcome_;
};

}  // namespace loom::cuda
