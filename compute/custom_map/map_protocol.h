#pragma once

#include <cstdint>

#include "compute/custom_map/map_run.h"
#include "compute/geometry/nbb_shape.h"

namespace loom {

// Messages between run_map() and its process. Both are the same program, so the layout is that of memory.

struct MapRunRequest {
  std::uint64_t code_bytes = 0;  ///< of the text that follows
  std::int32_t level = 0;
  std::int32_t width = 0;
  std::int32_t height = 0;
  std::int32_t cells = 0;
  std::int32_t milliseconds = 0;
  std::int32_t device = -1;       ///< CUDA ordinal; -1: the CPU
  std::int32_t architecture = 0;  ///< of that device: ten times the compute capability
  MapStorage measure = MapStorage::kNone;
  NbbShape shape = {};
};

enum class MapMessage : std::uint32_t {
  kSandbox,   ///< a byte: whether seccomp is in force
  kProblem,   ///< int32 line and column, then text
  kCompiled,  ///< double: milliseconds
  kLaunch,    ///< MapLaunch
  kPoints,    ///< MapPoint of the next whole thread blocks
  kRan,       ///< double: milliseconds
  kMeasured,  ///< double: milliseconds of a single write
  kSignal,    ///< MapSignal
  kFault,     ///< text: what ended the run on a GPU
  kTimeout,   ///< the run on a GPU took too long
  kCode,      ///< machine code for a GPU, from the process that compiles to the one that runs it
  kCounted,   ///< MapCoverage, counted on a GPU instead of kPoints
  kDone,
};

struct MapMessageHead {
  MapMessage kind;
  std::uint32_t bytes;  ///< that follow
};

/// A signal that ended the run.
struct MapSignal {
  std::int32_t number;
  std::int32_t in_stack;      ///< the address is near the stack pointer
  std::int32_t has_overflow;  ///< a division by -1, not by 0
  std::uint32_t block[2];
  std::uint32_t thread[2];
  std::int32_t is_in_thread;  ///< cell_of_thread() was running, not launch() or the compiler
};

}  // namespace loom
