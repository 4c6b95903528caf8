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

/// Life in bit planes on the current device: the fractal's program and neighbour table, and which kernel runs
/// it. A thread has a group, or two where they share words. Kernels are unrolled from level a + b on:
/// those for the fractals of the catalogue come with the program, those for others are compiled when they are
/// first wanted and planes are large (compiled_step.h). Tables drive one for all that is left.
class PlaneStep {
 public:
  explicit PlaneStep(const BitPlanes& planes);

  /// How many of `times` >= 1 generations a launch makes at once.
  std::uint32_t at_once(std::uint32_t times) const { return patches_.at_once(times); }
  /// Enqueues 1 to at_once() generations. `now` and `next` are device memory of planes.bytes(). Where
  /// `counts` is not null it becomes the living cells of each group.
  void step(const void* now, void* next, std::uint16_t* counts, LifeRule rule, std::uint32_t generations,
            const LaunchSlices& slices, const Stream& stream) const;
  /// Enqueues one generation of what a rim lists, whose words are written as listed, in rows as those of
  /// planes; `now` has the copies of others' words behind its own.
  void step_rim(const void* now, void* next_rim, const RimList& rim, LifeRule rule,
                const Stream& stream) const;
  /// What makes several generations at once, of rims too.
  const PlanePatches& patches() const { return patches_; }
  GroupNeighbours neighbours() const { return table_.neighbours(neighbours_.data()); }
  /// Waits until the kernel is the one that it stays.
  void wait_for_kernel() const {
    if (compiled_) compiled_->wait();
  }
  bool kernel_stays() const { return !compiled_ || compiled_->known(); }
  /// Why tables drive the step of planes that are large; empty where they do not.
  std::string why_by_tables() const { return compiled_ ? compiled_->why_not() : ""; }

 private:
  PlaneGroups groups() const;

  BitPlanes planes_;
  int catalog_ = -1;  ///< which fractal of the catalogue; -1: none
  std::optional<CompiledStep> compiled_;
  DeviceBuffer<PlaneProgram> program_;
  GroupTable table_;
  DeviceBuffer<std::uint32_t> neighbours_;
  PlanePatches patches_;
};

}  // namespace loom::cuda
