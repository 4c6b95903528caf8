#include "compute/workload/random_start.h"

#include <cmath>

namespace loom {

std::uint64_t density_threshold(double density) {
  // u * 2^-53 and density * 2^53 are exact (scaling by a power of two only changes the exponent), so that u <
  // ceil(density * 2^53).
  return static_cast<std::uint64_t>(std::ceil(density * 9007199254740992.0));
}

}  // namespace loom
