#include "compute/workload/random_start.h"

#include <cmath>

namespace loom {

std::uint64_t density_threshold(double density) {
  // u * 2^-53 and density * 2^53 are exact (a power of two scales the exponent alone), so u < ceil(density *
  // 2^53).
  return static_cast<std::uint64_t>(std::ceil(density * 9007199254740992.0));
}

}  // namespace loom
