#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/timeline.h"
#include "compute/geometry/partition.h"

namespace loom {

/// The message buffers of a partition. Messages follow each other in the order of its lists. A message
/// element is the words of a thread for bit planes, and a cell for byte storage.
struct HaloBuffers {
  const void* sent = nullptr;
  void* received = nullptr;
  std::size_t element_bytes = 0;
  DeviceStream stream = {};  ///< on which `sent` is written and `received` is read
};

/// Per pixel, the number of own cells and of living ones among them, in device memory.
struct DevicePixelSums {
  const unsigned long long* cells = nullptr;
  const unsigned long long* living = nullptr;
  bool other_cells = true;  ///< the cell counts may differ from the last call's
};

/// A partition of a fractal's cells on one device: groups of its bit planes (geometry/plane_partition.h), or
/// tile rows in bytes (geometry/partition.h). The engine covers its own cells: all others read as dead, edits
/// of them have no effect, and census and sums cover own cells only. A generation of life consists of
/// separate pieces, so that partitions exchange their boundaries while they compute their interiors. On a
/// device all pieces are enqueued.
class FractalPartition {
 public:
  virtual ~FractalPartition() = default;

  virtual FractalEngine& engine() = 0;
  virtual const FractalEngine& engine() const = 0;
  /// The number of this partition.
  virtual std::uint32_t number() const = 0;
  /// Segments of the halo by sender, and of the boundary by receiver, in the order of the partitions.
  virtual std::span<const HaloSegment> received_from() const = 0;
  virtual std::span<const HaloSegment> sent_to() const = 0;
  virtual HaloBuffers messages() = 0;

  /// Packs the boundary of the current cells into the send buffer.
  virtual void pack_boundary() = 0;
  /// Unpacks the receive buffer into the halo of the current cells.
  virtual void unpack_halo() = 0;

  /// The largest number of generations per exchange: at least 1, limited by the number of generations for
  /// which own cells depend on own and halo cells only.
  virtual std::uint32_t max_generations_per_exchange() const = 0;
  // The pieces of `times` generations. If all partitions are on devices, the second piece is enqueued first.

  /// First: computes the boundary after `times` generations into the send buffer.
  virtual void begin_generations(LifeRule rule, std::uint32_t times) = 0;
  /// Second: computes the interior. `last`: an image may follow.
  virtual void step_interior(LifeRule rule, std::uint32_t times, bool last) = 0;
  /// Third, after the halo has been received: makes the new generation the current one.
  virtual void end_generations(std::uint32_t times) = 0;
  /// After one generation: rolls back to the previous generation with its halo.
  virtual void roll_back_generation() = 0;
  /// After a reset or a clear: rolls back to the previous cells with this generation number. Their halo is
  /// lost.
  virtual void roll_back_reset(std::uint64_t generation) = 0;

  /// Work enqueued between these calls is timed by the device's clock, as steps of a single device are.
  virtual void begin_timing() = 0;
  virtual void end_timing() = 0;
  /// Waits for all enqueued work. Returns the milliseconds between the last two timing calls.
  virtual double wait() = 0;

  // Recording of the begin and the end of each piece of a generation.

  /// Aligns the device's clock with the steady clock; no work may be in progress. Returns the uncertainty in
  /// nanoseconds.
  virtual std::uint64_t begin_recording() = 0;
  /// Marks that the device work enqueued after (before) this call is of this kind.
  virtual void note_begin(DeviceWork work) = 0;
  virtual void note_end(DeviceWork work) = 0;
  /// The recorded spans, in nanoseconds of the steady clock. All work must have been waited for.
  virtual std::vector<DeviceWorkSpan> recorded() const = 0;
  /// "cuda:1 NVIDIA H200", and the name of the clock that times it: "CUDA events".
  virtual std::string device_name() const = 0;
  virtual std::string clock_name() const = 0;

  /// Counts, per pixel, own cells and living ones among them.
  virtual void count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                            std::span<std::uint64_t> living) = 0;
  /// The stream for sums in device memory; null if only count_pixels() is supported.
  virtual CUstream_st* sums_stream() { return nullptr; }
  /// Allocates memory for the sums.
  virtual void reserve_sums(const Viewport&) {}
  /// Enqueues the sums on that stream. The result is valid until the next call.
  virtual DevicePixelSums enqueue_sums(const Viewport&) { return {}; }
};

/// A partition of an engine's cells, whatever their storage and their device: its number and boundary.
template <typename Engine, typename Boundary>
class PartitionOf : public Engine, public FractalPartition {
 public:
  FractalEngine& engine() final { return *this; }
  const FractalEngine& engine() const final { return *this; }
  std::uint32_t number() const final { return number_; }
  std::span<const HaloSegment> received_from() const final { return boundary_.received_from; }
  std::span<const HaloSegment> sent_to() const final { return boundary_.sent_to; }
  void roll_back_generation() final { roll_back_reset(this->generation_ - 1); }
  void roll_back_reset(std::uint64_t generation) final {
    this->now_.swap(this->next_);
    this->generation_ = generation;
    this->cells_changed();
  }

 protected:
  /// `arguments`: of the engine.
  template <typename... Arguments>
  PartitionOf(std::uint32_t number, Boundary&& boundary, const Arguments&... arguments)
      : Engine(arguments...), boundary_(std::move(boundary)), number_(number) {}

  Boundary boundary_;
  std::uint32_t number_;
};

/// The halo exchange between the partitions of one fractal: those of this process and, if any, those of other
/// processes. Failures of other processes throw MachineError with their names.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;

  /// Starts to transfer all boundaries to their receivers. `parts` are this process's own partitions.
  virtual void start(std::span<FractalPartition* const> parts) = 0;
  /// Waits until the halos have been received; on a device, later work is ordered after the exchange.
  virtual void finish() = 0;

  /// Adds values over all processes, which must all call it with the same number of values; all get the sums.
  virtual void sum(std::span<std::uint64_t>) {}
  /// "in this process", "NCCL 2.28.3", "MPI: Open MPI 4.1.4": for the status line.
  virtual std::string name() const = 0;
};

/// Within one process: the sender of a segment of a receiver's halo, and the segment's offset in the sender's
/// buffer.
struct HaloMessage {
  FractalPartition* sender = nullptr;
  HaloSegment sent;
};
HaloMessage find_halo_message(std::span<FractalPartition* const> parts, const FractalPartition& receiver,
                              const HaloSegment& from);

/// The exchange between partitions in the memory of one process.
std::unique_ptr<HaloExchange> make_host_exchange();

}  // namespace loom
