#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/mandelbrot/dwell_distribution.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {

// The distribution of an image's rows over several partitions. The first regions of a row belong to one
// partition: a region needs no data of other regions, so that the dwells equal those of one engine bit for
// bit, and whole rows are contiguous in memory. Rows of first regions are assigned round-robin, which spreads
// expensive areas over all partitions, or by their costs in the last computation (dwell_distribution.h).

/// One of several partitions.
struct RowPartition {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  /// Used by subdivisions that it applies to; null: rows are assigned round-robin.
  const DwellDistribution* distribution = nullptr;
  bool is_whole() const { return parts == 1; }
  /// Whether the partition has the first regions of row `y`.
  bool has_row(const Subdivision& cut, std::uint32_t y) const {
    return (follows(cut) ? distribution->part_of_row[y] : y % parts) == part;
  }
  bool follows(const Subdivision& cut) const { return distribution != nullptr && distribution->is_for(cut); }
};

/// Rows [first, end) of an image.
struct RowRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::uint32_t count() const { return end - first; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// The exhaustive method has no regions: its rows are distributed in chunks of about kExhaustiveRows rows,
/// or, for large images, in kMaxExhaustiveBands chunks. A chunk is as high as a thread block.
inline constexpr std::uint32_t kExhaustiveRows = 16;
inline constexpr std::uint32_t kMaxExhaustiveBands = 1024;

/// The rows that a partition computes, in order and not empty; for a mirrored image, those above the real
/// axis. `cut` is the subdivision of the configuration and its view. Adjacent ranges are joined.
void rows_computed(const RowPartition& share, const MandelbrotConfig& config, const Subdivision& cut,
                   std::vector<RowRange>& rows);
/// The rows that a partition holds after a computation: the computed rows and, for a mirrored image, their
/// copies below the axis.
void rows_held(const RowPartition& share, const MandelbrotConfig& config, const Subdivision& cut,
               std::vector<RowRange>& rows);
/// Whether the partition has the row on the real axis of a mirrored image.
bool holds_axis(const RowPartition& share, const Subdivision& cut);

/// The coordinates of the partition's first regions, row by row or in the order of its work distribution.
void first_regions_of(const RowPartition& share, const Subdivision& cut, std::vector<Coord32>& places);

/// Adds the pixels that the partition copied, and those that it computed on the axis, for a mirrored image of
/// which it holds `rows`.
void note_mirror(const RowPartition& share, const Subdivision& cut, const std::vector<RowRange>& rows,
                 MandelbrotReport& report);

/// The total number of rows.
std::uint64_t count_rows(const std::vector<RowRange>& rows);

}  // namespace loom
