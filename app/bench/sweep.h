#pragma once

#include <cstdint>
#include <vector>

#include "app/bench/axes.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// One configuration to measure.
struct MapCase {
  FractalConfig config;
  Workload workload = Workload::kLife;
  BackendSelection backend;
  int repeat = 0;                                      ///< which run of the sweep, from 0
  ReductionMethod reduction = ReductionMethod::kWarp;  ///< of reductions
};

/// A sweep of more cases than this is made only where the user confirms it.
inline constexpr std::uint64_t kSweepWithoutConfirmation = 100'000;

/// The valid combinations of the axes, each once: by repeat, fractal and level, so that the maps which are to
/// be compared run close together in time. Where an axis has a valid value for a map and block size, its
/// invalid ones are left out; where it has none, one invalid combination stays, which is then skipped with
/// the reason. Throws InputError where an axis is empty, and for a level or a block size that no combination
/// allows and where every combination is invalid, with what is allowed.
std::vector<MapCase> expand(const Axes& axes);

/// How many cases `expand` would give, without building them.
std::uint64_t count_cases(const Axes& axes);

/// Throws InputError that says the count where there are more than `limit` cases and no confirmation.
void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit = kSweepWithoutConfirmation);

}  // namespace loom::app::bench
