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

/// One launch of a kernel that computes a generation.
struct StepLaunch {
  PlaneGroups groups;
  const void* now = nullptr;
  void* next = nullptr;
  std::uint16_t* counts = nullptr;  ///< may be null
  LifeRule rule;
  unsigned blocks = 0;
  cudaStream_t stream = nullptr;
};

/// Compiles the step for devices of an architecture, given as ten times the compute capability: one kernel
/// without counts and one with counts. `shape` must be in plane_shape()'s order. Throws CompilerError.
MachineCode compile_step(const NbbShape& shape, int architecture);

/// The step of one generation in bit planes for one fractal, compiled at run time (run_time_compiler.h) from
/// the same source as the catalogue's steps (plane_step_kernel.cuh). Compilation takes seconds, on a thread
/// of its own; all steps for the same fractal share its result.
class CompiledStep {
 public:
  /// For the current device. `shape` must be in plane_shape()'s order; the planes are split as at any high
  /// level.
  explicit CompiledStep(const NbbShape& shape);

  /// Whether the kernel can be launched.
  bool ready() const;
  /// Whether compilation has ended, successfully or not.
  bool known() const;
  /// Waits until compilation has ended.
  void wait() const { outcome_.wait(); }
  /// The reason why the kernel cannot be launched, in a few words; empty if it can.
  std::string problem() const;

  /// Enqueues a launch; requires ready(). Throws as LOOM_CUDA does.
  void launch(const StepLaunch& step) const;

  /// The kernels as loaded on a device.
  struct Kernels;
  struct Outcome {
    std::shared_ptr<const Kernels> kernels;
    std::string problem;
  };

 private:
  std::shared_future<Outcome> outcome_;
};

}  // namespace loom::cuda
