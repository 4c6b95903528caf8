#pragma once

#include <cstdint>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/plane_partition.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Life in bit planes on the CPU. The words of 32 GPU threads are one set of vectors here, and the fractal's
/// program is interpreted on them step by step; the cost of interpretation is small compared with 32 words of
/// work.
class PlaneStep {
 public:
  explicit PlaneStep(const BitPlanes& planes);

  /// Units of a monitored call per generation.
  std::uint64_t units() const;
  /// Computes one generation; `now` and `next` have planes.bytes() each. If `counts` is not null, it receives
  /// the number of living cells of each group. If `call` is cancelled, `next` is incomplete. Does not
  /// allocate memory.
  void step(const std::uint8_t* now, std::uint8_t* next, std::uint16_t* counts, LifeRule rule,
            const ProgressScope& call) const;
  /// The next words of the first `threads` threads of a partition's boundary list. `words` receives them as
  /// rows of 32 threads in the order of the list, `counts` their groups' living cells. `now` holds the
  /// partition's cells followed by the halo or, if `listed`, rows in the order of the list.
  void step_boundary(const std::uint8_t* now, bool listed, const PlaneBoundary& halo, std::size_t threads,
                     std::uint8_t* words, std::uint16_t* counts, LifeRule rule) const;

 private:
  BitPlanes planes_;
  PlaneProgram program_;
  GroupTable table_;
};

}  // namespace loom::cpu
