#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compute/custom_map/map_code.h"
#include "compute/custom_map/map_protocol.h"

namespace loom::cuda {

// The kernels around a custom map, as text for NVRTC.

/// The CUDA C++ of a map: the prelude for this fractal and level, the map, and kernels named as in
/// kMapKernels.
std::string map_kernel_text(const MapRunRequest& request, const std::string& code);

inline constexpr const char* kLaunchKernel = "loom_launch";
inline constexpr const char* kPointsKernel = "loom_points";
inline constexpr const char* kWriteKernel = "loom_write";
inline constexpr const char* kSmallWriteKernel = "loom_write_small";      ///< up to 2^29 threads per axis
inline constexpr const char* kCompactWriteKernel = "loom_write_compact";  ///< a byte per thread
inline constexpr const char* kSmallCompactWriteKernel = "loom_write_compact_small";
inline constexpr const char* kCountKernel = "loom_count";

/// What loom_count adds up: indices into its array.
enum MapCount : std::size_t {
  kCountActive,
  kCountNone,
  kCountHoles,
  kCountOutside,
  kCountReached,   ///< cells that a thread reached
  kCountRepeated,  ///< cells that several threads reached
  kCountWarps,
  kCountActiveWarps,
  kCountSectors,
  kCountBlocksInUse,
  kMapCounts
};

/// The errors in the compiler's output: "map(3): error: message", and a line with a caret at the column.
std::vector<CodeProblem> problems_of_log(std::string_view log);

}  // namespace loom::cuda
