#include "compute/geometry/partition.h"

#include <numeric>

namespace loom {

std::vector<std::uint64_t> partition_units(std::uint64_t units, std::span<const std::uint32_t> shares) {
  const std::uint64_t all = std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
  std::vector<std::uint64_t> firsts = {0};
  std::uint64_t assigned = 0;
  for (const std::uint32_t share : shares) {
    assigned += share;
    firsts.push_back(units / all * assigned + units % all * assigned / all);  // units * assigned may overflow
  }
  return firsts;
}

}  // namespace loom
