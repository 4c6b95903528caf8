#pragma once

#include <cstdint>
#include <vector>

#include "app/explain/timeline_lanes.h"

namespace loom::app::explain {

// The nesting of grids, prepared for drawing: a band per level of the subdivision, and in it the grids of
// that level in rows. With dynamic parallelism a band has many small grids, each below the grid whose thread
// block launched it; with ASK the host launches a few grids per level, one after another.

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
  std::uint32_t row = 0;  ///< in its band; children of a higher row lie above those of a lower one
  /// From the end of the span that launched it to its first begin, 0 where it began before; of a grid that
  /// the host launched, from when all before it had ended.
  std::uint64_t wait = 0;
};

struct GridNesting {
  std::vector<PlacedGrid> grids;  ///< in the order of timeline_grids()
  std::vector<GridBand> bands;    ///< by level
};
/// Computed from the recorded spans.
GridNesting nest_grids(const Timeline& timeline);

/// What launching cost in time in which the grid waited.
struct LaunchLatency {
  std::uint64_t launches = 0;  ///< the host's first has nothing to wait for and is not counted
  std::uint64_t median = 0;
  std::uint64_t longest = 0;
  std::uint64_t sum = 0;
};
LaunchLatency device_launch_latency(const GridNesting& nesting);
LaunchLatency host_launch_latency(const GridNesting& nesting);

}  // namespace loom::app::explain
