#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/engine/progress_monitor.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cpu {

/// The dwells of `count` pixels, equal to those of orbit.dwell_at(). Without distances out of the range of
/// Real, several orbits run at a time, in the widest vectors of the processor. Once `call` is cancelled, the
/// dwells are unspecified.
void dwells_of(const Perturbed<float, false>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<double, false>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
template <typename Real>
void dwells_of(const Perturbed<Real, true>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells) {
  for (std::size_t i = 0; i < count && !call.cancelled(); ++i)
    dwells[i] = orbit.dwell_at(pixels[i].x, pixels[i].y, limit);
}

}  // namespace loom::cpu
