#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/geometry/nbb_fractal.h"
#include "compute/map/arithmetic.h"
#include "compute/map/map_kind.h"
#include "compute/workload/workload.h"

namespace loom::app::bench {

/// The values that a sweep runs through, axis by axis. What a map does not have (arithmetic and intra-block
/// mapping of the bounding box, halo of all but compact, reduction of all but reductions) is not varied for
/// it.
struct Axes {
  std::vector<NbbFractal> fractals;
  std::vector<int> levels;
  std::vector<MapKind> maps;
  std::vector<MapArithmetic> arithmetics;  ///< empty: what is fastest on each backend
  std::vector<IntraBlock> intra_blocks;    ///< likewise
  std::vector<bool> halos;                 ///< likewise
  std::vector<std::uint32_t> tiles = {
      0};  ///< blocks a thread block, 0 = automatic; empty: every possible number
  std::optional<std::vector<std::uint32_t>> blocks;  ///< rho_x; none = every size that a level allows
  std::vector<Workload> workloads;
  std::vector<ReductionMethod> reductions = {ReductionMethod::kWarp};  ///< of the workload reduction
  std::vector<BackendSelection> backends;
  int repeats = 1;  ///< how often the whole sweep runs
};

}  // namespace loom::app::bench
