#pragma once

#include <cstddef>
#include <cstdint>

#include "compute/mandelbrot/dwell.h"

namespace loom::cpu {

/// Smooth dwells (compute/mandelbrot/smooth_dwell.h) of `count` points whose dwells are known and below the
/// limit, several at a time in the widest vectors of the processor. A point whose given dwell is not its true
/// dwell may get the whole dwell.
void smooth_dwells_of(const float* re, const float* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth);
void smooth_dwells_of(const double* re, const double* im, const std::uint32_t* dwells, std::size_t count,
                      float* smooth);

/// The same for the orbits of any set that begin at these points.
void smooth_dwells_of(const DirectFormula<float>& set, const float* re, const float* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth);
void smooth_dwells_of(const DirectFormula<double>& set, const double* re, const double* im,
                      const std::uint32_t* dwells, std::size_t count, float* smooth);

}  // namespace loom::cpu
