#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/cuda/stream.h"
#include "compute/split/fractal_part.h"

namespace loom::cuda {

/// What parts on CUDA devices share, whatever their cells are: which it is, a stream for the rim and what is
/// exchanged beside the engine's for the inside, and when each did what.
class CudaPart : public FractalPart {
 public:
  ~CudaPart() override;
  std::uint32_t number() const final { return number_; }
  void begin_timing() final;
  void end_timing() final;
  double wait() final;
  std::uint64_t begin_recording() final;
  void note_begin(DeviceWork work) final;
  void note_end(DeviceWork work) final;
  std::vector<DevicePiece> recorded() const final;
  std::string device_name() const final;
  std::string clock_name() const final { return "CUDA events, set against the steady clock"; }

 protected:
  /// `inside` is the engine's stream, `device` its device, which is current.
  CudaPart(std::uint32_t number, int device, const Stream& inside);
  const Stream& rim_stream() const { return rim_stream_; }
  /// What comes on the rim's stream comes after the last generation, but not after an inside that is begun.
  /// Whatever else changes the cells has been waited for.
  void rim_follows_generation();
  /// The rim's next states are there, on its stream.
  void rim_is_made();
  /// What comes on the engine's stream comes after that.
  void inside_follows_rim();
  /// A generation is whole, but for what is heard, on the engine's stream.
  void generation_is_made();

 private:
  /// The stream that does such work.
  const Stream& stream_of(DeviceWork work) const {
    return work == DeviceWork::kInside || work == DeviceWork::kPlace ? inside_ : rim_stream_;
  }

  enum Mark { kGeneration, kRim, kHeard, kMarks };
  enum TimedMark { kFrom, kTo, kTimedMarks };
  /// Of what is recorded: the clock's origin, then begin and end of each kind of work.
  static constexpr int kWorks = 5;
  static constexpr int kOrigin = 2 * kWorks;

  std::uint32_t number_;
  int part_device_;
  const Stream& inside_;
  Stream rim_stream_;  ///< its few thread blocks must not wait for all of the inside's
  StreamMarks<kMarks, false> marks_;
  StreamMarks<kTimedMarks> timed_;
  StreamMarks<kOrigin + 1> noted_;
  std::uint64_t origin_ = 0;  ///< in nanoseconds of the steady clock
};

}  // namespace loom::cuda
