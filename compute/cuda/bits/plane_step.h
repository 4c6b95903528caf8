#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compute/cuda/bits/compiled_step.h"
#include "compute/cuda/bits/plane_groups.h"
#include "compute/cuda/bits/plane_patches.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/stream.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/game_of_life.h"

namespace loom::cuda {

/// Life in bit planes on the current device: the fractal's program and neighbour table, and the choice of the
/// kernel. A thread has one group, or two if they share words. From level a + b on, kernels are unrolled:
/// those for catalogue fractals are compiled with the program, those for other fractals are compiled at run
/// time when first needed for large planes (compiled_step.h). In all other cases one kernel interprets
/// tables.
class PlaneStep {
 public:
  explicit PlaneStep(const BitPlanes& planes);

  /// The number of generations of the next launch, at most `times` >= 1.
  std::uint32_t generations_per_launch(std::uint32_t times) const {
    return patches_.generations_per_launch(times);
  }
  /// Enqueues 1 to generations_per_launch() generations. `now` and `next` are device memory of
  /// planes.bytes(). If `counts` is not null, it receives the number of living cells of each group.
  void step(const void* now, void* next, std::uint16_t* counts, LifeRule rule, std::uint32_t generations,
            const LaunchSlices& slices, const Stream& stream) const;
  /// Enqueues one generation of a boundary list. The words are written in the order of the list, in rows as
  /// those of planes; `now` holds the partition's own words followed by the halo.
  void step_boundary(const void* now, void* next_boundary, const BoundaryList& halo, LifeRule rule,
                     const Stream& stream) const;
  /// The step for several generations per launch, also of boundaries.
  const PlanePatches& patches() const { return patches_; }
  GroupNeighbours neighbours() const { return table_.neighbours(neighbours_.data()); }
  /// Waits until the choice of the kernel is final.
  void wait_for_kernel() const {
    if (compiled_) compiled_->wait();
  }
  bool kernel_is_final() const { return !compiled_ || compiled_->known(); }
  /// The reason why tables are interpreted for large planes; empty if they are not.
  std::string table_kernel_reason() const { return compiled_ ? compiled_->problem() : ""; }

 private:
  PlaneGroups groups() const;

  BitPlanes planes_;
  int catalog_ = -1;  ///< index in the catalogue; -1 for other fractals
  std::optional<CompiledStep> compiled_;
  DeviceBuffer<PlaneProgram> program_;
  GroupTable table_;
  DeviceBuffer<std::uint32_t> neighbours_;
  PlanePatches patches_;
};

}  // namespace loom::cuda
