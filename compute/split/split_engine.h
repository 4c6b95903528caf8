#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "compute/engine/fractal_engine.h"
#include "compute/engine/whole_frame.h"
#include "compute/geometry/blocked_fractal.h"
#include "compute/split/fractal_part.h"
#include "compute/split/part_exchange.h"
#include "compute/split/part_picture.h"
#include "compute/split/part_threads.h"

namespace loom {

/// Life on the compact map, distributed over several devices of this process and of other processes, behind
/// the interface of one engine. If several processes take part, all must make the same calls in the same
/// order; sums and cells that are read are then the same in all of them.
class SplitEngine final : public FractalEngine {
 public:
  /// `parts` are this process's own partitions, at least one; `count` is the number of partitions of all
  /// processes. `picture` composes images from device memory; null, or if partitions do not support it:
  /// images are composed in host memory.
  SplitEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPart>> parts,
              std::uint32_t count, std::unique_ptr<PartExchange> exchange,
              std::unique_ptr<PartPicture> picture = nullptr);
  ~SplitEngine() override;

  /// The largest number of generations between two exchanges.
  std::uint32_t most_at_once() const { return most_at_once_; }
  const FractalConfig& config() const override { return config_; }
  std::string backend_name() const override;
  void wait_until_fast() const override;
  bool is_fast() const override;
  std::uint64_t cell_count() const override { return fractal_.cells; }
  std::uint64_t bytes_held() const override;
  std::uint64_t generation() const override { return generation_; }
  StepReport reset(const RandomStart& start) override;
  StepReport clear() override;
  StepReport run(std::uint32_t times, const Work& work) override;
  /// If partitions have no sums on devices, the image is in host memory whatever `space` is; the image says
  /// so.
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<bool> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  void begin_frame(const FrameWish& wish) override;
  FrameReport end_frame() override;
  void wait_for_begun() const override;
  Census census() const override;
  ThreadCount count_threads() const override;
  /// Throws InputError: a timeline covers a single device.
  Timeline record_timeline(const TimelineWish& wish) override;
  DeviceTimes record_devices(LifeRule rule) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void read_bits(std::span<std::uint8_t> bits) const override;
  void write_bits(std::span<const std::uint8_t> bits) override;
  void set_generation(std::uint64_t generation) override;

 private:
  /// Calls `use(partition's engine)` for each partition, monitored as this engine is.
  template <typename Use>
  void for_each_part(const WatchedCall& call, const Use& use) const;
  /// The same for all partitions concurrently if they are on devices and no monitor is set. (A monitor covers
  /// one call at a time.)
  template <typename Use>
  void in_all_parts(const WatchedCall& call, const Use& use) const;
  /// reset() or clear() of all partitions or, if cancelled, of none.
  template <typename Use>
  void renew_all(const Use& use);
  /// Combines the reads of all partitions; `read(part, bytes)` reads one partition with all other cells dead.
  template <typename Read>
  void read_all(std::span<std::uint8_t> bytes, const Read& read) const;
  void step(LifeRule rule, std::uint32_t times, bool last);
  /// A step that records each piece.
  void recorded_step(LifeRule rule);
  /// A generation that is rolled back.
  void step_in_vain(LifeRule rule);
  /// Rolls back to the previous generation.
  void take_back();
  void begin_timing();
  void end_timing();
  /// Waits for all enqueued work. Returns the milliseconds of the slowest device for the timed work.
  double wait();
  /// Exchanges the halos after cells changed by something other than a generation.
  void renew_copies();
  bool shared() const { return count_ > parts_.size(); }
  /// The number of generations per exchange that all partitions support, including those of other processes.
  std::uint32_t agree_on_most_at_once();

  FractalConfig config_;
  BlockedFractal fractal_;
  std::vector<std::unique_ptr<FractalPart>> parts_;
  std::vector<FractalPart*> own_;
  std::uint32_t count_;
  bool on_devices_ = true;  ///< true if every own partition is on a device
  /// If several partitions are on devices; partitions of the CPU share its threads.
  std::unique_ptr<PartThreads> threads_;
  std::unique_ptr<PartExchange> exchange_;
  std::uint32_t most_at_once_ = 1;
  std::uint64_t generation_ = 0;
  bool copies_hold_ = false;  ///< the partitions' halos match their current cells
  std::unique_ptr<PartPicture> picture_;
  FrameReport begun_;
  bool is_enqueued_ = false;  ///< the work that begun_ reports is in progress
  bool is_pictured_ = false;
  std::optional<Coord64> probe_;
};

}  // namespace loom
