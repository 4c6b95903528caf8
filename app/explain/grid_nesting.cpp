#include "app/explain/grid_nesting.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace loom::app::explain {
namespace {

std::uint64_t later(std::uint64_t time, std::uint64_t than) {
  return time > than ? time - than : 0;
}

void set_waits(GridNesting& nesting, const Timeline& timeline) {
  std::uint64_t host_until = 0;
  bool first = true;
  for (PlacedGrid& grid : nesting.grids) {
    const GridInterval& box = grid.box;
    if (box.parent_span < timeline.spans.size()) {
      grid.wait = later(box.begin, timeline.spans[box.parent_span].end);
    } else {
      if (!first) grid.wait = later(box.begin, host_until);
      first = false;
    }
    // Grids launched from the device belong to the host launch from which they descend.
    host_until = std::max(host_until, box.end);
  }
}

/// The rows of one band that hold the children of one row of parents.
struct Group {
  std::vector<std::uint64_t> ends;        ///< end of the last grid, by row
  std::vector<std::uint32_t> grids = {};  ///< indices of the grids; their rows are relative to the group
};

/// First fit. For intervals sorted by begin it uses as many rows as intervals overlap.
std::uint32_t place(Group& group, const GridInterval& box) {
  for (std::uint32_t row = 0; row < group.ends.size(); ++row) {
    if (group.ends[row] > box.begin) continue;
    group.ends[row] = box.end;
    return row;
  }
  group.ends.push_back(box.end);
  return static_cast<std::uint32_t>(group.ends.size() - 1);
}

LaunchLatency waits_of(const GridNesting& nesting, bool of_device) {
  std::vector<std::uint64_t> waits;
  bool first_of_host = true;
  for (const PlacedGrid& grid : nesting.grids) {
    const bool by_device = grid.box.parent_span != kNoParent;
    if (!by_device && std::exchange(first_of_host, false)) continue;
    if (by_device == of_device) waits.push_back(grid.wait);
  }
  LaunchLatency found;
  found.launches = waits.size();
  if (waits.empty()) return found;
  std::sort(waits.begin(), waits.end());
  found.median = waits[waits.size() / 2];
  found.longest = waits.back();
  found.sum = std::accumulate(waits.begin(), waits.end(), std::uint64_t{0});
  return found;
}

}  // namespace

GridNesting nest_grids(const Timeline& timeline) {
  GridNesting nesting;
  std::map<std::uint16_t, std::vector<std::uint32_t>> by_level;
  for (const GridInterval& box : timeline_grids(timeline)) {
    // Rows mirrored at the end belong to no level, and no grid follows them.
    if (box.work == SpanWork::kMirror) break;
    by_level[box.level].push_back(static_cast<std::uint32_t>(nesting.grids.size()));
    nesting.grids.push_back({.box = box, .band = 0, .row = 0, .wait = 0});
  }
  set_waits(nesting, timeline);
  for (const auto& [level, members] : by_level) {
    GridBand band{.level = level};
    band.begin = nesting.grids[members.front()].box.begin;
    // Levels ascend, so parents already have rows. A grid of the same level as its parent computes parts of a
    // region; it is placed with the grids below the parent's parent.
    std::map<std::uint64_t, Group> groups;
    for (const std::uint32_t i : members) {
      PlacedGrid& grid = nesting.grids[i];
      const GridInterval& box = grid.box;
      std::uint64_t under = 0;
      for (auto parent = box.parent_grid; parent; parent = nesting.grids[*parent].box.parent_grid) {
        if (nesting.grids[*parent].box.level >= level) continue;
        under = std::uint64_t{nesting.grids[*parent].band} << 32 | nesting.grids[*parent].row;
        break;
      }
      Group& group = groups[under];
      grid.row = place(group, box);
      group.grids.push_back(i);
      grid.band = static_cast<std::uint32_t>(nesting.bands.size());
      band.begin = std::min(band.begin, box.begin);
      band.end = std::max(band.end, box.end);
      band.spans += box.spans;
      ++band.grids;
    }
    for (const auto& [under, group] : groups) {
      for (const std::uint32_t i : group.grids) nesting.grids[i].row += band.rows;
      band.rows += static_cast<std::uint32_t>(group.ends.size());
    }
    nesting.bands.push_back(band);
  }
  return nesting;
}

LaunchLatency device_launch_latency(const GridNesting& nesting) {
  return waits_of(nesting, true);
}

LaunchLatency host_launch_latency(const GridNesting& nesting) {
  return waits_of(nesting, false);
}

}  // namespace loom::app::explain
