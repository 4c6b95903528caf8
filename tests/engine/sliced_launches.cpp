#include <cstdlib>

#include "compute/cuda/launch_slices.h"

// The linker replaces loom::cuda::slices_of() with this function. It allows a launch about a
// hundred-thousandth of the steps of a large device, so that all engine tests run with sliced launches.
// LOOM_SLICE_STEPS sets another limit, which moves the slice boundaries.

namespace loom::cuda {

LaunchSlices least_slices(int device) asm("__wrap__ZN4loom4cuda9slices_ofEi");
LaunchSlices least_slices(int) {
  constexpr std::uint64_t kSteps = 300000;
  const char* const wanted = std::getenv("LOOM_SLICE_STEPS");
  LaunchSlices slices;
  slices.max_steps = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : kSteps;
  return slices;
}

}  // namespace loom::cuda
