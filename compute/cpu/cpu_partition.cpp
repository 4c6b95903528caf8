#include "compute/cpu/cpu_partition.h"

#include <fmt/format.h>

#include <algorithm>

namespace loom::cpu {
namespace {

std::uint64_t nanoseconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

}  // namespace

double CpuPartition::wait() {
  return std::chrono::duration<double, std::milli>(timed_to_ - timed_from_).count();
}

std::uint64_t CpuPartition::begin_recording() {
  recorded_.clear();
  return 0;
}

// The halo is unpacked in one step together with the boundary.
void CpuPartition::note_begin(DeviceWork work) {
  if (work == DeviceWork::kUnpack) return;
  const std::uint64_t now = nanoseconds_now();
  recorded_.push_back({work, now, now});
}

void CpuPartition::note_end(DeviceWork work) {
  if (work == DeviceWork::kUnpack) return;
  const auto begun = std::find_if(recorded_.rbegin(), recorded_.rend(),
                                  [&](const DeviceWorkSpan& span) { return span.work == work; });
  begun->end = nanoseconds_now();
}

std::string CpuPartition::device_name() const {
  return fmt::format("part {} of the CPU", number_ + 1);
}

}  // namespace loom::cpu
