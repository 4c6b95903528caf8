#include "compute/engine/device_times.h"

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

DeviceShare share_of(const DeviceTimes& times, std::size_t device) {
  std::uint64_t all = 0;
  for (const DeviceTimes::Device& one : times.devices) {
    for (const DevicePiece& span : one.spans) all = std::max(all, span.end);
  }
  std::vector<Stretch> computed;
  std::vector<Stretch> sent;
  for (const DevicePiece& span : times.devices.at(device).spans)
    (span.work == DeviceWork::kExchange ? sent : computed).push_back({span.begin, span.end});
  DeviceShare share{.step = together(computed), .exchange = together(sent)};
  computed.insert(computed.end(), sent.begin(), sent.end());
  const std::uint64_t busy = together(std::move(computed));
  share.shown = busy - share.step;
  share.wait = all - busy;
  return share;
}

void count_from_first(DeviceTimes& times) {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  for (const DeviceTimes::Device& device : times.devices) {
    for (const DevicePiece& span : device.spans) first = std::min(first, span.begin);
  }
  for (DeviceTimes::Device& device : times.devices) {
    for (DevicePiece& span : device.spans) {
      span.begin -= first;
      span.end -= first;
    }
  }
}

}  // namespace loom
