#include "compute/mandelbrot/dwell_distribution.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace loom {
namespace {

/// Regions are ordered by classes of cost, four per power of two: the order within a class does not matter,
/// and a frame has no time to sort a million regions.
constexpr std::uint32_t kClasses = 4 * 33;
std::uint32_t class_of(std::uint32_t cost) {
  if (cost < 4) return cost;
  const auto log = static_cast<std::uint32_t>(std::bit_width(cost)) - 1;
  return 4 * log + ((cost >> (log - 2)) & 3u);
}

}  // namespace

DwellDistribution distribute_by_cost(std::span<const std::uint32_t> costs, std::uint32_t columns,
                                     std::uint32_t parts) {
  DwellDistribution distribution{.columns = columns, .part_of_row = {}, .order = {}};
  const std::size_t rows = costs.size() / columns;
  std::vector<std::uint64_t> of_row(rows);
  for (std::size_t y = 0; y < rows; ++y) {
    const auto row = costs.subspan(y * columns, columns);
    of_row[y] = std::accumulate(row.begin(), row.end(), std::uint64_t{0});
  }
  std::vector<std::uint32_t> by_cost(rows);
  std::iota(by_cost.begin(), by_cost.end(), 0u);
  std::ranges::stable_sort(by_cost, std::ranges::greater(), [&](std::uint32_t y) { return of_row[y]; });
  distribution.part_of_row.resize(rows);
  std::vector<std::uint64_t> of_part(parts);
  std::vector<std::size_t> rows_of_partition(parts);
  for (const std::uint32_t y : by_cost) {
    // Rows without a known cost are distributed equally.
    std::size_t least = 0;
    for (std::size_t part = 1; part < parts; ++part) {
      if (of_part[part] < of_part[least] ||
          (of_part[part] == of_part[least] && rows_of_partition[part] < rows_of_partition[least])) {
        least = part;
      }
    }
    distribution.part_of_row[y] = static_cast<std::uint32_t>(least);
    of_part[least] += of_row[y];
    ++rows_of_partition[least];
  }
  std::array<std::size_t, kClasses + 1> ends{};
  for (const std::uint32_t cost : costs) ++ends[kClasses - class_of(cost)];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  distribution.order.resize(costs.size());
  for (std::size_t i = costs.size(); i > 0; --i) {
    distribution.order[--ends[kClasses - class_of(costs[i - 1])]] = static_cast<std::uint32_t>(i - 1);
  }
  return distribution;
}

}  // namespace loom
