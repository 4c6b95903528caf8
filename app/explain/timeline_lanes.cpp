#include "app/explain/timeline_lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "app/text/format.h"

namespace loom::app::explain {
namespace {

/// The thread block of a span; on the CPU, its work item.
using BlockKey = std::tuple<std::uint16_t, std::uint32_t, std::uint64_t>;
BlockKey block_of(const TimelineSpan& span) {
  return {span.launch, span.parent, span.block};
}

/// The slots of one lane. Spans must be placed in the order of their begin.
class Slots {
 public:
  LaneSpan place(std::uint32_t index, const TimelineSpan& span) {
    const BlockKey key = block_of(span);
    Slot* slot = nullptr;
    for (Slot& row : rows_) {
      if (row.end > span.begin) continue;
      if (row.block == key) {  // another span of the same thread block
        slot = &row;
        break;
      }
      if (slot == nullptr) slot = &row;
    }
    if (slot == nullptr) {
      rows_.push_back({0, 0, key});
      slot = &rows_.back();
    } else if (slot->block != key) {
      ++slot->wave;
      slot->block = key;
    }
    slot->end = span.end;
    return {index, static_cast<std::uint32_t>(slot - rows_.data()), slot->wave};
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(rows_.size()); }

 private:
  struct Slot {
    std::uint64_t end = 0;
    std::uint32_t wave = 0;
    BlockKey block;
  };
  std::vector<Slot> rows_;
};

/// "1 grid", "2 grids".
std::string counted(std::uint64_t number, const char* what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Recording overhead is reported if a recorded launch takes more than this factor of its normal time.
constexpr double kShows = 1.1;

bool on_gpu(const Timeline& timeline) {
  return !timeline.launches.empty() && timeline.launches.front().occupancy.kernel.threads > 0;
}

std::string occupancy_text(const Occupancy& occupancy) {
  return fmt::format(
      "{} resident per multiprocessor, limited by {} ({} threads, {} registers per thread, {} bytes of "
      "shared memory; limits: threads {}, registers {}, shared memory {}, block slots {})",
      occupancy.blocks, limited_by(occupancy), occupancy.kernel.threads, occupancy.kernel.registers,
      occupancy.kernel.shared_bytes, occupancy.by_threads, occupancy.by_registers, occupancy.by_shared_memory,
      occupancy.by_blocks);
}

/// Adds the launch gaps, the cost of launching several grids.
void add_launch_latency(std::vector<TimelineRow>& rows, const Timeline& timeline) {
  const GridNesting nesting = nest_grids(timeline);
  const bool gpu = on_gpu(timeline);
  constexpr const char* name = "launch gaps";
  if (const LaunchLatency waits = device_launch_latency(nesting); waits.launches > 0) {
    const std::string what =
        gpu ? counted(waits.launches, "grid") : counted(waits.launches, "group") + " of tasks";
    rows.push_back(
        {name, fmt::format("{} by {}; the median begins {} after the end of its parent, the last {} after it",
                           what, gpu ? "thread blocks" : "other tasks", duration_text(waits.median),
                           duration_text(waits.longest))});
  }
  if (const LaunchLatency waits = host_launch_latency(nesting); waits.launches > 0) {
    rows.push_back(
        {name, fmt::format("{} by {}, one after another; idle between them for {} in total, at most {}",
                           counted(waits.launches + 1, gpu ? "grid" : "parallel loop"),
                           gpu ? "the host" : "one thread", duration_text(waits.sum),
                           duration_text(waits.longest))});
  }
}

}  // namespace

std::vector<Lane> timeline_lanes(const Timeline& timeline) {
  std::vector<Lane> lanes(timeline.workers.size());
  std::vector<Slots> slots(lanes.size());
  for (std::uint32_t i = 0; i < lanes.size(); ++i) lanes[i].worker = i;
  for (std::uint32_t i = 0; i < timeline.spans.size(); ++i) {
    const TimelineSpan& span = timeline.spans[i];
    if (span.worker >= lanes.size()) continue;
    lanes[span.worker].spans.push_back(slots[span.worker].place(i, span));
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i].slots = slots[i].count();
  return lanes;
}

std::vector<GridInterval> timeline_grids(const Timeline& timeline) {
  std::map<std::pair<std::uint16_t, std::uint32_t>, std::uint32_t> found;
  std::vector<GridInterval> boxes;
  std::vector<std::uint32_t> box_of_span;
  for (const TimelineSpan& span : timeline.spans) {
    const auto [at, is_new] =
        found.try_emplace({span.launch, span.parent}, static_cast<std::uint32_t>(boxes.size()));
    if (is_new) {
      GridInterval box;
      box.launch = span.launch;
      box.parent_span = span.parent;
      box.level = span.level;
      box.work = span.work;
      box.begin = span.begin;
      // A parent begins before its children, so its grid is already in the list.
      if (span.parent < box_of_span.size()) {
        box.parent_grid = box_of_span[span.parent];
        box.depth = boxes[*box.parent_grid].depth + 1;
      }
      boxes.push_back(box);
    }
    GridInterval& box = boxes[at->second];
    box.end = std::max(box.end, span.end);
    box.busy += span.end - span.begin;
    ++box.spans;
    box_of_span.push_back(at->second);
  }
  return boxes;
}

std::optional<TimelineGap> timeline_gap(const Timeline& timeline) {
  if (timeline.spans_left_out == 0) return std::nullopt;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kept;  // work item, begin
  std::uint64_t pieces = 0;                                   // largest number of work items of one span
  for (const TimelineSpan& span : timeline.spans) {
    if (span.launch != 0 || span.parent != kNoParent) continue;
    kept.emplace_back(span.block, span.begin);
    pieces = std::max(pieces, span.count);
  }
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 1; i < kept.size(); ++i) {
    if (kept[i].first - kept[i - 1].first <= pieces) continue;
    TimelineGap gap{.begin = 0, .end = std::numeric_limits<std::uint64_t>::max()};
    for (std::size_t k = 0; k < i; ++k) gap.begin = std::max(gap.begin, kept[k].second);
    for (std::size_t k = i; k < kept.size(); ++k) gap.end = std::min(gap.end, kept[k].second);
    if (gap.begin < gap.end) return gap;
    return std::nullopt;  // work items did not run in index order
  }
  return std::nullopt;
}

TimelineStats timeline_stats(const Timeline& timeline) {
  TimelineStats stats;
  stats.workers = static_cast<std::uint32_t>(timeline.workers.size());
  std::uint64_t first_dry = std::numeric_limits<std::uint64_t>::max();
  for (const TimelineWorker& worker : timeline.workers) {
    if (worker.spans == 0) continue;
    ++stats.workers_used;
    stats.spans += worker.spans;
    stats.busy += worker.busy;
    stats.duration = std::max(stats.duration, worker.last_end);
    first_dry = std::min(first_dry, worker.last_end);
  }
  if (stats.workers_used > 0) stats.tail = stats.duration - first_dry;
  for (const TimelineLaunch& launch : timeline.launches) {
    stats.slots = std::max(stats.slots, launch.recorded_occupancy.blocks);
  }
  for (const Lane& lane : timeline_lanes(timeline)) {
    stats.max_concurrency = std::max(stats.max_concurrency, lane.slots);
  }
  const double of_all = static_cast<double>(stats.workers) * static_cast<double>(stats.duration);
  if (of_all > 0) {
    stats.mean_concurrency = static_cast<double>(stats.busy) / of_all;
    stats.slot_utilization = stats.mean_concurrency / stats.slots;
  }
  const bool by_device = std::any_of(timeline.spans.begin(), timeline.spans.end(),
                                     [](const TimelineSpan& span) { return span.parent != kNoParent; });
  const bool one_launch =
      timeline.launches.size() == 1 && !by_device && timeline.launches.front().recorded_occupancy.blocks > 0;
  if (one_launch && stats.workers > 0) {
    stats.waves = static_cast<double>(timeline.launches.front().blocks) /
                  (static_cast<double>(stats.workers) * stats.slots);
  }
  return stats;
}

std::string duration_text(std::uint64_t nanoseconds) {
  const auto value = static_cast<double>(nanoseconds);
  if (nanoseconds < 1000) return fmt::format("{} ns", nanoseconds);
  if (nanoseconds < 1000000) return fmt::format("{:.4g} µs", value / 1e3);
  if (nanoseconds < 1000000000) return fmt::format("{:.4g} ms", value / 1e6);
  return fmt::format("{:.4g} s", value / 1e9);
}

std::string span_text(const Timeline& timeline, std::uint32_t span) {
  const TimelineSpan& one = timeline.spans.at(span);
  const bool gpu = on_gpu(timeline);
  const char* const what = gpu                             ? "thread block"
                           : one.work == SpanWork::kBlocks ? "tiles"
                           : one.work == SpanWork::kPixels ? "rows of pixels"
                                                           : "region";
  std::string words = one.count > 1 ? fmt::format("{} {} to {}", what, one.block, one.block + one.count - 1)
                                    : fmt::format("{} {}", what, one.block);
  if (one.launch < timeline.launches.size()) words += " of " + timeline.launches[one.launch].kernel;
  if (one.work != SpanWork::kBlocks && one.work != SpanWork::kPixels) {
    words += fmt::format(", level {}", one.level);
  }
  if (one.work != SpanWork::kBlocks) words += fmt::format(": {}", name_of(one.work));
  words += fmt::format("\n{} from {}, {} {}", duration_text(one.end - one.begin), duration_text(one.begin),
                       gpu ? "multiprocessor" : "thread", one.worker);
  if (one.parent < timeline.spans.size()) {
    const TimelineSpan& parent = timeline.spans[one.parent];
    words += fmt::format("\nlaunched by {} {} of level {}, which ended {}", gpu ? "thread block" : "region",
                         parent.block, parent.level, duration_text(parent.end));
  }
  return words;
}

std::vector<TimelineRow> timeline_rows(const Timeline& timeline) {
  const TimelineStats stats = timeline_stats(timeline);
  const bool gpu = on_gpu(timeline);
  const char* const worker = gpu ? "multiprocessor" : "thread";
  std::vector<TimelineRow> rows;
  for (const TimelineLaunch& launch : timeline.launches) {
    std::string text =
        fmt::format("{}: {}", launch.kernel, counted(launch.blocks, gpu ? "thread block" : "work item"));
    if (launch.occupancy.kernel.threads > 0) {
      text += "; " + occupancy_text(launch.occupancy);
      if (launch.recorded_occupancy.blocks != launch.occupancy.blocks) {
        text += fmt::format("; the instrumented copy: {} resident, limited by {}",
                            launch.recorded_occupancy.blocks, limited_by(launch.recorded_occupancy));
      }
    }
    rows.push_back({"launch", text});
  }
  if (stats.waves) {
    rows.push_back({"waves", fmt::format("{:.2f}: {}, {} at once", *stats.waves,
                                         counted(timeline.launches.front().blocks, "thread block"),
                                         stats.workers * stats.slots)});
  }
  add_launch_latency(rows, timeline);
  rows.push_back({"concurrency", fmt::format("at most {} per {}, {:.2f} on average", stats.max_concurrency,
                                             worker, stats.mean_concurrency)});
  rows.push_back(
      {"slot utilization",
       fmt::format("{:.1f} % of {} x {} x {}; {} of {} active", 100 * stats.slot_utilization,
                   counted(stats.workers, worker), counted(stats.slots, "slot"),
                   duration_text(stats.duration), stats.workers_used, counted(stats.workers, worker))});
  rows.push_back(
      {"tail effect", fmt::format("{}, {:.1f} % of the time, from when the first {} runs out of work",
                                  duration_text(stats.tail), 100 * stats.tail_fraction(), worker)});
  rows.push_back({"clock", fmt::format("{}, resolution {} ns", timeline.clock, timeline.resolution)});
  std::string time = fmt::format("{} without, {} with recording", format_time(timeline.plain_milliseconds),
                                 format_time(timeline.milliseconds));
  if (timeline.milliseconds > kShows * timeline.plain_milliseconds) {
    time += ": the spans are so short that reading the clock is visible";
  }
  rows.push_back({"time", time});
  rows.push_back({"spans", timeline.spans_left_out == 0
                               ? fmt::format("{} recorded, all", timeline.spans.size())
                               : fmt::format("{} recorded, {} counted in the sums only",
                                             timeline.spans.size(), timeline.spans_left_out)});
  return rows;
}

std::string_view single_span_remark(const Timeline& timeline) {
  if (timeline.spans.size() + timeline.spans_left_out != 1) return {};
  return "One span: this launch is too small to be divided. A larger level or a GPU shows more.";
}

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
