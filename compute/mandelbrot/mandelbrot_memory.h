#pragma once

#include <cstdint>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {

/// The most entries that the OLTs can hold. Level i is read from the table of its parity while level i + 1 is
/// written to the other; none can pass the number of regions of its level.
struct OltCapacity {
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
};
OltCapacity olt_capacity(const Subdivision& cut);

/// Regions of all levels together.
std::uint64_t most_regions(const Subdivision& cut);

}  // namespace loom
