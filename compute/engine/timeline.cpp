#include "compute/engine/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/input_text.h"

namespace loom {

std::string_view name_of(SpanWork work) {
  return value_for<SpanWork::kMirror>({"blocks", "pixels", "border", "fill", "leaf", "split", "mirror"},
                                      work);
}

void validate(const TimelineOptions& options) {
  if (options.max_spans < 2 || options.max_spans >= kNoParent) {
    throw InputError(
        fmt::format("a timeline of {} spans; allowed: 2 to {}", options.max_spans, kNoParent - 1));
  }
}

void require_clock(std::string_view clock, std::uint64_t resolution) {
  if (resolution > 0) return;
  throw MachineError(fmt::format(
      "no timeline: the timer that the multiprocessors of this device share ({}) does not advance; "
      "allowed: --backend cpu",
      clock));
}

void order_spans(Timeline& timeline) {
  std::vector<std::uint32_t> order(timeline.spans.size());
  std::iota(order.begin(), order.end(), 0u);
  const std::vector<TimelineSpan> as_they_were = std::move(timeline.spans);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return as_they_were[a].begin < as_they_were[b].begin;
  });
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;

  std::uint64_t start = std::numeric_limits<std::uint64_t>::max();
  for (const TimelineWorker& worker : timeline.workers) {
    if (worker.spans > 0) start = std::min(start, worker.first_begin);
  }
  for (TimelineWorker& worker : timeline.workers) {
    if (worker.spans == 0) continue;
    worker.first_begin -= start;
    worker.last_end -= start;
  }
  timeline.spans.clear();
  timeline.spans.reserve(order.size());
  for (const std::uint32_t from : order) {
    TimelineSpan span = as_they_were[from];
    span.begin -= start;
    span.end -= start;
    span.parent = span.parent < place.size() ? place[span.parent] : kNoParent;
    timeline.spans.push_back(span);
  }
}

namespace {

using Stretch = std::pair<std::uint64_t, std::uint64_t>;

/// The time in which at least one of the intervals is active.
std::uint64_t together(std::vector<Stretch> stretches) {
  std::sort(stretches.begin(), stretches.end());
  std::uint64_t sum = 0;
  std::uint64_t reached = 0;
  for (const auto& [begin, end] : stretches) {
    const std::uint64_t from = std::max(begin, reached);
    if (end <= from) continue;
    sum += end - from;
    reached = end;
  }
  return sum;
}

}  // namespace

std::string_view name_of(DeviceWork work) {
  return value_for<DeviceWork::kUnpack>({"rim", "exchange", "inside", "place", "take"}, work);
}

DeviceTimeBreakdown time_breakdown(const DeviceTimeline& times, std::size_t device) {
  std::uint64_t all = 0;
  for (const DeviceTimeline::Device& one : times.devices) {
    for (const DeviceWorkSpan& span : one.spans) all = std::max(all, span.end);
  }
  std::vector<Stretch> computed;
  std::vector<Stretch> sent;
  for (const DeviceWorkSpan& span : times.devices.at(device).spans)
    (span.work == DeviceWork::kExchange ? sent : computed).push_back({span.begin, span.end});
  DeviceTimeBreakdown share{.step = together(computed), .exchange = together(sent)};
  computed.insert(computed.end(), sent.begin(), sent.end());
  const std::uint64_t busy = together(std::move(computed));
  share.shown = busy - share.step;
  share.wait = all - busy;
  return share;
}

void rebase_to_first_begin(DeviceTimeline& times) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const DeviceTimeline::Device& device : times.devices) {
    for (const DeviceWorkSpan& span : device.spans) first = std::min(first, span.begin);
  }
  for (DeviceTimeline::Device& device : times.devices) {
    for (DeviceWorkSpan& span : device.spans) {
      span.begin -= first;
      span.end -= first;
    }
  }
}

}  // namespace loom
