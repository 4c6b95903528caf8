#pragma once

#include <algorithm>
#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/stream.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom::cuda {

/// The game of life on one CUDA device, on one stream: the part that does not depend on the storage of cells.
/// Every public call makes its device current.
class CudaFractalEngine : public FractalEngine {
 public:
  ~CudaFractalEngine() override;

  std::string backend_name() const override { return name_; }
  std::uint64_t cell_count() const final { return fractal_.cells; }
  std::uint64_t allocated_bytes() const final { return now_.size() + next_.size(); }
  StepReport reset(const RandomStart& start) final;
  StepReport clear() final;
  StepReport run(std::uint32_t times, const Work& work) final;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) final;
  std::optional<std::uint8_t> cell(Coord64 expanded) const final;
  std::uint64_t edit(std::span<const CellEdit> edits) final;
  void begin_frame(const FrameRequest& request) final;
  FrameReport end_frame() final;
  void wait_for_frame() const final;
  Census census() const final;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const final;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) final;
  void read_bits(std::span<std::uint8_t> bits) const final;
  void write_bits(std::span<const std::uint8_t> bits) final;

 protected:
  /// The events of a frame between which times are measured; other calls use the first ones.
  enum Mark { kStart, kEdited, kStepped, kResolved, kEnded, kMarks };

  /// `config` must be valid; `bytes` is the size of a generation; `device` must be current. Throws
  /// CapacityError, DeviceFault.
  CudaFractalEngine(const FractalConfig& config, std::uint64_t bytes, int device, const LaunchSlices& slices);

  // Functions that depend on the storage. They enqueue their work; the stream must be synchronized before the
  // next call.

  /// Fills next_ with the random start; a cell is a unit of `call`. Throws OperationCancelled.
  virtual void enqueue_random(std::uint64_t seed, std::uint64_t threshold, const ProgressScope& call);
  /// Repeats the work `times` >= 1 times.
  virtual void enqueue_work(std::uint32_t times, const Work& work) = 0;
  /// Copies the last reduction's sum into page-locked memory.
  virtual void enqueue_sum_copy(unsigned long long* to) = 0;
  /// Adds the population to totals[0] and the hash to totals[1]; a cell is a unit of `call`. Throws
  /// OperationCancelled.
  virtual void enqueue_census(unsigned long long* totals, const ProgressScope& call) const;
  virtual void reserve_resolve(const Viewport& viewport) = 0;
  /// Throws OperationCancelled.
  virtual void enqueue_resolve(const Viewport& viewport) = 0;
  virtual const std::uint16_t* pixels() const = 0;
  /// Called after cells were changed by anything other than work.
  virtual void cells_changed() {}

  void use_device() const;
  void zero(DeviceBuffer<std::uint8_t>& cells);
  StoredCells stored(const DeviceBuffer<std::uint8_t>& generation) const {
    return {fractal_, stored_, generation.data(), states_};
  }
  /// Enqueues work on `items` by `enqueue(first, count)`: in launches of limited length or, if monitored,
  /// slice by slice with a wait after each; an item counts `units` units. Throws OperationCancelled.
  template <typename Enqueue>
  void in_slices(const ProgressScope& call, std::uint64_t items, std::uint64_t units,
                 const Enqueue& enqueue) const {
    const std::uint64_t watched = call.watched() ? std::max<std::uint64_t>(1, kSliceUnits / units) : items;
    const std::uint64_t slice = std::min(watched, slices_.max_items(units * kStepsOfUnit));
    for (std::uint64_t first = 0; first < items; first += slice) {
      call.check();
      const std::uint64_t count = std::min(slice, items - first);
      enqueue(first, count);
      if (watched < items) stream_.wait();
      call.advance(count * units);
    }
  }

  TiledFractal fractal_;
  DeviceLevels levels_;
  StorageFormat stored_;
  int device_ = 0;
  Stream stream_;
  StreamEvents<kMarks> events_;
  DeviceBuffer<std::uint8_t> now_;
  DeviceBuffer<std::uint8_t> next_;
  LaunchSlices slices_;

 private:
  /// Cells that a monitored call processes between two waits, a few milliseconds.
  static constexpr std::uint64_t kSliceUnits = std::uint64_t{1} << 27;
  /// Steps for a cell that is found by its canonical index (LaunchSlices).
  static constexpr std::uint64_t kStepsOfUnit = 64;
  /// Results that the device returns, in page-locked memory.
  struct Answers {
    unsigned long long sum;
    unsigned long long census[2];
    std::uint8_t cell;
  };

  /// A frame between begin_frame() and end_frame().
  struct PendingFrame {
    FrameReport report;
    Work work;
    std::uint32_t times = 0;
    bool resolved = false;
    bool probed = false;
  };

  /// Calls `copy(first, count)` for consecutive ranges of the cells [first, first + count), each of which
  /// fits into dense_. Throws OperationCancelled.
  template <typename Copy>
  void in_parts(std::uint64_t first, std::uint64_t count, const Copy& copy) const;
  /// Copy a range of cells to and from bits in host memory, one plane.
  void fetch_bits(std::uint64_t first, std::uint64_t count, std::uint32_t plane, std::uint8_t* bits) const;
  void put_bits(std::uint64_t first, std::uint64_t count, std::uint32_t plane, const std::uint8_t* bits);
  void drop_states(std::uint32_t states) final;

  /// Waits. Returns the time from the start event to now, and the allocated bytes.
  StepReport report();

  // The following functions enqueue their work, as above.
  std::uint64_t enqueue_edits(std::span<const CellEdit> edits);
  /// Returns the number of repetitions before a cancellation.
  std::uint32_t enqueue_runs(std::uint32_t times, const Work& work, const ProgressScope& call);
  void enqueue_sum(std::uint32_t times, const Work& work);
  void enqueue_image(const Viewport& viewport, MemorySpace space);
  /// Repetitions of a workload that a monitored call enqueues before it waits and tests for cancellation.
  std::uint32_t slice_of(const Work& work) const;
  /// The report of finished work, with the sum from the answers; updates the pace.
  StepReport run_report(std::uint32_t times, const Work& work, double milliseconds);
  void reserve_image(const Viewport& viewport, MemorySpace space);
  ImageView picture(const Viewport& viewport, MemorySpace space) const;

  std::string name_;
  DeviceBuffer<unsigned long long> totals_;
  PinnedBuffer<Answers> answers_;
  DeviceBuffer<CellWrite> writes_;
  PinnedBuffer<CellWrite> write_staging_;
  mutable DeviceBuffer<std::uint32_t> dense_;  ///< bits of cells that are copied in or out
  PendingFrame pending_frame_;
  /// Milliseconds per repetition of each workload in its last run; 0: not measured yet.
  double pace_[3] = {};
  PinnedBuffer<std::uint16_t> host_pixels_;
};

}  // namespace loom::cuda
