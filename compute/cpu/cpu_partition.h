#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "compute/distributed/fractal_partition.h"

namespace loom::cpu {

/// Common base of CPU partitions for any cell storage: the partition's number and its timeline.
class CpuPartition : public FractalPartition {
 public:
  std::uint32_t number() const final { return number_; }
  void begin_timing() final { timed_from_ = Clock::now(); }
  void end_timing() final { timed_to_ = Clock::now(); }
  double wait() final;
  std::uint64_t begin_recording() final;
  void note_begin(DeviceWork work) final;
  void note_end(DeviceWork work) final;
  std::vector<DeviceWorkSpan> recorded() const final { return recorded_; }
  std::string device_name() const final;
  std::string clock_name() const final { return "steady clock"; }

 protected:
  explicit CpuPartition(std::uint32_t number) : number_(number) {}

 private:
  using Clock = std::chrono::steady_clock;

  std::uint32_t number_;
  Clock::time_point timed_from_;
  Clock::time_point timed_to_;
  std::vector<DeviceWorkSpan> recorded_;
};

}  // namespace loom::cpu
