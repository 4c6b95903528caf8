#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom::cpu {

// Several points at a time in the widest vectors of the processor. Real is float or double.

/// The dwells of `count` points (re[i], im[i]), equal to those of dwell(). With `periodicity` cycles end
/// early as in run_orbit().
template <typename Real>
void dwells_of(const Real* re, const Real* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint32_t* dwells);
/// The same for the orbits of any set that begin at these points. The view of the evaluator has no effect.
template <typename Real>
void dwells_of(const DirectFormula<Real>& set, const Real* re, const Real* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells);

/// Sets known[i] to is_known_interior() of point i, and returns the number of such points.
template <typename Real>
std::size_t known_interior_of(const Real* re, const Real* im, std::size_t count, std::uint8_t* known);

/// Smooth dwells (compute/mandelbrot/smooth_dwell.h) of points whose dwells are known and below the limit. A
/// point whose given dwell is not its true dwell may get the whole dwell.
template <typename Real>
void smooth_dwells_of(const Real* re, const Real* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth);
template <typename Real>
void smooth_dwells_of(const DirectFormula<Real>& set, const Real* re, const Real* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth);

}  // namespace loom::cpu
