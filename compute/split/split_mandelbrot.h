#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/engine/mandelbrot_part.h"
#include "compute/split/part_threads.h"
#include "compute/split/ranks.h"

namespace loom {

/// The Mandelbrot set over several devices, of this process or of a run's: one engine for whoever uses it.
/// Each part computes and holds its share of the rows (dwell_share.h), which is dealt out by what the last
/// frame cost; they meet on the device of the first part, where it reaches the others' memory, or on the
/// host.
///
/// Of several processes the first one leads: it calls what it likes, and the others follow() it, so that
/// whatever is made of a picture is made of the whole.
class SplitMandelbrotEngine final : public MandelbrotEngine {
 public:
  /// `parts` are this process' own, at least one, of a share each. `together` where they work each on a
  /// device of its own, and so at the same time. `ranks` null: there are no others; else all processes make
  /// one, with a part each.
  SplitMandelbrotEngine(std::vector<std::unique_ptr<MandelbrotPart>> parts, bool together,
                        const Ranks* ranks);
  /// Ends those who follow.
  ~SplitMandelbrotEngine() override;
  SplitMandelbrotEngine(const SplitMandelbrotEngine&) = delete;
  SplitMandelbrotEngine& operator=(const SplitMandelbrotEngine&) = delete;

  /// In every process but the first: does what the first one's engine is asked for, until that is no more.
  /// What goes wrong here beside a computation is thrown; what goes wrong in one, the first one throws.
  void follow();

  std::string backend_name() const override;
  /// In this process.
  std::uint64_t bytes_held() const override;
  /// The time is that of the call, until all have ended; a level's that of the slowest part. Of several
  /// processes: throws MachineError with the rank where one of them lacks something.
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override;
  /// Throws InputError: a timeline is of one device.
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineWish& wish) override;
  const MandelbrotConfig& config() const override { return config_; }
  const MandelbrotView& view() const override { return view_; }
  std::span<const RowRange> rows() const override { return rows_; }
  std::span<const MandelbrotPartTime> part_times() const override { return times_; }
  std::span<const RowRange> rows_of_part(std::size_t part) const override { return parts_[part]->rows(); }
  std::span<const MandelbrotRegion> regions() const override { return regions_; }
  ImageView image(MemorySpace space) override;
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const override;
  void count_dwells(std::span<std::uint64_t> counts) const override;
  SmoothReport compute_smooth() override;
  ImageView smooth_image(MemorySpace space) override;
  void compute_julia(const JuliaView& view, std::span<std::uint16_t> out) override;
  DwellDifferences count_differences(std::size_t most_places) const override;

 private:
  /// What the first process has all others do.
  struct Order;
  void give(const Order& order) const;
  void obey(const Order& order);

  /// Calls use(part, number) for each of this process' own.
  template <typename Use>
  void for_each_part(const Use& use) const;
  /// The parts of this process, together; `watch_` sees the first of them.
  void compute_parts(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions,
                     MandelbrotReport& report);
  /// By what the parts noted; the next computation follows it.
  void deal(const Subdivision& cut);
  MandelbrotReport compute_all(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions);
  void sum_over_ranks(MandelbrotReport& report) const;
  void collect_regions();
  /// Of all processes, one after the other.
  std::vector<std::uint64_t> collect(const std::vector<std::uint64_t>& own) const;
  void read_rows(std::uint32_t first_row, std::span<std::uint32_t> dwells) const;
  void count_all(std::span<std::uint64_t> counts) const;
  std::uint64_t smooth_all();
  /// The parts' present ones.
  void keep_rows(std::vector<PartRows>& of_image) const;
  /// The rows of all parts, of images that make(part) gives.
  /// On the first part's device; nothing where that cannot be.
  std::optional<ImageView> whole_image(bool smooth, MemorySpace space);
  template <typename Value, typename Make>
  void join(std::vector<Value>& pixels, const MandelbrotView& view, const std::vector<PartRows>& parts,
            const Make& make);
  DwellDifferences differences_of_all(std::size_t most_places) const;

  std::vector<std::unique_ptr<MandelbrotPart>> parts_;
  const Ranks* ranks_;
  mutable std::unique_ptr<PartThreads> threads_;  ///< null: one part after the other
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;
  std::vector<MandelbrotRegion> regions_;
  std::vector<std::uint16_t> pixels_;
  std::vector<std::uint32_t> smooth_;
  bool holds_smooth_ = false;
  bool smooth_joined_ = false;  ///< smooth_ has it too, not only the parts
  // The rows that each part has of its images: of the smooth one they stay while other dwells are computed.
  std::vector<PartRows> image_rows_;
  std::vector<PartRows> smooth_rows_;
  MandelbrotView smooth_view_;
  std::vector<MandelbrotPartTime> times_;
  std::vector<MandelbrotReport> reports_;  ///< of the parts
  std::vector<Watch> watches_;             ///< of all but the first
  DwellDeal deal_;
  std::vector<std::uint32_t> costs_;
  /// What the deal was made from; nothing: from another configuration, or not at all.
  struct Dealt {
    MandelbrotConfig config;
    MandelbrotView view;
    friend bool operator==(const Dealt&, const Dealt&) = default;
  };
  std::optional<Dealt> dealt_;
};

}  // namespace loom
