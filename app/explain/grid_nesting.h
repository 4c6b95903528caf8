#pragma once

#include <cstdint>
#include <vector>

#include "app/explain/timeline_lanes.h"

namespace loom::app::explain {

// The nesting of grids, prepared for drawing: one band per level of the subdivision, with the grids of that
// level in rows. With dynamic parallelism a band has many small grids, each below the grid whose thread block
// launched it; with ASK the host launches a few grids per level, one after another.

struct GridBand {
  std::uint16_t level = 0;
  std::uint32_t rows = 0;  ///< grids of one row do not overlap
  std::uint64_t grids = 0;
  std::uint64_t spans = 0;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct PlacedGrid {
  GridInterval box;
  std::uint32_t band = 0;
  std::uint32_t row = 0;  ///< in its band; the children of an upper row lie above those of a lower row
  /// Time from the end of the span that launched it to its begin, at least 0. For a grid that the host
  /// launched, the time since all earlier grids ended.
  std::uint64_t wait = 0;
};

struct GridNesting {
  std::vector<PlacedGrid> grids;  ///< in the order of timeline_grids()
  std::vector<GridBand> bands;    ///< by level
};
/// Computed from the recorded spans.
GridNesting nest_grids(const Timeline& timeline);

/// Statistics of the time that grids waited for their launch, in nanoseconds.
struct LaunchLatency {
  std::uint64_t launches = 0;  ///< without the first launch of the host, which does not wait
  std::uint64_t median = 0;
  std::uint64_t longest = 0;
  std::uint64_t sum = 0;
};
LaunchLatency device_launch_latency(const GridNesting& nesting);
LaunchLatency host_launch_latency(const GridNesting& nesting);

}  // namespace loom::app::explain
