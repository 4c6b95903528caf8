#pragma once

#include <cstddef>
#include <cstdint>

namespace loom::cpu {

/// The dwells of `count` points (re[i], im[i]), the same as dwell() gives, several at a time in the widest
/// vectors that the processor has. With `periodicity` as run_orbit() finds them, sooner.
void dwells_of(const float* re, const float* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint16_t* dwells);
void dwells_of(const double* re, const double* im, std::size_t count, std::uint32_t limit, bool periodicity,
               std::uint16_t* dwells);

/// Sets known[i] to whether point i is_known_interior(), and returns how many are.
std::size_t known_interior_of(const float* re, const float* im, std::size_t count, std::uint8_t* known);
std::size_t known_interior_of(const double* re, const double* im, std::size_t count, std::uint8_t* known);

}  // namespace loom::cpu
