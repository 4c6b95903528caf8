#pragma once

#include <cstdint>

#include "compute/geometry/group_neighbours.h"

namespace loom::cuda {

/// Threads per thread block of the step.
inline constexpr std::uint32_t kPlaneThreads = 128;

/// The data about groups that a kernel needs. In a partition, groups of other partitions count as dead here.
struct PlaneGroups {
  std::uint32_t groups = 0;
  std::uint32_t threads = 0;
  GroupNeighbours neighbours;
  std::uint32_t first = 0;  ///< first thread of the launch
};

/// A partition's boundary list (geometry/plane_partition.h), in device memory.
struct BoundaryList {
  const std::uint32_t* threads = nullptr;  ///< threads of the partition
  const std::uint32_t* beside = nullptr;   ///< as PlaneBoundary::beside
  std::uint32_t count = 0;                 ///< leading entries of the list to process
  std::uint32_t listed = 0;                ///< length of the list
};

}  // namespace loom::cuda
