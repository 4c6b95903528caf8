#pragma once

#include <cstdint>
#include <string>

namespace loom {

/// What a GPU's kernel takes of a multiprocessor, for a thread block.
struct KernelResources {
  std::uint32_t threads = 0;    ///< of a thread block
  std::uint32_t registers = 0;  ///< of a thread
  std::uint32_t shared_bytes =
      0;  ///< of a thread block: those that the kernel declares and those of its launch
};

/// What a multiprocessor has.
struct ProcessorResources {
  std::uint32_t threads = 0;
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t reserved_bytes = 0;  ///< shared memory that the system takes of each thread block
};

/// How many thread blocks of a kernel a multiprocessor can hold at once, and why no more.
struct Occupancy {
  KernelResources kernel;
  std::uint32_t processor_threads = 0;  ///< that a multiprocessor can hold
  /// The occupancy calculator's answer (cudaOccupancyMaxActiveBlocksPerMultiprocessor).
  std::uint32_t blocks = 0;
  // What each resource alone would allow; 0 where one thread block is too much for it.
  std::uint32_t by_threads = 0;
  std::uint32_t by_blocks = 0;  ///< the hardware's slots
  std::uint32_t by_registers = 0;
  std::uint32_t by_shared_memory = 0;

  /// The share of a multiprocessor's threads that can be there at once, 0..1.
  double share() const {
    return processor_threads ? static_cast<double>(blocks) * kernel.threads / processor_threads : 0;
  }
};

/// The limits that each resource sets, by the rules of compute capability 7.5 to 9.0 (CUDA C++ Programming
/// Guide, "Features and Technical Specifications"): threads count in whole warps, registers are handed out to
/// warps in units of 256 by four equal parts of the multiprocessor, shared memory to thread blocks in units
/// of 128 bytes. `blocks` is the least of them; who has the calculator's answer puts it there.
Occupancy occupancy_limits(const KernelResources& kernel, const ProcessorResources& processor);

/// What limits the blocks: "threads", "registers", "shared memory", "block slots", or several joined by
/// " and "; "other" where none of these explains the calculator's answer.
std::string limited_by(const Occupancy& occupancy);

}  // namespace loom
