#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "compute/cpu/mandelbrot/dwell_batch.h"
#include "compute/cpu/mandelbrot/region_recorder.h"
#include "compute/cpu/mandelbrot/region_work.h"
#include "compute/cpu/mandelbrot/smooth_image.h"
#include "compute/cpu/page_buffer.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/subdivision.h"
#include "compute/perturbation/perturbation.h"

namespace loom::cpu {

/// Dwells on the CPU, on OpenMP threads: exhaustive row by row, DP by recursive tasks, ASK level by level.
/// One thread processes a region, so that SBR and MBR are the same; dwells are stored as uint16 wherever the
/// limit allows it; block shape and queue have no effect.
class CpuMandelbrotEngine final : public MandelbrotPartition {
 public:
  /// Computes this partition of the rows of every image.
  explicit CpuMandelbrotEngine(const RowPartition& share = {}) : share_(share) {}
  std::string backend_name() const override;
  std::uint64_t allocated_bytes() const override;
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override;
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineOptions& options) override;
  const MandelbrotConfig& config() const override { return config_; }
  const MandelbrotView& view() const override { return view_; }
  std::span<const RowRange> rows() const override {
    return holds_image_ ? rows_ : std::span<const RowRange>();
  }
  std::span<const MandelbrotRegion> regions() const override { return {regions_.data(), regions_listed_}; }
  ImageView image(MemorySpace space) override;
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const override;
  void count_dwells(std::span<std::uint64_t> counts) const override;
  SmoothReport compute_smooth() override { return smooth_.compute(*this, perturbation_, monitor_); }
  ImageView smooth_image(MemorySpace space) override;
  DwellDifferences count_differences(std::size_t max_places) const override;
  void set_distribution(const DwellDistribution* distribution) override {
    share_.distribution = distribution;
  }
  void record_costs(bool note) override { records_costs_ = note; }
  std::span<const std::uint32_t> region_costs() const override { return costs_; }
  /// Returns nothing: partitions of the CPU are gathered in host memory.
  std::optional<ImageView> whole_image(std::span<const PartitionRows>, bool, MemorySpace) override {
    return {};
  }

 private:
  /// Counts of one thread by level, on cache lines of their own.
  struct alignas(64) Tally {
    std::vector<MandelbrotLevel> levels;
    std::uint64_t tasks = 0;
  };

  /// Allocates memory for the rows of the view that are held.
  void make_room();
  std::uint64_t bytes_of_rows(const std::vector<RowRange>& rows) const;
  /// Calls use(image) with the dwells as DwellImage<uint16> or DwellImage<uint32>.
  template <typename Use>
  auto with_dwells(const Use& use) const;
  /// Computes the uncertain pixels of an exact computation by Evaluator again. Returns the milliseconds that
  /// the reference took.
  template <typename Evaluator, typename Dwell>
  double correct(const DwellImage<Dwell>& image, MandelbrotReport& report, const ProgressScope& call);
  /// Calls use(evaluator) with the evaluator of the configuration and the view.
  template <typename Use>
  auto with_evaluator(const Use& use) const;
  std::size_t dwell_bytes() const {
    return fits_narrow(config_) ? sizeof(std::uint16_t) : sizeof(std::uint32_t);
  }
  // Recorder records spans, or does nothing (region_recorder.h).
  template <typename Recorder>
  MandelbrotReport compute_with(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions,
                                Recorder& recorder);
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_as(const Evaluator& grid, const DwellImage<Dwell>& image, MandelbrotReport& report,
                  Regions regions, const ProgressScope& call, Recorder& recorder);
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_rows(const Evaluator& grid, const DwellImage<Dwell>& image, const ProgressScope& call,
                    Recorder& recorder);
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_by_level(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                        Regions regions, const ProgressScope& call, MandelbrotReport& report,
                        Recorder& recorder);
  /// Adds to the cost of the first region that contains the given region.
  void note_cost(const Subdivision& cut, std::uint32_t level, Coord32 place, std::uint64_t begin);
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_by_recursion(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                            Regions regions, const ProgressScope& call, Recorder& recorder);
  template <typename Evaluator, typename Dwell, typename Recorder>
  void compute_in_task(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
                       const RegionSpan& span, Coord32 place, Regions regions, const ProgressScope& call,
                       Recorder& recorder);
  /// The real axis and the rows below it, for an image whose upper half is computed.
  template <typename Evaluator, typename Dwell>
  void mirror(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut,
              const ProgressScope& call);
  /// Processes the region at `place` of a level and counts it. Returns true if it must be split. `span` gives
  /// the region's launch and number; its `id` is set.
  template <typename Evaluator, typename Dwell, typename Recorder>
  bool visit(const Evaluator& grid, const DwellImage<Dwell>& image, const Subdivision& cut, RegionSpan& span,
             Coord32 place, Regions regions, const ProgressScope& call, Recorder& recorder);
  void add_tallies(const Subdivision& cut, MandelbrotReport& report) const;
  template <typename Evaluator, typename Dwell>
  DwellDifferences differences_as(const Evaluator& grid, const DwellImage<Dwell>& image,
                                  std::size_t max_places) const;

  RowPartition share_;
  MandelbrotConfig config_;
  MandelbrotView view_;
  std::vector<RowRange> rows_;       ///< rows that are held
  std::vector<RowRange> next_rows_;  ///< rows of a computation whose memory is not allocated yet
  std::vector<RowRange> pieces_;     ///< chunks of rows that threads process
  std::vector<Coord32> first_regions_;
  bool records_costs_ = false;
  /// Of first regions, in units of 16 ns, of the last computation that recorded them.
  std::vector<std::uint32_t> costs_;
  std::uint64_t bytes_ = 0;  ///< size of dwells_
  std::optional<PageBuffer> dwells_;
  /// The rows that dwells_ has pages for; pages of rows outside of the current partition are released.
  std::vector<RowRange> rows_in_memory_;
  std::uint32_t width_in_memory_ = 0;
  Perturbation perturbation_;
  std::vector<Coord32> uncertain_;          ///< pixels, of an exact computation
  unsigned long long uncertain_count_ = 0;  ///< more than the list has room for are possible
  SmoothImage smooth_;
  bool holds_image_ = false;
  std::vector<Coord32> olt_read_;
  std::vector<Coord32> olt_write_;
  std::vector<Tally> tallies_;
  std::vector<MandelbrotRegion> regions_;
  std::atomic<std::uint64_t> next_region_ = 0;
  std::uint64_t regions_listed_ = 0;
};

}  // namespace loom::cpu
