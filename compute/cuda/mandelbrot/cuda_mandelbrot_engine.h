#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/coord.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/launch_slices.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/dp/dp_launches.h"
#include "compute/cuda/mandelbrot/dwell_images.h"
#include "compute/cuda/mandelbrot/dwell_memory.h"
#include "compute/cuda/mandelbrot/dwell_state.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/row_gather.h"
#include "compute/cuda/stream.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom::cuda {

/// Dwells on one CUDA device, on one stream. Every public call makes its device current.
class CudaMandelbrotEngine final : public MandelbrotPartition {
 public:
  /// Computes this partition of the rows of every image; `slices` are those of single precision. `device`
  /// must be current. Throws DeviceFault.
  CudaMandelbrotEngine(int device, const RowPartition& share, const LaunchSlices& slices);
  ~CudaMandelbrotEngine() override;
  CudaMandelbrotEngine(const CudaMandelbrotEngine&) = delete;
  CudaMandelbrotEngine& operator=(const CudaMandelbrotEngine&) = delete;

  std::string backend_name() const override { return name_; }
  std::uint64_t allocated_bytes() const override;
  MandelbrotReport compute(const MandelbrotConfig& config, const MandelbrotView& view,
                           Regions regions) override;
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineOptions& options) override;
  const MandelbrotConfig& config() const override { return held_.config; }
  const MandelbrotView& view() const override { return held_.view; }
  std::span<const RowRange> rows() const override {
    return holds_image_ ? held_.rows : std::span<const RowRange>();
  }
  std::span<const MandelbrotRegion> regions() const override { return regions_; }
  ImageView image(MemorySpace space) override;
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> dwells) const override;
  void count_dwells(std::span<std::uint64_t> counts) const override;
  SmoothReport compute_smooth() override;
  ImageView smooth_image(MemorySpace space) override;
  DwellDifferences count_differences(std::size_t max_places) const override;
  void set_distribution(const DwellDistribution* distribution) override;
  void record_costs(bool note) override { records_costs_ = note; }
  std::span<const std::uint32_t> region_costs() const override;
  /// The other partitions must be on CUDA devices.
  std::optional<ImageView> whole_image(std::span<const PartitionRows> others, bool smooth,
                                       MemorySpace space) override;

 private:
  void use_device() const;
  /// An estimate of the largest number of steps of a pixel, for LaunchSlices.
  std::uint32_t steps_of_pixel(const MandelbrotConfig& config) const;
  void make_room(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions);
  /// Transfers the tables that a partition's launches begin with to the device.
  void write_share();
  void write_first_places();
  template <typename Evaluator, typename Dwell>
  void enqueue(DwellTask<Evaluator, Dwell> task, Regions regions, const ProgressScope& call);
  template <typename Evaluator, typename Dwell>
  void enqueue_exhaustive(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call);
  /// The axis and the rows below it, for a mirrored image.
  template <typename Evaluator, typename Dwell>
  void enqueue_mirror(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call);
  /// Processes the levels before `end` as ASK does.
  template <typename Evaluator, typename Dwell>
  void enqueue_levels(const DwellTask<Evaluator, Dwell>& task, std::uint32_t end, const ProgressScope& call);
  template <typename Evaluator, typename Dwell>
  void enqueue_dp(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call);
  DwellSlices slices_for(const MandelbrotConfig& config) const;
  DwellSlices slices(const ProgressScope& call) const;
  /// The same for a computation, whose launches are counted.
  DwellSlices counted_slices(const ProgressScope& call);
  /// The tables that one level of ASK reads and writes, and the limits of its launches.
  AskTables ask_tables(std::uint32_t level) const;
  AskLaunch ask_launch(std::uint32_t level) const;
  /// The tables of level 0.
  DpRoots dp_roots() const;
  DpState dp_state(const DpRoots& roots) const;
  /// Enqueues the configuration of the last computation by instrumented copies. Returns their launches; the
  /// numbers of thread blocks of device launches are not set yet.
  template <typename Dwell>
  std::vector<TimelineLaunch> enqueue_recorded(const DwellTask<Direct<float>, Dwell>& task,
                                               const RecordingView& to, const SpanWindow& window);
  /// Lists the pixels that a computation leaves as kLongOrbit.
  template <typename Evaluator>
  void enqueue_long_list(const DwellTask<Evaluator, std::uint32_t>& task);
  /// Computes them; reads the progress again.
  template <typename Evaluator>
  void complete_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, MandelbrotReport& report,
                            const ProgressScope& call);
  /// The task with the list of uncertain pixels, if it has one.
  template <typename Evaluator, typename Dwell>
  DwellTask<Evaluator, Dwell> with_uncertain_list(DwellTask<Evaluator, Dwell> task) const;
  /// Computes the uncertain pixels of an exact computation again; `report` has the stats of the perturbation.
  template <bool kWide>
  void correct(MandelbrotReport& report, const ProgressScope& call);
  void record(std::size_t event);
  double milliseconds_between(std::size_t first, std::size_t last) const;
  MandelbrotReport read_report();
  void read_regions();

  /// Counters of all levels, then the number of listed regions and that of launches from the device.
  struct Progress {
    LevelCounters levels[kMaxSubdivisionLevels];
    unsigned long long regions_listed;
    unsigned long long launches;
    unsigned long long long_orbits;  ///< pixels that a perturbed computation has left
    unsigned long long uncertain;    ///< pixels of an exact computation
    unsigned long long undecided;    ///< of these, with two doubles
    int launch_error;
  };

  RowPartition share_;
  DwellState held_;
  std::vector<RowRange> next_rows_;  ///< rows of a computation whose memory is not allocated yet
  int device_ = 0;
  int multiprocessors_ = 1;
  LaunchSlices slices_;         ///< for single precision
  std::uint64_t double_ratio_;  ///< factor between the limits of single and double precision
  std::string name_;
  Stream stream_;
  std::vector<cudaEvent_t> events_;
  std::unique_ptr<CustomKernels> custom_;  ///< of the last custom formula
  DwellMemory dwells_;
  DevicePerturbation perturbation_;
  DeviceBuffer<Coord32> tables_[2];
  DeviceBuffer<RegionJob> jobs_;
  DeviceBuffer<std::uint64_t> warp_tables_;  ///< laid out by WarpTables
  bool by_warps_ = false;                    ///< ASK: the warps of all thread blocks share the regions
  DpLaunches dp_;
  std::uint32_t dp_level_ = 0;  ///< the first level that the device launches; the host launches those above
  DeviceBuffer<MandelbrotRegion> region_list_;
  DeviceBuffer<Progress> progress_;
  PinnedBuffer<Progress> host_progress_;
  DeviceBuffer<Coord32> long_orbits_;  ///< pixels, of a perturbed computation
  DeviceBuffer<Coord32> uncertain_;    ///< pixels, of an exact computation
  std::vector<MandelbrotRegion> regions_;
  bool holds_image_ = false;
  double last_milliseconds_ = 0;  ///< duration of the last computation
  std::uint64_t launches_ = 0;    ///< from the host, of the last computation
  DwellImages images_;
  // For a partition, or for an image whose first regions are launched in parts; on the device, the tables
  /// Rows.
  // that launches begin with.
  std::vector<RowRange> computed_;
  /// Parts of these rows, as high as a thread block, for the exhaustive method.
  std::vector<RowRange> pieces_;
  std::vector<Coord32> first_places_;
  std::optional<Subdivision> places_of_;  ///< the subdivision of the table on the device; nothing if the work
                                          ///< distribution has changed
  bool records_costs_ = false;
  bool has_costs_ = false;  ///< for the last computation
  DeviceBuffer<std::uint32_t> costs_;
  PinnedBuffer<std::uint32_t> host_costs_;
  DeviceBuffer<RowRange> device_pieces_;
  DeviceBuffer<Coord32> device_places_;
  PinnedBuffer<unsigned long long> first_entries_;
  RowGather gathering_;
  std::vector<PartitionImage> others_;  ///< images whose rows are gathered
};

}  // namespace loom::cuda
