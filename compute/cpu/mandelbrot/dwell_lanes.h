#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom::cpu {

/// The dwells of `count` points (re[i], im[i]), equal to those of dwell(), several at a time in the widest
/// vectors of the processor. With `periodicity` cycles end early as in run_orbit().
void dwells_of(const float* re, const float* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint32_t* dwells);
void dwells_of(const double* re, const double* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint32_t* dwells);

/// The same for the orbits of any set that begin at these points. The view of the evaluator has no effect.
void dwells_of(const DirectFormula<float>& set, const float* re, const float* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells);
void dwells_of(const DirectFormula<double>& set, const double* re, const double* im, std::size_t count,
               std::uint32_t limit, bool periodicity, std::uint32_t* dwells);

/// Sets known[i] to is_known_interior() of point i, and returns the number of such points.
std::size_t known_interior_of(const float* re, const float* im, std::size_t count, std::uint8_t* known);
std::size_t known_interior_of(const double* re, const double* im, std::size_t count, std::uint8_t* known);

}  // namespace loom::cpu
