#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/stream.h"
#include "compute/distributed/fractal_partition.h"

namespace loom::cuda {

/// A partition on a CUDA device: a stream for the boundary and the exchange in addition to the engine's
/// stream for the interior, and the timeline.
template <typename Engine, typename Boundary>
class CudaPartition : public PartitionOf<Engine, Boundary> {
 public:
  // An exchange may still be in progress.
  ~CudaPartition() override {
    LOOM_CUDA_QUIETLY(cudaSetDevice(this->device_));
    LOOM_CUDA_QUIETLY(cudaStreamSynchronize(boundary_stream_.get()));
  }
  void begin_timing() final {
    this->use_device();
    timed_.mark(kFrom, this->stream_);
  }
  // A generation is complete when its halo has been unpacked.
  void end_timing() final {
    this->use_device();
    events_.mark(kReceived, boundary_stream_);
    events_.wait_for(events_, kReceived, this->stream_);
    timed_.mark(kTo, this->stream_);
  }
  double wait() final {
    this->use_device();
    this->stream_.wait();
    boundary_stream_.wait();
    return timed_.milliseconds(kFrom, kTo);
  }
  // The event of an idle device is between two reads of the steady clock; the closest of several such pairs
  // is used.
  std::uint64_t begin_recording() final {
    using Clock = std::chrono::steady_clock;
    constexpr int kLooks = 16;
    this->use_device();
    const auto look = [&] {
      const Clock::time_point before = Clock::now();
      noted_.mark(kOrigin, this->stream_);
      this->stream_.wait();
      return std::pair(before, Clock::now());
    };
    Clock::duration least = Clock::duration::max();
    for (int i = 0; i < kLooks; ++i) {
      const auto [before, after] = look();
      least = std::min(least, after - before);
    }
    // The kept event is the last recorded one, which is about as close.
    auto [before, after] = look();
    for (int i = 0; i < kLooks && after - before > least + least / 4; ++i) std::tie(before, after) = look();
    const auto nanoseconds = [](Clock::duration duration) {
      return static_cast<std::uint64_t>(std::chrono::nanoseconds(duration).count());
    };
    origin_ = nanoseconds(before.time_since_epoch() + (after - before) / 2);
    return nanoseconds(after - before);
  }
  // The boundary stream waits for the previous generation; that wait is not part of the boundary's work.
  void note_begin(DeviceWork work) final {
    this->use_device();
    if (work == DeviceWork::kBoundary) wait_boundary_for_generation();
    if (work == DeviceWork::kScatter) wait_interior_for_boundary();
    noted_.mark(2 * static_cast<int>(work), stream_of(work));
  }
  void note_end(DeviceWork work) final {
    this->use_device();
    noted_.mark(2 * static_cast<int>(work) + 1, stream_of(work));
  }
  std::vector<DeviceWorkSpan> recorded() const final {
    this->use_device();
    const auto at = [&](int mark) {
      return origin_ + static_cast<std::uint64_t>(std::llround(noted_.milliseconds(kOrigin, mark) * 1e6));
    };
    std::vector<DeviceWorkSpan> spans;
    for (int work = 0; work < kWorks; ++work)
      spans.push_back({static_cast<DeviceWork>(work), at(2 * work), at(2 * work + 1)});
    return spans;
  }
  std::string device_name() const final {
    return fmt::format("{}, device {}", this->backend_name(), this->device_);
  }
  std::string clock_name() const final { return "CUDA events, set against the steady clock"; }
  CUstream_st* sums_stream() final { return this->stream_.get(); }

 protected:
  using PartitionOf<Engine, Boundary>::PartitionOf;
  const Stream& boundary_stream() const { return boundary_stream_; }
  /// Orders later work on the boundary stream after the last generation, but not after an interior step in
  /// progress. Any other change of the cells must have been waited for.
  void wait_boundary_for_generation() {
    this->use_device();
    events_.wait_for(events_, kGeneration, boundary_stream_);
  }
  /// Signals on the boundary stream that the boundary's next states are complete.
  void signal_boundary_done() { events_.mark(kBoundary, boundary_stream_); }
  /// Orders later work on the engine's stream after that signal.
  void wait_interior_for_boundary() { events_.wait_for(events_, kBoundary, this->stream_); }
  /// Signals on the engine's stream that a generation is complete except for its halo.
  void signal_generation_done() { events_.mark(kGeneration, this->stream_); }

 private:
  /// The stream that performs this kind of work.
  const Stream& stream_of(DeviceWork work) const {
    return work == DeviceWork::kInterior || work == DeviceWork::kScatter ? this->stream_ : boundary_stream_;
  }

  enum Mark { kGeneration, kBoundary, kReceived, kMarks };
  enum TimedMark { kFrom, kTo, kTimedMarks };
  /// Recorded events: the clock's origin, then begin and end of each kind of work.
  static constexpr int kWorks = 5;
  static constexpr int kOrigin = 2 * kWorks;

  Stream boundary_stream_{
      StreamPriority::kFirst};  ///< its few thread blocks must not wait for all thread blocks of the interior
  StreamEvents<kMarks, false> events_;
  StreamEvents<kTimedMarks> timed_;
  StreamEvents<kOrigin + 1> noted_;
  std::uint64_t origin_ = 0;  ///< in nanoseconds of the steady clock
};

}  // namespace loom::cuda
