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
void dwells_of(const Perturbed<float, false>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<double, false>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<float, true>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<double, true>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<double, false, true>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);
void dwells_of(const Perturbed<double, true, true>& orbit, const Coord32* pixels, std::size_t count,
               std::uint32_t limit, const ProgressScope& call, std::uint32_t* dwells);

/// The orbit of a pixel with a mantissa of two doubles, equal to orbit.run().
OrbitResult<DoubleDouble> orbit_of(const Perturbed<DoubleDouble, false, true>& orbit, Coord32 pixel,
                                   std::uint32_t limit);
OrbitResult<DoubleDouble> orbit_of(const Perturbed<DoubleDouble, true, true>& orbit, Coord32 pixel,
                                   std::uint32_t limit);

}  // namespace loom::cpu
