#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/engine/timeline.h"

namespace loom::app::explain {

// A timeline made ready to be drawn, without a window: who draws it puts times on one axis and workers below
// each other on the other. All times are nanoseconds since the timeline's start.

/// A span in its lane.
struct LaneSpan {
  std::uint32_t span = 0;  ///< in Timeline::spans
  std::uint32_t slot = 0;  ///< row of the lane; spans of one slot do not overlap
  std::uint32_t wave = 0;  ///< number of earlier thread blocks in this slot
};

/// The spans of one worker. It has as many slots as spans overlap, by the recorded spans. A thread block with
/// several spans stays in its slot.
struct Lane {
  std::uint32_t worker = 0;
  std::uint32_t slots = 0;
  std::vector<LaneSpan> spans;  ///< by begin
};
/// One for each worker, those without work included, by number.
std::vector<Lane> timeline_lanes(const Timeline& timeline);

/// A grid: the thread blocks of one launch, by the host or by the device. On the CPU: a parallel loop, or the
/// tasks that one task created.
struct GridInterval {
  std::uint16_t launch = 0;                  ///< in Timeline::launches
  std::uint32_t parent_span = kNoParent;     ///< that launched it
  std::optional<std::uint32_t> parent_grid;  ///< the grid of that span, in the same list
  std::uint32_t depth = 0;                   ///< 0: launched by the host
  std::uint16_t level = 0;                   ///< of its first span, as the next
  SpanWork work = SpanWork::kBlocks;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< of its spans, added up
};
/// The grids of the recorded spans, parents before children, otherwise by begin.
std::vector<GridInterval> timeline_grids(const Timeline& timeline);

/// A part of the timeline without recorded spans.
struct TimelineGap {
  std::uint64_t begin = 0;  ///< begin of the last span recorded before it
  std::uint64_t end = 0;    ///< begin of the first span recorded after it
};
/// Where spans of the middle of the first launch were left out; nothing where none were.
std::optional<TimelineGap> timeline_gap(const Timeline& timeline);

/// A remark for a timeline with a single span; otherwise empty.
std::string_view single_span_remark(const Timeline& timeline);

/// Statistics of a timeline. All but `max_concurrency` include spans that were not recorded.
struct TimelineStats {
  std::uint64_t duration = 0;      ///< from the first begin to the last end
  std::uint32_t workers = 0;       ///< that there are
  std::uint32_t workers_used = 0;  ///< that did something
  std::uint64_t spans = 0;
  std::uint64_t busy = 0;  ///< of all spans, added up
  /// Thread blocks (or spans) that a worker can run concurrently: the maximum over the instrumented kernels,
  /// by the occupancy calculator; 1 on the CPU.
  std::uint32_t slots = 1;
  /// Observed concurrency of a worker, by the recorded spans. With dynamic parallelism it exceeds `slots` on
  /// an H200: a thread block that waits for its launch seems to free its slot early.
  std::uint32_t max_concurrency = 0;
  double mean_concurrency = 0;  ///< of a worker, over the duration
  /// Busy over workers x slots x duration, 0..1.
  double utilisation = 0;
  /// Thread blocks of a single launch over workers x slots: 12.4 means twelve full waves and four tenths of
  /// one. Nothing for several launches, launches from the device, and the CPU.
  std::optional<double> waves;
  /// From the end of the first worker to run dry, of those that did something, to the end of all.
  std::uint64_t tail = 0;
  double tail_fraction() const {
    return duration ? static_cast<double>(tail) / static_cast<double>(duration) : 0;
  }
};
TimelineStats timeline_stats(const Timeline& timeline);

/// The figures in words, for the window, the command line and captions: one for each row of a table.
struct TimelineRow {
  std::string name;
  std::string text;
};
std::vector<TimelineRow> timeline_rows(const Timeline& timeline);

/// A recorded span in a few lines: what it is, where and when it ran.
std::string span_text(const Timeline& timeline, std::uint32_t span);

/// "31.74 us", "5.2 ms": with the digits that its resolution bears out.
std::string duration_text(std::uint64_t nanoseconds);

}  // namespace loom::app::explain
