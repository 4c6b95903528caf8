#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/stream.h"
#include "compute/engine/timeline.h"

namespace loom::cuda {

/// A span as the device writes it; `begin` is 0 until it is written. Fields as in TimelineSpan.
struct DeviceSpan {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t block;
  std::uint32_t worker;
  std::uint32_t parent;
  std::uint16_t launch;
  std::uint16_t level;
  std::uint32_t work;
};

/// Fields as in TimelineWorker.
struct DeviceWorker {
  unsigned long long spans;
  unsigned long long busy;
  unsigned long long first_begin;
  unsigned long long last_end;
};

/// The memory that the instrumented kernels write to.
struct RecordingView {
  DeviceSpan* spans = nullptr;
  std::uint64_t most = 0;
  /// Spans requested by kernels that number them in order of completion; may exceed `most`.
  unsigned long long* count = nullptr;
  DeviceWorker* workers = nullptr;
  std::uint32_t max_workers = 0;
};

/// The device's part of a timeline: memory for its spans, on the current device. The spans of one recording
/// are either numbered in order of completion (`count`) or placed by a SpanWindow.
class DeviceRecording {
 public:
  /// Determines the resolution of %globaltimer. Throws MachineError if it does not advance, CapacityError.
  DeviceRecording(int device, std::uint64_t max_spans, const Stream& stream);

  RecordingView view() const;
  /// Enqueues the removal of all spans.
  void clear(const Stream& stream);
  /// Waits for the stream and reads workers, clock and spans: all spans of the window, or those that were
  /// written. The caller adds the launches and the times.
  Timeline read(const SpanWindow& window, const Stream& stream) const;
  Timeline read(const Stream& stream) const;

 private:
  Timeline read_spans(std::uint64_t held, std::uint64_t left_out, const Stream& stream) const;

  DeviceBuffer<DeviceSpan> spans_;
  DeviceBuffer<DeviceWorker> workers_;
  DeviceBuffer<unsigned long long> count_;
  std::size_t multiprocessors_ = 0;
  std::uint64_t resolution_ = 0;
};

}  // namespace loom::cuda
