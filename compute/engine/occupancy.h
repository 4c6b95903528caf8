#pragma once

#include <cstdint>
#include <string>

namespace loom {

/// The resources that a thread block of a GPU kernel uses.
struct KernelResources {
  std::uint32_t threads = 0;       ///< per thread block
  std::uint32_t registers = 0;     ///< per thread
  std::uint32_t shared_bytes = 0;  ///< shared memory per thread block: static and dynamic
};

/// The resources of a multiprocessor.
struct ProcessorResources {
  std::uint32_t threads = 0;
  std::uint32_t blocks = 0;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t reserved_bytes = 0;  ///< shared memory that the system reserves per thread block
};

/// The number of thread blocks of a kernel that are resident on a multiprocessor, and the limiting resource.
struct Occupancy {
  KernelResources kernel;
  std::uint32_t processor_threads = 0;  ///< largest number of resident threads
  /// The result of the occupancy calculator (cudaOccupancyMaxActiveBlocksPerMultiprocessor).
  std::uint32_t blocks = 0;
  // The limit of each resource alone; 0 if one thread block exceeds it.
  std::uint32_t by_threads = 0;
  std::uint32_t by_blocks = 0;  ///< the hardware's block slots
  std::uint32_t by_registers = 0;
  std::uint32_t by_shared_memory = 0;

  /// The fraction of a multiprocessor's threads that can be resident, 0..1.
  double share() const {
    return processor_threads ? static_cast<double>(blocks) * kernel.threads / processor_threads : 0;
  }
};

/// The limits that each resource sets, by the rules of compute capability 7.5 to 9.0 (CUDA C++ Programming
/// Guide, "Features and Technical Specifications"): threads are allocated in whole warps, registers per warp
/// in units of 256 in each of the four partitions of the multiprocessor, shared memory per thread block in
/// units of 128 bytes. `blocks` is the smallest limit; a caller with the occupancy calculator's result
/// replaces it.
Occupancy occupancy_limits(const KernelResources& kernel, const ProcessorResources& processor);

/// The limiting resource: "threads", "registers", "shared memory", "block slots", or several joined by " and
/// "; "other" if none of these explains the calculator's result.
std::string limited_by(const Occupancy& occupancy);

}  // namespace loom
