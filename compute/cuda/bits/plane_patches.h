#pragma once

#include <cstdint>
#include <vector>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_neighbours.h"
#include "compute/geometry/plane_partition.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// The largest number of steps for a thread's words in one generation (LaunchSlices).
inline std::uint64_t steps_of_words(const BitPlanes& planes) {
  constexpr std::uint64_t kOfHalf = 10;
  return kOfHalf * planes.planes * (planes.wide() ? 2 : 1);
}

/// A partition's boundary (geometry/plane_partition.h) as one patch, in device memory: the listed groups are
/// the members, and the boundary groups are the inner ones.
struct BoundaryPatch {
  const std::uint32_t* groups = nullptr;  ///< groups of the partition, including the halo
  const std::uint16_t* beside = nullptr;  ///< from PlanePatches::patch_neighbours()
  std::uint32_t inside = 0;
  std::uint32_t members = 0;
  const std::uint32_t* sent = nullptr;  ///< indices in the boundary of the words to send
  std::uint32_t sent_count = 0;
  void* messages = nullptr;  ///< send buffer, thread after thread
};

/// Several generations of life in bit planes per launch: a thread block holds a replica of the fractal and
/// its halo (geometry/plane_patch.h) in registers, and its threads exchange edges through shared memory.
/// Supports the catalogue fractals for which this is faster.
class PlanePatches {
 public:
  /// `catalog` is the fractal's number in the catalogue, or -1.
  PlanePatches(const BitPlanes& planes, int catalog);

  /// The number of generations of the next launch, at most `times`: 1 if several are not faster.
  std::uint32_t generations_per_launch(std::uint32_t times) const;
  /// Enqueues 2 to generations_per_launch() generations, as PlaneStep::step().
  void step(const void* now, void* next, std::uint16_t* counts, LifeRule rule, std::uint32_t generations,
            const GroupNeighbours& neighbours, const LaunchSlices& slices, const Stream& stream) const;

  /// Whether a partition's boundary fits into one thread block and the fractal is supported.
  bool can_hold(const PlaneBoundary& halo) const;
  static std::vector<std::uint16_t> patch_neighbours(const PlaneBoundary& halo);
  /// Enqueues 1 to generations_per_launch() generations of a boundary with can_hold(). The resulting words
  /// are written to rows of `next` in the order of the list, and the words to send are written to the send
  /// buffer. `now` holds the partition's own words followed by the halo.
  void step_boundary(const void* now, void* next, const BoundaryPatch& halo, LifeRule rule,
                     std::uint32_t generations, const Stream& stream) const;

 private:
  int catalog_ = -1;
  std::uint32_t groups_ = 1;   ///< groups of the fractal
  std::uint64_t steps_ = 1;    ///< steps per group and generation
  std::uint32_t inside_ = 0;   ///< inner groups of a patch
  std::uint32_t members_ = 0;  ///< groups of a patch including its halo; 0: no patches
  std::uint32_t most_ = 1;
  DeviceBuffer<std::uint16_t> neighbours_;
  DeviceBuffer<std::uint32_t> halo_;  ///< direction << 16 | inner member
};

}  // namespace loom::cuda
