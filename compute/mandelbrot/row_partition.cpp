#include "compute/mandelbrot/row_partition.h"

#include <algorithm>

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

}  // namespace loom
