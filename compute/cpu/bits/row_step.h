#pragma once

#include <cstdint>

#include "compute/engine/progress_monitor.h"
#include "compute/geometry/bit_rows.h"
#include "compute/workload/game_of_life.h"

namespace loom::cpu {

/// Computes one generation of life in bit rows. `outside` is an empty row. A row is a unit of `call`; if it
/// is cancelled, `next` is incomplete.
void step_rows(const BitRows& rows, const std::uint64_t* now, const std::uint64_t* mask, std::uint64_t* next,
               const std::uint64_t* outside, LifeRule rule, const ProgressScope& call);

}  // namespace loom::cpu
