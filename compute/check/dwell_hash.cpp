#include "compute/check/dwell_hash.h"

#include <algorithm>
#include <vector>

#include "compute/core/integer_math.h"

namespace loom {

DwellHash hash_of_dwells(const MandelbrotEngine& engine) {
  constexpr std::uint32_t kDwellsAtATime = 1 << 22;
  const MandelbrotView& view = engine.view();
  const std::uint32_t limit = engine.config().dwell_limit;
  const std::uint32_t most = std::clamp(kDwellsAtATime / view.width, 1u, view.height);
  std::vector<std::uint32_t> rows;
  std::uint64_t hash = 0;
  std::uint64_t interior = 0;
  for (std::uint32_t y = 0; y < view.height; y += most) {
    rows.resize(std::size_t{std::min(most, view.height - y)} * view.width);
    engine.read_dwells(y, rows);
    const std::uint64_t first = std::uint64_t{y} * view.width;
#pragma omp parallel for schedule(static) reduction(+ : hash, interior)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      hash += splitmix64(splitmix64(first + i) + rows[i]);
      interior += rows[i] == limit ? 1 : 0;
    }
  }
  return {hash, interior};
}

}  // namespace loom
