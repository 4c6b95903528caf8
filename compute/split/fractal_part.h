#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compute/engine/device_times.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/part_stretch.h"

namespace loom {

/// Where a part's messages lie: one after the other, in the order of its lists. Of bit planes one is the
/// words of a thread.
struct PartMessages {
  MemorySpace space = MemorySpace::kHost;
  const void* told = nullptr;
  void* heard = nullptr;
  std::size_t bytes_of_one = 0;
  int cuda_device = -1;         ///< as in ImageView
  void* cuda_stream = nullptr;  ///< on which `told` is written and `heard` is read
};

/// Of each pixel the own cells and the living ones among them, in device memory.
struct DevicePixelSums {
  const unsigned long long* cells = nullptr;
  const unsigned long long* living = nullptr;
  bool other_cells = true;  ///< the cells may be others than last time
};

/// A part of a fractal's cells on one device, as groups of its bit planes (geometry/plane_parts.h). The
/// engine is of its own cells: all others are dead to it, edits of them change nothing, census and sums are
/// of its own. Generations of life come in pieces, so that parts exchange their rims while they work on their
/// insides. On a device all of them enqueue.
class FractalPart {
 public:
  virtual ~FractalPart() = default;

  virtual FractalEngine& engine() = 0;
  virtual const FractalEngine& engine() const = 0;
  /// Which of the parts it is.
  virtual std::uint32_t number() const = 0;
  /// Stretches of what it is told, and of what it tells, in the order of the parts.
  virtual std::span<const PartStretch> told_by() const = 0;
  virtual std::span<const PartStretch> told_to() const = 0;
  virtual PartMessages messages() = 0;

  /// Writes what others are told of the cells as they are, into the messages.
  virtual void tell_cells() = 0;
  /// Takes what was heard as the copies beside the cells as they are.
  virtual void hear_cells() = 0;

  /// How many generations it makes at once, hearing of others after the last: at least 1, and at most
  /// as many as its cells depend on nothing beyond what it hears of.
  virtual std::uint32_t most_at_once() const = 0;
  // So many generations, in pieces. Where all parts are on devices the second piece is enqueued first.

  /// First: the rim as it is after them, into the messages.
  virtual void begin_generations(LifeRule rule, std::uint32_t times) = 0;
  /// Second: everything but the rim. `last`: a picture may follow.
  virtual void step_inside(LifeRule rule, std::uint32_t times, bool last) = 0;
  /// Third, when all has been heard: that generation is the present one.
  virtual void end_generations(std::uint32_t times) = 0;
  /// After one generation: the one before is the present one again, with what was heard of others then.
  virtual void take_back_generation() = 0;
  /// After a reset or a clear: the cells of before are the present ones again, of that generation. What was
  /// heard of others is gone.
  virtual void take_back_reset(std::uint64_t generation) = 0;

  /// What is enqueued between these is timed by the device's own clock, as the steps of one device are.
  virtual void begin_timing() = 0;
  virtual void end_timing() = 0;
  /// Waits for all that is enqueued. Returns the milliseconds between the last two.
  virtual double wait() = 0;

  // When each piece of a generation begins and ends, for one that is recorded.

  /// Nothing is under way: sets the device's clock against the steady clock. Returns how exactly, in
  /// nanoseconds.
  virtual std::uint64_t begin_recording() = 0;
  /// What comes after this, or came before it, on the device is such work.
  virtual void note_begin(DeviceWork work) = 0;
  virtual void note_end(DeviceWork work) = 0;
  /// What was noted since, in nanoseconds of the steady clock. All of it has been waited for.
  virtual std::vector<DevicePiece> recorded() const = 0;
  /// "cuda:1 NVIDIA H200", and the clock that times it: "CUDA events".
  virtual std::string device_name() const = 0;
  virtual std::string clock_name() const = 0;

  /// Of each pixel the own cells and the living ones among them.
  virtual void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                            std::span<std::uint64_t> living) = 0;
  /// The cudaStream_t on which such sums can be had in device memory; null: only as above.
  virtual void* sums_stream() { return nullptr; }
  /// Makes room for them.
  virtual void reserve_sums(const Viewport&) {}
  /// Enqueues them there. They stay until the next are enqueued.
  virtual DevicePixelSums enqueue_sums(const Viewport&) { return {}; }
};

}  // namespace loom
