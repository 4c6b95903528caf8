#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/cuda/bits/cuda_plane_engine.h"
#include "compute/cuda/bits/plane_rim.h"
#include "compute/split/fractal_part.h"

namespace loom::cuda {

/// A part of life in bit planes on one CUDA device: its rim and what is exchanged on a stream of their own,
/// the inside on the engine's.
class CudaPlanePart final : public CudaPlaneEngine, public FractalPart {
 public:
  /// `config` as for CudaPlaneEngine, `parts` deal its groups; `device` is current. Throws CapacityError,
  /// DeviceFault.
  CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
                int device);
  ~CudaPlanePart() override;

  FractalEngine& engine() override { return *this; }
  const FractalEngine& engine() const override { return *this; }
  std::uint32_t number() const override { return number_; }
  std::span<const PartStretch> told_by() const override { return rim_.told_by; }
  std::span<const PartStretch> told_to() const override { return rim_.told_to; }
  PartMessages messages() override;
  void tell_cells() override;
  void hear_cells() override;
  std::uint32_t most_at_once() const override;
  void begin_generations(LifeRule rule, std::uint32_t times) override;
  void step_inside(LifeRule rule, std::uint32_t times, bool last) override;
  void end_generations(std::uint32_t times) override;
  void take_back_generation() override;
  void take_back_reset(std::uint64_t generation) override;
  void begin_timing() override;
  void end_timing() override;
  double wait() override;
  std::uint64_t begin_recording() override;
  void note_begin(DeviceWork work) override;
  void note_end(DeviceWork work) override;
  std::vector<DevicePiece> recorded() const override;
  std::string device_name() const override;
  std::string clock_name() const override { return "CUDA events, set against the steady clock"; }
  void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                    std::span<std::uint64_t> living) override;
  void* sums_stream() override { return stream_.get(); }
  void reserve_sums(const Viewport& viewport) override;
  DevicePixelSums enqueue_sums(const Viewport& viewport) override;

 private:
  CudaPlanePart(const FractalConfig& config, const std::vector<PlaneRange>& parts, std::uint32_t number,
                int device, PartRim rim);
  std::size_t bytes_of_thread() const { return std::size_t{planes_.planes} * (planes_.wide() ? 8 : 4); }
  ThreadList copies() const;
  /// What comes on the rim's stream comes after the last generation, but not after an inside that is begun.
  void rim_follows_generation();

  /// The stream that does such work.
  const Stream& stream_of(DeviceWork work) const {
    return work == DeviceWork::kInside || work == DeviceWork::kPlace ? stream_ : rim_stream_;
  }

  enum Mark { kGeneration, kRim, kHeard, kMarks };
  enum TimedMark { kFrom, kTo, kTimedMarks };
  /// Of what is recorded: the clock's origin, then begin and end of each kind of work.
  static constexpr int kWorks = 5;
  static constexpr int kOrigin = 2 * kWorks;

  std::uint32_t number_;
  PartRim rim_;
  bool rim_is_patch_ = false;  ///< one thread block makes any number of its generations
  Stream rim_stream_;          ///< its few thread blocks must not wait for all of the inside's
  StreamMarks<kMarks, false> rim_marks_;
  StreamMarks<kTimedMarks> timed_;
  StreamMarks<kOrigin + 1> noted_;
  std::uint64_t origin_ = 0;            ///< in nanoseconds of the steady clock
  bool counts_ = false;                 ///< the generation under way counts its groups
  DeviceBuffer<std::uint32_t> listed_;  ///< the rim, and what it depends on
  DeviceBuffer<std::uint32_t> beside_;
  DeviceBuffer<std::uint16_t> beside_in_patch_;
  DeviceBuffer<std::uint32_t> told_threads_;  ///< of the part
  DeviceBuffer<std::uint32_t> told_places_;   ///< in the rim
  DeviceBuffer<std::uint8_t> rim_next_;       ///< rows of the rim as it becomes
  DeviceBuffer<std::uint8_t> told_;
  DeviceBuffer<std::uint8_t> heard_;
  PinnedBuffer<unsigned long long> sums_on_host_;
};

}  // namespace loom::cuda
