#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/distributed/partitioning.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// The Mandelbrot set, distributed over several devices of this process or of a run's processes, behind the
/// interface of one engine. Each partition computes and holds its rows (row_partition.h), which are
/// distributed by the costs of the last frame. The rows are gathered on the device of the first partition if
/// it can access the other devices' memory, otherwise on the host.
///
/// With several processes, the first process makes the calls, and the others execute them in
/// execute_commands(), so that every result covers the whole image.
class DistributedMandelbrotEngine final : public MandelbrotEngine {
 public:
  /// `parts` are this process's own partitions, at least one. `together`: each is on a device of its own, so
  /// that they work concurrently. `ranks` is null for a single process; otherwise all processes construct an
  /// engine with one partition each.
  DistributedMandelbrotEngine(std::vector<std::unique_ptr<MandelbrotPartition>> parts, bool together,
                              const ProcessGroup* ranks);
  /// Ends execute_commands() in the other processes.
  ~DistributedMandelbrotEngine() override;
  DistributedMandelbrotEngine(const DistributedMandelbrotEngine&) = delete;
  DistributedMandelbrotEngine& operator=(const DistributedMandelbrotEngine&) = delete;

  /// In every process but the first: executes the calls of the first process's engine until it is destroyed.
  /// Errors outside of a computation are thrown here; errors of a computation are thrown in the first
  /// process.
  void execute_commands();

  std::string backend_name() const override;
  /// In this process.
  std::uint64_t allocated_bytes() const override;
  /// The time is that of the call, until all partitions have ended; the time of a level is that of the
  /// slowest partition. With several processes: throws MachineError with the rank if one of them lacks a
  /// resource.
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override;
  /// Throws InputError: a timeline covers a single device.
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineOptions& options) override;
  const MandelbrotConfig& config() const override { return config_; }
  const MandelbrotView& view() const override { return view_; }
  std::span<const RowRange> rows() const override { return rows_; }
  std::span<const MandelbrotPartitionTime> partition_times() const override { return times_; }
  std::span<const RowRange> rows_of_partition(std::size_t part) const override {
    return parts_[part]->rows();
  }
  std::span<const MandelbrotRegion> regions() const override { return regions_; }
  ImageView image(MemorySpace space) override;
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const override;
  void count_dwells(std::span<std::uint64_t> counts) const override;
  SmoothReport compute_smooth() override;
  ImageView smooth_image(MemorySpace space) override;
  DwellDifferences count_differences(std::size_t max_places) const override;

 private:
  /// A command of the first process to all others.
  struct Command;
  void broadcast_command(const Command& command) const;
  /// `decimal`: of kCompute, the numbers of a decimal view.
  void execute(const Command& command, const std::string& texts);
  void join_image();

  /// Calls use(part, number) for each of this process's own partitions.
  template <typename Use>
  void for_each_part(const Use& use) const;
  /// Runs this process's partitions concurrently; `monitor_` monitors the first of them.
  void compute_parts(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions,
                     MandelbrotReport& report);
  /// Computes the work distribution for the next computation from the recorded costs.
  void redistribute(const Subdivision& cut);
  MandelbrotReport compute_all(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions);
  void sum_over_ranks(MandelbrotReport& report) const;
  void collect_regions();
  void read_rows(std::uint32_t first_row, std::span<std::uint32_t> dwells) const;
  void count_all(std::span<std::uint64_t> counts) const;
  std::uint64_t smooth_all();
  /// The partitions' current rows.
  void keep_rows(std::vector<PartitionRows>& of_image) const;
  /// The rows of all partitions of the image, on the first partition's device; nothing if that is not
  /// possible.
  std::optional<ImageView> whole_image(bool smooth, MemorySpace space);
  template <typename Value, typename Make>
  void join(std::vector<Value>& pixels, const MandelbrotView& view, const std::vector<PartitionRows>& parts,
            const Make& make);
  DwellDifferences differences_of_all(std::size_t max_places) const;

  std::vector<std::unique_ptr<MandelbrotPartition>> parts_;
  const ProcessGroup* ranks_;
  mutable std::unique_ptr<PartitionThreads> threads_;  ///< null: one partition after the other
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;
  std::vector<MandelbrotRegion> regions_;
  std::vector<std::uint16_t> pixels_;
  std::vector<std::uint32_t> wide_pixels_;  ///< for dwell limits above kMaxNarrowLimit
  std::vector<std::uint32_t> smooth_;
  bool holds_smooth_ = false;
  bool smooth_joined_ = false;  ///< smooth_ has the gathered image, not only the partitions' rows
  // The rows of each partition's images. Those of the smooth image are kept while other dwells are computed.
  std::vector<PartitionRows> image_rows_;
  std::vector<PartitionRows> smooth_rows_;
  MandelbrotView smooth_view_;
  std::vector<MandelbrotPartitionTime> times_;
  std::vector<MandelbrotReport> reports_;  ///< one per partition
  std::vector<ProgressMonitor> watches_;   ///< for all partitions but the first
  DwellDistribution distribution_;
  std::vector<std::uint32_t> costs_;
  /// The configuration that the work distribution was computed for; nothing if there is none or it is
  /// outdated.
  struct DistributionKey {
    MandelbrotConfig config;
    MandelbrotView view;
    friend bool operator==(const DistributionKey&, const DistributionKey&) = default;
  };
  std::optional<DistributionKey> distribution_key_;
};

}  // namespace loom
