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

/// The Mandelbrot set, distributed over several devices of this process or of a run's processes, behind the
/// interface of one engine. Each partition computes and holds its rows (dwell_share.h), which are distributed
/// by the costs of the last frame. The rows are gathered on the device of the first partition if it can
/// access the other devices' memory, otherwise on the host.
///
/// With several processes, the first process makes the calls, and the others execute them in follow(), so
/// that every result covers the whole image.
class SplitMandelbrotEngine final : public MandelbrotEngine {
 public:
  /// `parts` are this process's own partitions, at least one. `together`: each is on a device of its own, so
  /// that they work concurrently. `ranks` is null for a single process; otherwise all processes construct an
  /// engine with one partition each.
  SplitMandelbrotEngine(std::vector<std::unique_ptr<MandelbrotPart>> parts, bool together,
                        const Ranks* ranks);
  /// Ends follow() in the other processes.
  ~SplitMandelbrotEngine() override;
  SplitMandelbrotEngine(const SplitMandelbrotEngine&) = delete;
  SplitMandelbrotEngine& operator=(const SplitMandelbrotEngine&) = delete;

  /// In every process but the first: executes the calls of the first process's engine until it is destroyed.
  /// Errors outside of a computation are thrown here; errors of a computation are thrown in the first
  /// process.
  void follow();

  std::string backend_name() const override;
  /// In this process.
  std::uint64_t bytes_held() const override;
  /// The time is that of the call, until all partitions have ended; the time of a level is that of the
  /// slowest partition. With several processes: throws MachineError with the rank if one of them lacks a
  /// resource.
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override;
  /// Throws InputError: a timeline covers a single device.
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
  /// A command of the first process to all others.
  struct Order;
  void give(const Order& order) const;
  void obey(const Order& order);

  /// Calls use(part, number) for each of this process's own partitions.
  template <typename Use>
  void for_each_part(const Use& use) const;
  /// Runs this process's partitions concurrently; `watch_` monitors the first of them.
  void compute_parts(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions,
                     MandelbrotReport& report);
  /// Computes the work distribution for the next computation from the recorded costs.
  void deal(const Subdivision& cut);
  MandelbrotReport compute_all(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions);
  void sum_over_ranks(MandelbrotReport& report) const;
  void collect_regions();
  /// The values of all processes, one after the other.
  std::vector<std::uint64_t> collect(const std::vector<std::uint64_t>& own) const;
  void read_rows(std::uint32_t first_row, std::span<std::uint32_t> dwells) const;
  void count_all(std::span<std::uint64_t> counts) const;
  std::uint64_t smooth_all();
  /// The partitions' current rows.
  void keep_rows(std::vector<PartRows>& of_image) const;
  /// The rows of all partitions of the image, on the first partition's device; nothing if that is not
  /// possible.
  std::optional<ImageView> whole_image(bool smooth, MemorySpace space);
  template <typename Value, typename Make>
  void join(std::vector<Value>& pixels, const MandelbrotView& view, const std::vector<PartRows>& parts,
            const Make& make);
  DwellDifferences differences_of_all(std::size_t most_places) const;

  std::vector<std::unique_ptr<MandelbrotPart>> parts_;
  const Ranks* ranks_;
  mutable std::unique_ptr<PartThreads> threads_;  ///< null: one partition after the other
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;
  std::vector<MandelbrotRegion> regions_;
  std::vector<std::uint16_t> pixels_;
  std::vector<std::uint32_t> smooth_;
  bool holds_smooth_ = false;
  bool smooth_joined_ = false;  ///< smooth_ has the gathered image, not only the partitions' rows
  // The rows of each partition's images. Those of the smooth image are kept while other dwells are computed.
  std::vector<PartRows> image_rows_;
  std::vector<PartRows> smooth_rows_;
  MandelbrotView smooth_view_;
  std::vector<MandelbrotPartTime> times_;
  std::vector<MandelbrotReport> reports_;  ///< one per partition
  std::vector<Watch> watches_;             ///< for all partitions but the first
  DwellDeal deal_;
  std::vector<std::uint32_t> costs_;
  /// The configuration that the work distribution was computed for; nothing if there is none or it is
  /// outdated.
  struct Dealt {
    MandelbrotConfig config;
    MandelbrotView view;
    friend bool operator==(const Dealt&, const Dealt&) = default;
  };
  std::optional<Dealt> dealt_;
};

}  // namespace loom
