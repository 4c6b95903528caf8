#include "compute/engine/device_timeline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace loom {
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
  static constexpr std::array<std::string_view, 5> kNames = {"rim", "exchange", "inside", "place", "take"};
  return kNames[static_cast<std::size_t>(work)];
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
