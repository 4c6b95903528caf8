#pragma once

#include <cstdint>

#include "compute/cuda/device_buffer.h"
#include "compute/cuda/life/cells.h"
#include "compute/cuda/life/device_map_tables.h"
#include "compute/cuda/life/reduction.h"
#include "compute/cuda/life/resolve.h"
#include "compute/cuda/stream.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/blocked_fractal.h"

namespace loom::cuda {

/// The game of life on one CUDA device, on one stream. Every public call makes its device current.
class CudaFractalEngine final : public FractalEngine {
 public:
  /// `config` is valid; `device` is current. Throws std::bad_alloc, DeviceFault.
  CudaFractalEngine(const FractalConfig& config, int device);
  ~CudaFractalEngine() override;

  const FractalConfig& config() const override { return config_; }
  std::string backend_name() const override { return name_; }
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t bytes_held() const override { return now_.size() + next_.size(); }
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const Work& work) override;
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<bool> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  void begin_frame(const FrameWish& wish) override;
  FrameReport end_frame() override;
  Census census() const override;
  ThreadCount count_threads() const override;
  Timeline record_timeline(const TimelineWish& wish) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void set_generation(std::uint64_t generation) override { generation_ = generation; }

 private:
  /// The points of a frame whose distances are measured; other calls use the first of them.
  enum Mark { kStart, kEdited, kStepped, kResolved, kEnded, kMarks };
  /// What the device hands back, in page-locked memory.
  struct Answers {
    unsigned long long sum;
    unsigned long long census[2];
    std::uint8_t cell;
  };

  /// A frame between its beginning and its end.
  struct BegunFrame {
    FrameReport report;
    Work work;
    std::uint32_t times = 0;
    bool resolved = false;
    bool probed = false;
  };

  void use_device() const;
  void zero(DeviceBuffer<std::uint8_t>& cells);
  /// Waits; the time from the start mark to now, with the bytes held.
  StepReport report();

  /// Enqueues work on all cells: at once, or watched slice by slice, with a wait after each; a cell is a
  /// unit. Throws Cancelled. `enqueue(first, count)`.
  template <typename Enqueue>
  void in_slices(const WatchedCall& call, const Enqueue& enqueue) const;

  // These enqueue their work; until the stream has been waited for the next call must not come.
  std::uint64_t enqueue_edits(std::span<const CellEdit> edits);
  /// Returns how many times it was not cancelled.
  std::uint32_t enqueue_runs(std::uint32_t times, const Work& work, const WatchedCall& call);
  void enqueue_sum(std::uint32_t times, const Work& work);
  void enqueue_once(const Work& work);
  void enqueue_picture(const Viewport& viewport, MemorySpace space);
  void enqueue_cell(std::uint64_t at) const;
  /// How many times of a workload a watched call enqueues before it waits and looks.
  std::uint32_t slice_of(const Work& work) const;
  /// The report of work that was done, with the sum in the answers; notes the pace.
  StepReport run_report(std::uint32_t times, const Work& work, double milliseconds);
  void reserve_picture(const Viewport& viewport, MemorySpace space);
  ImageView picture(const Viewport& viewport, MemorySpace space) const;

  FractalConfig config_;
  BlockedFractal fractal_;
  StorageLayout layout_;
  int device_ = 0;
  std::string name_;
  Stream stream_;
  StreamMarks<kMarks> marks_;
  DeviceMapTables tables_;
  DeviceBuffer<std::uint8_t> now_;
  DeviceBuffer<std::uint8_t> next_;
  DeviceBuffer<unsigned long long> totals_;
  PinnedBuffer<Answers> answers_;
  DeviceBuffer<CellWrite> writes_;
  PinnedBuffer<CellWrite> write_staging_;
  mutable DeviceBuffer<std::uint8_t> dense_;  ///< of read_cells() and write_cells()
  BegunFrame begun_;
  std::uint64_t generation_ = 0;
  double pace_[3] = {};  ///< milliseconds that each workload took a time, when last it ran; 0: not yet
  Reducer reducer_;
  Resolver resolver_;
  PinnedBuffer<std::uint16_t> host_pixels_;
};

}  // namespace loom::cuda
