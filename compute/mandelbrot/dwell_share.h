#pragma once

#include <cstdint>
#include <vector>

#include "compute/core/coord.h"
#include "compute/mandelbrot/dwell_deal.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/subdivision.h"

namespace loom {

// A picture that several parts compute together, each a share of its rows. The first regions of a row lie in
// one part: a region needs nothing of any other, so that the dwells are those of one engine, bit for bit, and
// whole rows are whole stretches of memory. The rows of first regions are dealt out in turn, which costs
// nothing and needs no looking back: what is dear lies together in a picture, and so falls to all parts; or
// by what they cost when they were computed last (dwell_deal.h).

/// One part of several.
struct DwellShare {
  std::uint32_t part = 0;
  std::uint32_t parts = 1;
  const DwellDeal* deal = nullptr;  ///< followed by subdivisions that it is for; null: rows in turn
  bool is_whole() const { return parts == 1; }
  /// Whether the regions of row `y` of the first ones are the part's.
  bool has_row(const Subdivision& cut, std::uint32_t y) const {
    return (follows(cut) ? deal->part_of_row[y] : y % parts) == part;
  }
  bool follows(const Subdivision& cut) const { return deal != nullptr && deal->is_for(cut); }
};

/// Rows [first, end) of a picture.
struct RowRange {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
  std::uint32_t count() const { return end - first; }
  friend bool operator==(const RowRange&, const RowRange&) = default;
};

/// The exhaustive method has no regions: it is dealt out in stretches of about so many rows, of large
/// pictures in so many stretches. One is as high as a thread block.
inline constexpr std::uint32_t kExhaustiveRows = 16;
inline constexpr std::uint32_t kMostExhaustiveBands = 1024;

/// The rows that a part computes, in order and not empty; of a mirrored picture those above the real axis.
/// `cut` is the subdivision of the configuration and its view. Joined where they meet.
void rows_computed(const DwellShare& share, const MandelbrotConfig& config, const Subdivision& cut,
                   std::vector<RowRange>& rows);
/// The rows that it holds when it has computed: the same, and of a mirrored picture their copies below the
/// axis.
void rows_held(const DwellShare& share, const MandelbrotConfig& config, const Subdivision& cut,
               std::vector<RowRange>& rows);
/// Whether the row on the real axis of a mirrored picture is the part's.
bool holds_axis(const DwellShare& share, const Subdivision& cut);

/// The places of the part's first regions, row by row, or in the order of its deal.
void first_regions_of(const DwellShare& share, const Subdivision& cut, std::vector<Coord32>& places);

/// Notes what the part copied, and computed on the axis, of a mirrored picture of which it holds `rows`.
void note_mirror(const DwellShare& share, const Subdivision& cut, const std::vector<RowRange>& rows,
                 MandelbrotReport& report);

/// Rows in all of them.
std::uint64_t count_rows(const std::vector<RowRange>& rows);

}  // namespace loom
