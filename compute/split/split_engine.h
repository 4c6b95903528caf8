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

/// Life on the compact map over several devices, of this process and of others: one engine for whoever uses
/// it. Where several processes share it, all of them make the same calls in the same order; sums and cells
/// that are read are then the same in all.
class SplitEngine final : public FractalEngine {
 public:
  /// `parts` are this process' own, at least one; `count` those of all processes. `picture` is one for parts
  /// that have sums on devices; null, or where they have not: pictures are added up in host memory.
  SplitEngine(const FractalConfig& config, std::vector<std::unique_ptr<FractalPart>> parts,
              std::uint32_t count, std::unique_ptr<PartExchange> exchange,
              std::unique_ptr<PartPicture> picture = nullptr);
  ~SplitEngine() override;

  /// How many generations the parts make between two exchanges, at most.
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
  /// Where parts have no sums on devices, into host memory, whatever `space` is: the image says so.
  StepReport resolve(const Viewport& viewport, MemorySpace space, ImageView& image) override;
  std::optional<bool> cell(Coord64 expanded) const override;
  std::uint64_t edit(std::span<const CellEdit> edits) override;
  void begin_frame(const FrameWish& wish) override;
  FrameReport end_frame() override;
  void wait_for_begun() const override;
  Census census() const override;
  ThreadCount count_threads() const override;
  /// Throws InputError: a timeline is of one device.
  Timeline record_timeline(const TimelineWish& wish) override;
  DeviceTimes record_devices(LifeRule rule) override;
  void read_cells(std::uint64_t first, std::span<std::uint8_t> cells) const override;
  void write_cells(std::uint64_t first, std::span<const std::uint8_t> cells) override;
  void read_bits(std::span<std::uint8_t> bits) const override;
  void write_bits(std::span<const std::uint8_t> bits) override;
  void set_generation(std::uint64_t generation) override;

 private:
  /// Calls `use(part's engine)`, watched as this one is.
  template <typename Use>
  void for_each_part(const WatchedCall& call, const Use& use) const;
  /// The same for all at the same time, where parts have devices and nobody watches. (A watch is of one call
  /// at a time.)
  template <typename Use>
  void in_all_parts(const WatchedCall& call, const Use& use) const;
  /// reset() or clear() of all parts, or where it is cancelled of none.
  template <typename Use>
  void renew_all(const Use& use);
  /// What all parts read, as `read(part, bytes)` does it, each with the others' cells dead.
  template <typename Read>
  void read_all(std::span<std::uint8_t> bytes, const Read& read) const;
  void step(LifeRule rule, std::uint32_t times, bool last);
  /// The same with each piece noted.
  void recorded_step(LifeRule rule);
  /// A generation that is taken back.
  void step_in_vain(LifeRule rule);
  /// After a generation: the one before.
  void take_back();
  void begin_timing();
  void end_timing();
  /// For all that is enqueued. What was timed took the device that took longest so many milliseconds.
  double wait();
  /// Exchanges what lies beside cuts, where something else than a generation changed the cells.
  void renew_copies();
  bool shared() const { return count_ > parts_.size(); }
  /// How many generations all parts make at once, those of other processes too.
  std::uint32_t agree_on_most_at_once();

  FractalConfig config_;
  BlockedFractal fractal_;
  std::vector<std::unique_ptr<FractalPart>> parts_;
  std::vector<FractalPart*> own_;
  std::uint32_t count_;
  bool on_devices_ = true;                ///< every own part
  std::unique_ptr<PartThreads> threads_;  ///< where several are on devices: those of a CPU share its threads
  std::unique_ptr<PartExchange> exchange_;
  std::uint32_t most_at_once_ = 1;
  std::uint64_t generation_ = 0;
  bool copies_hold_ = false;  ///< what the parts have of others is of their present cells
  std::unique_ptr<PartPicture> picture_;
  FrameReport begun_;
  bool is_enqueued_ = false;  ///< what begun_ reports is under way
  bool is_pictured_ = false;
  std::optional<Coord64> probe_;
};

}  // namespace loom
