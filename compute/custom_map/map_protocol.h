#pragma once

#include <cstdint>

#include "compute/geometry/nbb_shape.h"

namespace loom {

// Messages between run_map() and its process. Both are the same program, so the layout is that of memory.

struct MapRunRequest {
  std::uint64_t code_bytes;  ///< of the text that follows
  std::int32_t level;
  std::int32_t width;
  std::int32_t height;
  std::int32_t cells;
  std::int32_t milliseconds;
  std::int32_t measure;
  NbbShape shape;
};

enum class MapMessage : std::uint32_t {
  kSandbox,   ///< a byte: whether seccomp is in force
  kProblem,   ///< int32 line, then text
  kCompiled,  ///< double: milliseconds
  kLaunch,    ///< MapLaunch
  kPoints,    ///< MapPoint of the next whole thread blocks
  kRan,       ///< double: milliseconds
  kMeasured,  ///< double: milliseconds of a single write
  kSignal,    ///< MapSignal
  kDone,
};

struct MapMessageHead {
  MapMessage kind;
  std::uint32_t bytes;  ///< that follow
};

/// A signal that ended the run.
struct MapSignal {
  std::int32_t number;
  std::int32_t in_stack;  ///< the address is near the stack pointer
  std::uint32_t block[2];
  std::uint32_t thread[2];
  std::int32_t is_in_thread;  ///< cell_of_thread() was running, not launch() or the compiler
};

}  // namespace loom
