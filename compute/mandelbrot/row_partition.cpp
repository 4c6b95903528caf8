#include "compute/mandelbrot/row_partition.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "compute/mandelbrot/dwell.h"
#include "compute/mandelbrot/mirror.h"

namespace loom {
namespace {

/// Extends the last range if the new range begins at its end.
void add_rows(std::vector<RowRange>& rows, RowRange more) {
  if (more.first == more.end) return;
  if (!rows.empty() && rows.back().end == more.first) {
    rows.back().end = more.end;
  } else {
    rows.push_back(more);
  }
}

template <typename Real>
bool rows_are_mirrored(const MandelbrotView& view) {
  const Direct<Real> grid = make_direct<Real>(view);
  for (std::uint32_t y = 1; y <= view.height / 2; ++y) {
    if (grid.im.at(y) != -grid.im.at(view.height - y)) return false;
  }
  return true;
}

/// Regions are ordered by classes of cost, four per power of two: the order within a class does not matter,
/// and a frame has no time to sort a million regions.
constexpr std::uint32_t kClasses = 4 * 33;
std::uint32_t class_of(std::uint32_t cost) {
  if (cost < 4) return cost;
  const auto log = static_cast<std::uint32_t>(std::bit_width(cost)) - 1;
  return 4 * log + ((cost >> (log - 2)) & 3u);
}

}  // namespace

void rows_computed(const RowPartition& share, const MandelbrotConfig& config, const Subdivision& cut,
                   std::vector<RowRange>& rows) {
  rows.clear();
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  const std::uint32_t stretches =
      std::min((cut.height + kExhaustiveRows - 1) / kExhaustiveRows, kMaxExhaustiveBands);
  const std::uint32_t bands_on_side = exhaustive ? stretches : cut.first_parts;
  const std::uint32_t bands = exhaustive ? stretches : cut.first_rows;
  for (std::uint32_t band = 0; band < bands; ++band) {
    if (!(exhaustive ? band % share.parts == share.part : share.has_row(cut, band))) continue;
    add_rows(rows,
             {part_edge(cut.height, bands_on_side, band), part_edge(cut.height, bands_on_side, band + 1)});
  }
}

void rows_held(const RowPartition& share, const MandelbrotConfig& config, const Subdivision& cut,
               std::vector<RowRange>& rows) {
  rows_computed(share, config, cut, rows);
  if (!cut.mirrored()) return;
  if (holds_axis(share, cut)) add_rows(rows, {cut.height / 2, cut.height / 2 + 1});
  // Row y is copied to row height - y; row 0 is not copied.
  const std::size_t above = rows.size();
  for (std::size_t i = above; i > 0; --i) {
    const RowRange from{std::max(rows[i - 1].first, 1u), std::min(rows[i - 1].end, cut.height / 2)};
    if (from.first < from.end) add_rows(rows, {cut.height - from.end + 1, cut.height - from.first + 1});
  }
}

bool holds_axis(const RowPartition& share, const Subdivision& cut) {
  return cut.mirrored() && share.has_row(cut, cut.first_rows - 1);
}

void first_regions_of(const RowPartition& share, const Subdivision& cut, std::vector<Coord32>& places) {
  places.clear();
  if (share.follows(cut)) {
    for (const std::uint32_t place : share.distribution->order) {
      const std::uint32_t y = place / cut.first_parts;
      if (share.has_row(cut, y)) places.push_back({place - y * cut.first_parts, y});
    }
    return;
  }
  for (std::uint32_t y = share.part; y < cut.first_rows; y += share.parts) {
    for (std::uint32_t x = 0; x < cut.first_parts; ++x) places.push_back({x, y});
  }
}

void note_mirror(const RowPartition& share, const Subdivision& cut, const std::vector<RowRange>& rows,
                 MandelbrotReport& report) {
  const std::uint32_t below = cut.height / 2 + 1;
  std::uint64_t copied = 0;
  for (const RowRange& range : rows) copied += std::max(range.end, below) - std::max(range.first, below);
  report.mirrored_pixels = copied * cut.width;
  report.axis_pixels = holds_axis(share, cut) ? cut.width : 0;
}

std::uint64_t count_rows(const std::vector<RowRange>& rows) {
  std::uint64_t sum = 0;
  for (const RowRange& range : rows) sum += range.count();
  return sum;
}

bool is_mirrored(const MandelbrotConfig& config, const MandelbrotView& view) {
  if (!config.optimisations.mirror || config.method == MandelbrotMethod::kExhaustive) return false;
  if (config.g % 2 != 0 || view.height % 2 != 0 || !config.set.mirrors_rows()) return false;
  // Perturbed orbits of mirrored pixels are those of different distances from the reference.
  if (is_perturbed(config.precision) || view.is_turned()) return false;
  return config.precision == Precision::kFloat ? rows_are_mirrored<float>(view)
                                               : rows_are_mirrored<double>(view);
}

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
