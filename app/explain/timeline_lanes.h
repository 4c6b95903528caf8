#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/timeline.h"

namespace loom::app::explain {

// A timeline prepared for drawing, independent of a window: time on one axis, workers on the other. All times
// are nanoseconds since the start of the timeline.

/// A span in its lane.
struct LaneSpan {
  std::uint32_t span = 0;  ///< index in Timeline::spans
  std::uint32_t slot = 0;  ///< row of the lane; spans of one slot do not overlap
  std::uint32_t wave = 0;  ///< number of earlier thread blocks in this slot
};

/// The spans of one worker. The number of slots is the maximum number of overlapping recorded spans. A thread
/// block with several spans stays in its slot.
struct Lane {
  std::uint32_t worker = 0;
  std::uint32_t slots = 0;
  std::vector<LaneSpan> spans;  ///< sorted by begin
};
/// One lane per worker, including workers without spans, by number.
std::vector<Lane> timeline_lanes(const Timeline& timeline);

/// A grid: the thread blocks of one launch from the host or the device. On the CPU: a parallel loop, or the
/// tasks created by one task.
struct GridInterval {
  std::uint16_t launch = 0;                  ///< index in Timeline::launches
  std::uint32_t parent_span = kNoParent;     ///< the span that launched it
  std::optional<std::uint32_t> parent_grid;  ///< the grid of that span, index in the same list
  std::uint32_t depth = 0;                   ///< 0: launched by the host
  std::uint16_t level = 0;                   ///< `level` and `work` are those of its first span
  SpanWork work = SpanWork::kBlocks;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< sum over its spans
};
/// The grids of the recorded spans, parents before children, otherwise by begin.
std::vector<GridInterval> timeline_grids(const Timeline& timeline);

/// A part of the timeline without recorded spans.
struct TimelineGap {
  std::uint64_t begin = 0;  ///< begin of the last span recorded before it
  std::uint64_t end = 0;    ///< begin of the first span recorded after it
};
/// The gap in the middle of the first launch whose spans were not recorded; empty if there is none.
std::optional<TimelineGap> timeline_gap(const Timeline& timeline);

/// A remark for a timeline with a single span; otherwise empty.
std::string_view single_span_remark(const Timeline& timeline);

/// Statistics of a timeline. All but `max_concurrency` include spans that were not recorded.
struct TimelineStats {
  std::uint64_t duration = 0;      ///< from the first begin to the last end
  std::uint32_t workers = 0;       ///< number of workers
  std::uint32_t workers_used = 0;  ///< number of workers with spans
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< sum over all spans
  /// Thread blocks (or spans) that a worker can run concurrently: the maximum over the instrumented kernels,
  /// by the occupancy calculator; 1 on the CPU.
  std::uint32_t slots = 1;
  /// Maximum concurrency of a worker in the recorded spans. With dynamic parallelism it exceeds `slots` on an
  /// H200: a thread block that waits for its launch seems to free its slot early.
  std::uint32_t max_concurrency = 0;
  double mean_concurrency = 0;  ///< mean concurrency of a worker over the duration
  /// Busy over workers x slots x duration, 0..1.
  double slot_utilization = 0;
  /// Thread blocks of a single launch over workers x slots: 12.4 means twelve full waves and four tenths of
  /// one. Empty for several launches, launches from the device, and the CPU.
  std::optional<double> waves;
  /// Time from the end of the first worker that finishes, among those with spans, to the end of the last.
  std::uint64_t tail = 0;
  double tail_fraction() const {
    return duration ? static_cast<double>(tail) / static_cast<double>(duration) : 0;
  }
};
TimelineStats timeline_stats(const Timeline& timeline);

/// The statistics as rows of a table, for the window, the command line and captions.
struct TimelineRow {
  std::string name;
  std::string text;
};
std::vector<TimelineRow> timeline_rows(const Timeline& timeline);

/// A description of a recorded span in a few lines: its work, worker and times.
std::string span_text(const Timeline& timeline, std::uint32_t span);

/// "31.74 µs", "5.2 ms": at most four significant digits.
std::string duration_text(std::uint64_t nanoseconds);

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
