#pragma once

#include <string>
#include <string_view>

#include "compute/map_code/machine.h"
#include "compute/map_code/run.h"

namespace loom::cuda {

// Custom maps on a GPU. NVRTC compiles text that is made from the checked code, never what was typed: indices
// and divisions are checked, loops and recursion have a budget, so that a launch ends and writes to its
// result only. A thread that fails a check ends alone, and tells where.

/// Whether NVRTC of the CUDA Toolkit is installed, without which maps do not run on a GPU.
bool has_map_compiler();

/// As run_map_on_cpu(), on the CUDA device of the request. Throws MachineError.
void run_map_on_gpu(const NbbFractal& fractal, const MapRequest& request, const MapProgram& program,
                    const ProgressMonitor* monitor, MapResult& result);

enum MapKernel : std::size_t {
  kLaunchKernel,
  kPointsKernel,
  kCountKernel,
  kWriteKernel,
  kSmallWriteKernel,    ///< up to 2^29 threads per axis
  kCompactWriteKernel,  ///< a byte per thread
  kSmallCompactWriteKernel,
  kMapKernels
};
inline constexpr const char* kMapKernelNames[kMapKernels] = {"loom_launch",
                                                             "loom_points",
                                                             "loom_count",
                                                             "loom_write",
                                                             "loom_write_small",
                                                             "loom_write_compact",
                                                             "loom_write_compact_small"};

/// The CUDA C++ of a map for a fractal and level, with the kernels above, those from kWriteKernel on if
/// `writes`. `is_checked`: else without checks, for a map that a checked run has shown to need none.
std::string map_kernel_text(const MapCode& code, const MapFractal& fractal, bool is_checked, bool writes);

}  // namespace loom::cuda
