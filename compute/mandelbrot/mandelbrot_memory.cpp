#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom {

OltCapacity olt_capacity(const Subdivision& cut) {
  OltCapacity capacity;
  for (std::uint32_t level = 0; level < cut.levels; ++level) {
    const std::uint64_t parts = parts_at(cut, level);
    // Levels only grow, so that the last of a parity is its largest.
    (level % 2 == 0 ? capacity.even : capacity.odd) = parts * parts;
  }
  return capacity;
}

std::uint64_t most_jobs(const Subdivision& cut) {
  const std::uint64_t parts = parts_at(cut, cut.levels - 1);
  return parts * parts;
}

std::uint64_t most_regions(const Subdivision& cut) {
  std::uint64_t sum = 0;
  for (std::uint32_t level = 0; level < cut.levels; ++level) {
    const std::uint64_t parts = parts_at(cut, level);
    sum += parts * parts;
  }
  return sum;
}

}  // namespace loom
