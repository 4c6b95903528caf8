#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/cuda/stream.h"
#include "compute/distributed/fractal_partition.h"

namespace loom::cuda {

/// Common base of partitions on CUDA devices for any cell storage: the partition's number, a stream for the
/// boundary and the exchange in addition to the engine's stream for the interior, and the timeline.
class CudaPartition : public FractalPartition {
 public:
  ~CudaPartition() override;
  std::uint32_t number() const final { return number_; }
  void begin_timing() final;
  void end_timing() final;
  double wait() final;
  std::uint64_t begin_recording() final;
  void note_begin(DeviceWork work) final;
  void note_end(DeviceWork work) final;
  std::vector<DeviceWorkSpan> recorded() const final;
  std::string device_name() const final;
  std::string clock_name() const final { return "CUDA events, set against the steady clock"; }

 protected:
  /// `inside` is the engine's stream, `device` its device, which must be current.
  CudaPartition(std::uint32_t number, int device, const Stream& inside);
  const Stream& boundary_stream() const { return boundary_stream_; }
  /// Orders later work on the boundary stream after the last generation, but not after an interior step in
  /// progress. Any other change of the cells must have been waited for.
  void wait_boundary_for_generation();
  /// Signals on the boundary stream that the boundary's next states are complete.
  void signal_boundary_done();
  /// Orders later work on the engine's stream after that signal.
  void wait_interior_for_boundary();
  /// Signals on the engine's stream that a generation is complete except for its halo.
  void signal_generation_done();

 private:
  /// The stream that performs this kind of work.
  const Stream& stream_of(DeviceWork work) const {
    return work == DeviceWork::kInterior || work == DeviceWork::kScatter ? inside_ : boundary_stream_;
  }

  enum Mark { kGeneration, kBoundary, kReceived, kMarks };
  enum TimedMark { kFrom, kTo, kTimedMarks };
  /// Recorded events: the clock's origin, then begin and end of each kind of work.
  static constexpr int kWorks = 5;
  static constexpr int kOrigin = 2 * kWorks;

  std::uint32_t number_;
  int part_device_;
  const Stream& inside_;
  Stream boundary_stream_;  ///< its few thread blocks must not wait for all thread blocks of the interior
  StreamEvents<kMarks, false> events_;
  StreamEvents<kTimedMarks> timed_;
  StreamEvents<kOrigin + 1> noted_;
  std::uint64_t origin_ = 0;  ///< in nanoseconds of the steady clock
};

}  // namespace loom::cuda
