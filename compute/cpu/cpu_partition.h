#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/cpu/run_recorder.h"
#include "compute/distributed/fractal_partition.h"

namespace loom::cpu {

/// A partition on the CPU: its timeline.
template <typename Engine, typename Boundary>
class CpuPartition : public PartitionOf<Engine, Boundary> {
 public:
  void begin_timing() final { timed_from_ = RunRecorder::now(); }
  void end_timing() final { timed_to_ = RunRecorder::now(); }
  double wait() final { return static_cast<double>(timed_to_ - timed_from_) * 1e-6; }
  std::uint64_t begin_recording() final {
    recorded_.clear();
    return 0;
  }
  // The halo is unpacked in one step together with the boundary.
  void note_begin(DeviceWork work) final {
    const std::uint64_t now = RunRecorder::now();
    if (work != DeviceWork::kUnpack) recorded_.push_back({work, now, now});
  }
  void note_end(DeviceWork work) final {
    if (work == DeviceWork::kUnpack) return;
    std::find_if(recorded_.rbegin(), recorded_.rend(), [&](const DeviceWorkSpan& span) {
      return span.work == work;
    })->end = RunRecorder::now();
  }
  std::vector<DeviceWorkSpan> recorded() const final { return recorded_; }
  std::string device_name() const final { return fmt::format("part {} of the CPU", this->number_ + 1); }
  std::string clock_name() const final { return "steady clock"; }

 protected:
  using PartitionOf<Engine, Boundary>::PartitionOf;

 private:
  std::uint64_t timed_from_ = 0, timed_to_ = 0;
  std::vector<DeviceWorkSpan> recorded_;
};

}  // namespace loom::cpu
