#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/core/coord.h"
#include "compute/engine/progress_monitor.h"
#include "compute/perturbation/perturbed.h"

namespace loom::cpu {

/// The dwells of `count` pixels, equal to those of orbit.dwell_at(). Several orbits run at a time, in the
/// widest vectors of the processor, while their distances are in the range of Real. Once `call` is cancelled,
/// the dwells are unspecified.
template <typename Real, bool kWide, bool kEstimates>
void dwells_of(const Perturbed<Real, kWide, kEstimates>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);

/// The orbit of a pixel with a mantissa of two doubles, equal to orbit.run().
template <bool kWide>
OrbitResult<DoubleDouble> orbit_of(const Perturbed<DoubleDouble, kWide, true>& orbit, Coord32 pixel,
                                   std::uint32_t limit);

}  // namespace loom::cpu
