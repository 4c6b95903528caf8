#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/distributed/fractal_partition.h"
#include "compute/distributed/image_compositor.h"
#include "compute/distributed/partitioning.h"
#include "compute/engine/fractal_engine.h"
#include "compute/geometry/tiled_fractal.h"

namespace loom {

/// Life on the compact map, distributed over several devices of this process and of other processes, behind
/// the interface of one engine. If several processes take part, all must make the same calls in the same
/// order; sums and cells that are read are then the same in all of them.
class DistributedEngine final : public FractalEngine {
 public:
  /// `parts` are this process's own partitions, at least one; `count` is the number of partitions of all
  /// processes. `picture` composes images from device memory; null, or if partitions do not support it:
  /// images are composed in host memory.
  DistributedEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPartition>> parts,
                    std::uint32_t count, std::unique_ptr<HaloExchange> exchange,
                    std::unique_ptr<ImageCompositor> picture = nullptr);
  ~DistributedEngine() override;

  /// The largest number of generations between two exchanges.
  std::uint32_t max_generations_per_exchange() const { return max_generations_per_exchange_; }
  const FractalConfig& config() const override { return config_; }
  std::string backend_name() const override;
  void wait_for_compilation() const override;
  bool is_compilation_done() const override;
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t allocated_bytes() const override;
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const Work& work) override;
  /// If partitions have no sums on devices, the image is in host memory whatever `space` is; the image says
  /// so.
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<std::uint8_t> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  void begin_frame(const FrameRequest& request) override;
  FrameReport end_frame() override;
  void wait_for_frame() const override;
  Census census() const override;
  ThreadCount count_threads() const override;
  /// Throws InputError: a timeline covers a single device.
  Timeline record_timeline(const TimelineOptions& request) override;
  DeviceTimeline record_devices(LifeRule rule) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void read_bits(std::span<std::uint8_t> bits) const override;
  void write_bits(std::span<const std::uint8_t> bits) override;
  void set_generation(std::uint64_t generation) override;

 private:
  /// Calls `use(partition's engine)` for each partition, monitored as this engine is.
  template <typename Use>
  void for_each_part(const ProgressScope& call, const Use& use) const;
  /// The same for all partitions concurrently if they are on devices and no monitor is set. (A monitor covers
  /// one call at a time.)
  template <typename Use>
  void in_all_parts(const ProgressScope& call, const Use& use) const;
  /// reset() or clear() of all partitions or, if cancelled, of none.
  template <typename Use>
  void reset_all(const Use& use);
  /// Combines the reads of all partitions; `read(part, bytes)` reads one partition with all other cells dead.
  template <typename Read>
  void read_all(std::span<std::uint8_t> bytes, const Read& read) const;
  /// Prepares the cells of all partitions for work.
  void fit_parts(const Work& work);
  void step(LifeRule rule, std::uint32_t times, bool last);
  /// A step that records each piece.
  void recorded_step(LifeRule rule);
  /// A generation that is rolled back.
  void step_and_roll_back(LifeRule rule);
  /// Rolls back to the previous generation.
  void roll_back();
  void begin_timing() {
    for (FractalPartition* const part : own_) part->begin_timing();
  }
  void end_timing() {
    for (FractalPartition* const part : own_) part->end_timing();
  }
  /// Waits for all enqueued work. Returns the milliseconds of the slowest device for the timed work.
  double wait();
  /// Exchanges the halos after cells changed by something other than a generation.
  void exchange_halos();
  bool shared() const { return count_ > parts_.size(); }
  /// The number of generations per exchange that all partitions support, including those of other processes.
  std::uint32_t agree_on_generations_per_exchange();

  FractalConfig config_;
  TiledFractal fractal_;
  std::vector<std::unique_ptr<FractalPartition>> parts_;
  std::vector<FractalPartition*> own_;
  std::uint32_t count_;
  bool on_devices_ = true;  ///< true if every own partition is on a device
  /// If several partitions are on devices; partitions of the CPU share its threads.
  std::unique_ptr<PartitionThreads> threads_;
  std::unique_ptr<HaloExchange> exchange_;
  std::uint32_t max_generations_per_exchange_ = 1;
  std::uint64_t generation_ = 0;
  bool halos_valid_ = false;  ///< the partitions' halos match their current cells
  std::unique_ptr<ImageCompositor> picture_;
  FrameReport pending_frame_;
  bool is_enqueued_ = false;  ///< the work that pending_frame_ reports is in progress
  bool image_pending_ = false;
  std::optional<Coord64> probe_;
};

}  // namespace loom
