#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/watch.h"
#include "compute/geometry/bit_planes.h"
#include "compute/geometry/group_table.h"
#include "compute/geometry/plane_parts.h"
#include "compute/geometry/plane_program.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Life in bit planes on the CPU. The words of 32 threads of the GPU are vectors here, and the fractal's
/// program is carried out on them step by step: what a step is costs little beside 32 words of work.
class PlaneStep {
 public:
  explicit PlaneStep(const BitPlanes& planes);

  /// How many units of a watched call one generation is.
  std::uint64_t units() const;
  /// One generation, each of planes.bytes(). Where `counts` is not null it becomes the living cells of each
  /// group. Where `call` is cancelled `next` is not whole. Allocates nothing.
  void step(const std::uint8_t* now, std::uint8_t* next, std::uint16_t* counts, LifeRule rule,
            const WatchedCall& call) const;
  /// The next words of the first `threads` that a part's rim lists; `words` becomes rows of 32 threads in
  /// the order of the list, `counts` their groups' living. `now` are the part's cells with the copies of
  /// others' behind them; where it is `listed`, such rows.
  void step_rim(const std::uint8_t* now, bool listed, const PartRim& rim, std::size_t threads,
                std::uint8_t* words, std::uint16_t* counts, LifeRule rule) const;

 private:
  BitPlanes planes_;
  PlaneProgram program_;
  GroupTable table_;
};

}  // namespace loom::cpu
