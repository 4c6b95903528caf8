#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cpu/available_memory.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/dp/dp_launches.h"
#include "compute/cuda/mandelbrot/dwell_images.h"
#include "compute/cuda/mandelbrot/dwell_memory.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/record.h"
#include "compute/cuda/mandelbrot/region/region_steps.h"
#include "compute/cuda/mandelbrot/region/warp_tables.h"
#include "compute/cuda/mandelbrot/row_gather.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/map_code/code.h"

namespace loom::cuda {
namespace {

/// The most pixels that are listed at a time, and that are computed again with two doubles.
constexpr std::uint64_t kMaxListed = 1u << 22;

/// The ratio of single to double precision throughput.
std::uint64_t double_ratio(int device) {
  int ratio = 1;
  LOOM_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
  return static_cast<std::uint64_t>(std::max(1, ratio));
}

/// The launch plan of a computation by regions under a limit for the length of a launch, and the additional
/// memory that it needs. Not used by the exhaustive method.
struct LevelPlan {
  /// For dynamic parallelism: the level whose regions the host launches. Levels above it are processed as in
  /// ASK; the number of levels if all of them are.
  std::uint32_t dp_level = 0;
  bool chained = false;      ///< DP: launches are joined
  bool lists_roots = false;  ///< DP: the first regions of a whole image are launched in parts
  OltCapacity olts;
  std::uint64_t jobs = 0;
  std::uint64_t warp_words = 0;  ///< if the warps of all thread blocks share the regions: WarpTables::words()
  std::uint64_t bytes_beyond = 0;  ///< total that bytes_needed() does not count
};

/// Warps share the regions of all levels if there are at most this many.
constexpr std::uint64_t kMaxSharedRegions = 1u << 21;

/// `slices` are those of the configuration's precision; `steps`: of a pixel, as LaunchSlices counts them.
LevelPlan plan_levels(const MandelbrotConfig& config, const Subdivision& cut, std::uint32_t steps,
                      const LaunchSlices& slices) {
  LevelPlan plan;
  if (config.method == MandelbrotMethod::kExhaustive) return plan;
  Subdivision launched = cut;  // the levels that the host launches, and the level that the last of them lists
  if (config.method == MandelbrotMethod::kDp) {
    plan.dp_level = first_level_of_trees(cut, steps, config.scheme, config.block, slices);
    plan.chained = config.optimisations.join && plan.dp_level == 0;
    plan.lists_roots = plan.dp_level == 0 && slices.max_items(steps_of_tree(cut, 0, steps, config.block,
                                                                            slices)) < cut.first_regions();
    if (plan.dp_level == 0) {
      if (plan.chained) plan.olts = olt_capacity(cut, true);
      return plan;
    }
    launched.levels = std::min(cut.levels, plan.dp_level + 1);
  }
  if (config.method == MandelbrotMethod::kAsk && is_perturbed(config.precision) &&
      config.optimisations.queue && max_regions(cut) <= kMaxSharedRegions &&
      saturating_multiply(std::uint64_t{cut.width} * cut.height, steps) <= slices.most()) {
    plan.warp_words =
        WarpTables(cut, cut.first_regions(), warps_use_tiles(config.optimisations, config.fill)).words();
    plan.bytes_beyond += plan.warp_words * sizeof(std::uint64_t);
    return plan;
  }
  plan.olts = olt_capacity(launched, false);
  bool shared = config.scheme == RegionScheme::kMbr;
  for (std::uint32_t level = 0; level < launched.levels; ++level)
    shared = shared || RegionSteps(cut, level, steps, config.block, slices).within_is_long;
  if (shared) plan.jobs = max_jobs(launched);
  const bool dp = config.method == MandelbrotMethod::kDp;
  if (dp && !config.optimisations.join)
    plan.bytes_beyond += (plan.olts.even + plan.olts.odd) * sizeof(Coord32);
  if (dp || config.scheme == RegionScheme::kSbr) plan.bytes_beyond += plan.jobs * sizeof(RegionJob);
  return plan;
}

/// Dwells on one CUDA device, on one stream. Every public call makes its device current.
class CudaMandelbrotEngine final : public MandelbrotPartition {
 public:
  /// Computes this partition of the rows of every image; `slices` are those of single precision. `device`
  /// must be current. Throws DeviceFault.
  CudaMandelbrotEngine(int device, const RowPartition& share, const LaunchSlices& slices)
      : share_(share),
        device_(device),
        slices_(slices),
        double_ratio_(double_ratio(device)),
        dwells_(device),
        progress_(1),
        host_progress_(1),
        images_(device, slices_, stream_),
        first_entries_(1),
        gathering_(device, stream_) {
    cudaDeviceProp properties{};
    LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
    multiprocessors_ = properties.multiProcessorCount;
    name_ = fmt::format("cuda: {}", properties.name);
  }
  ~CudaMandelbrotEngine() override {
    for (const cudaEvent_t event : events_) LOOM_CUDA_QUIETLY(cudaEventDestroy(event));
  }

  std::string backend_name() const override { return name_; }
  std::uint64_t allocated_bytes() const override {
    return dwells_.size() + (tables_[0].size() + tables_[1].size()) * sizeof(Coord32) +
           jobs_.size() * sizeof(RegionJob) + warp_tables_.size() * sizeof(std::uint64_t) +
           (long_orbits_.size() + uncertain_.size()) * sizeof(Coord32) + dp_.allocated_bytes() +
           region_list_.size() * sizeof(MandelbrotRegion) + images_.allocated_bytes() +
           perturbation_.allocated_bytes();
  }
  MandelbrotReport compute(const MandelbrotConfig& requested, const MandelbrotView& view,
                           Regions regions) override {
    const MandelbrotConfig config = resolved(requested, view);
    validate(config, view);
    if (config.method == MandelbrotMethod::kDp && !fits_narrow(config) && !is_perturbed(config.precision)) {
      throw InputError(
          fmt::format("dwell limit {} is not allowed with dp and precision {} on a GPU; allowed: limits "
                      "up to {}, another method, or --center with a perturbed precision",
                      config.dwell_limit, name_of(config.precision), kMaxNarrowLimit));
    }
    use_device();
    if (is_perturbed(config.precision)) {
      if (is_perturbed(held_.config.precision)) holds_image_ = false;  // its evaluator is replaced
      perturbation_.prepare(config, view, cpu::orbit_memory(), monitor_, stream_);
    }
    if (config.set.formula == Formula::kCustom) {
      if (custom_ == nullptr || custom_->formula() != config.set.custom)
        custom_ = std::make_unique<CustomKernels>(config.set.custom, device_);
      custom_->begin(stream_);
    }
    make_room(config, view, regions);
    if (config.method == MandelbrotMethod::kDp) DpLaunches::make_room();
    regions_.clear();
    const ProgressScope call(monitor_, held_.cut.levels);
    call.check();
    do {
      held_.with_task<true>([&](const auto& task) { enqueue(task, regions, call); });
      stream_.wait();
    } while (DpLaunches::make_more_room(host_progress_.data()->launch_error));
    if (const int error = host_progress_.data()->launch_error) DpLaunches::throw_failed(error);
    if (config.set.formula == Formula::kCustom) custom_->check(stream_);
    holds_image_ = true;
    if (regions == Regions::kList && config.method != MandelbrotMethod::kExhaustive) read_regions();
    MandelbrotReport report = read_report();
    if (is_perturbed(config.precision)) report.perturbation = perturbation_.stats();
    if (host_progress_.data()->long_orbits > 0) {
      held_.with_task<true>([&](const auto& task) {
        if constexpr (std::decay_t<decltype(task.grid)>::kLeavesLongOrbits)
          complete_long_orbits(task, report, call);
      });
    }
    if (host_progress_.data()->uncertain > 0) {
      config.precision == Precision::kPerturbedWide ? correct<true>(report, call)
                                                    : correct<false>(report, call);
    }
    last_milliseconds_ = report.milliseconds;
    return report;
  }
  Timeline record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                           const TimelineOptions& options) override {
    loom::validate(options);
    if (!share_.is_whole()) throw InputError("a timeline covers a single device; allowed: one device");
    if (!config.set.is_mandelbrot()) {
      throw InputError(fmt::format(
          "no timeline of {} on a GPU; allowed: --formula mandelbrot without --julia, or --backend cpu",
          to_string(config.set)));
    }
    if (view.is_turned()) {
      throw InputError("no timeline of a turned view on a GPU; allowed: --angle 0, or --backend cpu");
    }
    if (resolve_precision(config.precision, view) != Precision::kFloat) {
      throw InputError("no timeline in double precision on a GPU; allowed: --precision float");
    }
    compute(config, view, Regions::kCount);  // allocates memory and sets the cut
    double plain_milliseconds = 0;
    const bool exhaustive = held_.config.method == MandelbrotMethod::kExhaustive;
    const SpanWindow window(exhaustive ? exhaustive_thread_blocks(held_.cut, held_.config.block) : 0,
                            options.max_spans);
    DeviceRecording recording(device_, exhaustive ? window.size() : options.max_spans, stream_);
    std::vector<TimelineLaunch> launches;
    for (int turn = 0; turn < 2;
         ++turn) {  // in the second turn both find code, memory and clock rates in the same state
      plain_milliseconds = compute(config, view, Regions::kCount).milliseconds;
      holds_image_ = false;
      recording.clear(stream_);
      const auto evaluator = make_direct<float>(held_.view);
      launches = held_.narrow()
                     ? enqueue_recorded(held_.task<std::uint16_t>(evaluator), recording.view(), window)
                     : enqueue_recorded(held_.task<std::uint32_t>(evaluator), recording.view(), window);
      stream_.wait();
      if (const int error = host_progress_.data()->launch_error) DpLaunches::throw_failed(error);
      holds_image_ = true;
    }
    Timeline timeline = exhaustive ? recording.read(window, stream_) : recording.read(stream_);
    const MandelbrotReport report = read_report();
    timeline.plain_milliseconds = plain_milliseconds;
    timeline.milliseconds = report.milliseconds;
    timeline.launches = std::move(launches);
    if (held_.config.method != MandelbrotMethod::kDp) return timeline;
    // Device launches were counted by region; regions without pixels have no launch.
    for (std::uint32_t i = 0; i < held_.cut.levels; ++i) {
      const MandelbrotLevel& level = report.levels[i];
      timeline.launches[0].blocks += level.regions;
      if (timeline.launches.size() > 1) {
        timeline.launches[1].blocks += (level.filled + level.leaves) * dp_parts_of_region(held_.cut, i);
      }
    }
    return timeline;
  }
  const MandelbrotConfig& config() const override { return held_.config; }
  const MandelbrotView& view() const override { return held_.view; }
  std::span<const RowRange> rows() const override {
    return holds_image_ ? held_.rows : std::span<const RowRange>();
  }
  std::span<const MandelbrotRegion> regions() const override { return regions_; }
  ImageView image(MemorySpace space) override {
    use_device();
    return images_.image(holds_image_ ? &held_ : nullptr, space);
  }
  void read_dwells(std::uint32_t first_row, std::span<std::uint32_t> out) const override {
    check_rows(view(), first_row, out.size());
    if (out.empty() || !holds_image_) return;
    use_device();
    images_.read(held_, first_row, out);
  }
  void count_dwells(std::span<std::uint64_t> counts) const override {
    std::fill(counts.begin(), counts.end(), 0);
    if (!holds_image_) return;
    use_device();
    images_.count(held_, counts);
  }
  SmoothReport compute_smooth() override {
    SmoothReport report;
    if (!holds_image_) return report;
    use_device();
    const std::size_t first = held_.cut.levels + std::size_t{4};  // after the events of the computation
    record(first);
    images_.compute_smooth(held_, slices_for(config()));
    record(first + 1);
    stream_.wait();
    report.milliseconds = milliseconds_between(first, first + 1);
    std::vector<std::uint64_t> counts(config().dwell_limit + std::size_t{1});
    count_dwells(counts);
    report.exterior = held_.pixels() - counts.back();
    return report;
  }
  ImageView smooth_image(MemorySpace space) override {
    use_device();
    return images_.smooth_image(space);
  }
  DwellDifferences count_differences(std::size_t max_places) const override {
    if (!holds_image_) return {};
    const ProgressScope call(monitor_, 1);
    call.check();
    use_device();
    return images_.differences(held_, max_places, slices(call));
  }
  void set_distribution(const DwellDistribution* distribution) override {
    share_.distribution = distribution;
    places_of_.reset();
  }
  void record_costs(bool note) override { records_costs_ = note; }
  std::span<const std::uint32_t> region_costs() const override {
    if (!has_costs_) return {};
    return {host_costs_.data(), static_cast<std::size_t>(held_.cut.first_regions())};
  }
  /// The other partitions must be on CUDA devices.
  std::optional<ImageView> whole_image(std::span<const PartitionRows> others, bool smooth,
                                       MemorySpace space) override {
    if (!dwells_.has_all_rows()) return std::nullopt;
    others_.clear();
    for (const PartitionRows& other : others) {
      constexpr auto kThere = MemorySpace::kCudaDevice;
      others_.push_back({smooth ? other.part->smooth_image(kThere) : other.part->image(kThere), other.rows});
    }
    use_device();
    for (const PartitionImage& other : others_) {
      if (!gathering_.can_access_peer(other.image.stream.device)) return std::nullopt;
    }
    const ImageView image =
        smooth ? smooth_image(MemorySpace::kCudaDevice) : this->image(MemorySpace::kCudaDevice);
    // The image is in this engine's own memory.
    gathering_.gather(others_, const_cast<void*>(image.pixels), image.row_bytes);
    return space == MemorySpace::kHost ? images_.on_host(image) : image;
  }

 private:
  void use_device() const { LOOM_CUDA(cudaSetDevice(device_)); }
  /// An estimate of the largest number of steps of a pixel, for LaunchSlices.
  std::uint32_t steps_of_pixel(const MandelbrotConfig& config) const {
    if (config.set.formula == Formula::kCustom) {
      constexpr std::uint64_t kInstructions = 8;  // of one step of a built-in formula
      const std::size_t instructions = config.set.custom.code(true).instructions.size();
      return static_cast<std::uint32_t>(
          std::min<std::uint64_t>(config.dwell_limit * (1 + instructions / kInstructions),
                                  std::numeric_limits<std::uint32_t>::max()));
    }
    if (!is_perturbed(config.precision)) return config.dwell_limit;
    // Most iterations are skipped: those of an orbit that stays near the reference take a few steps per
    // length of the reference, others at most some thousands.
    constexpr std::uint64_t kFarSteps = 8192;
    constexpr std::uint64_t kStepsOfLength = 16;
    // Nearly all of those that would go on to the limit are found inside by then.
    constexpr std::uint64_t kMostLengths = 64;
    const std::uint64_t lengths = std::min<std::uint64_t>(
        config.dwell_limit / std::max(1u, perturbation_.stats().orbit_length) + 1, kMostLengths);
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(config.dwell_limit, kFarSteps + kStepsOfLength * lengths));
  }
  void make_room(const MandelbrotConfig& config, const MandelbrotView& view, Regions regions) {
    const Subdivision cut = make_subdivision(config, view);
    rows_held(share_, config, cut, next_rows_);
    const std::uint32_t steps = steps_of_pixel(config);
    const LevelPlan plan = plan_levels(config, cut, steps, slices_for(config));
    const std::uint64_t needed =
        bytes_needed(config, view, regions == Regions::kList, next_rows_) + plan.bytes_beyond;
    if (needed > allocated_bytes()) {
      const std::uint64_t available = available_memory(device_) + allocated_bytes();
      if (needed > available) throw make_capacity_error(view, needed, available);
    }
    holds_image_ = has_costs_ = false;
    held_.config = config;
    held_.view = view;
    held_.cut = cut;
    held_.steps = steps;
    held_.perturbation = &perturbation_;
    dp_level_ = plan.dp_level;
    by_warps_ = plan.warp_words > 0;
    std::swap(held_.rows, next_rows_);
    const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
    const std::uint64_t row_bytes =
        std::uint64_t{view.width} * (held_.narrow() ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
    try {
      if (share_.is_whole()) {
        dwells_.reserve(row_bytes * view.height);
        first_places_.clear();
        if (plan.lists_roots) write_first_places();
      } else {
        dwells_.reserve_rows(row_bytes, view.height, held_.rows);
        write_share();
      }
      held_.dwells = dwells_.data();
      held_.counters = progress_.data()->levels;
      tables_[0].reserve(plan.olts.even);
      tables_[1].reserve(plan.olts.odd);
      jobs_.reserve(plan.jobs);
      warp_tables_.reserve(plan.warp_words);
      if (plan.chained) dp_.reserve_chains(cut);
      if (records_costs_ && config.method == MandelbrotMethod::kAsk) {
        costs_.reserve(cut.first_regions());
        host_costs_.reserve(cut.first_regions());
      }
      if (is_perturbed(config.precision)) long_orbits_.reserve(std::min(held_.pixels(), kMaxListed));
      if (config.exact) uncertain_.reserve(std::min(held_.pixels(), kMaxListed));
      if (!exhaustive && regions == Regions::kList) region_list_.reserve(max_regions(cut));
    } catch (const CapacityError&) {
      throw make_capacity_error(view, needed, available_memory(device_) + allocated_bytes());
    }
  }
  /// Transfers the tables that a partition's launches begin with to the device.
  void write_share() {
    rows_computed(share_, held_.config, held_.cut, computed_);
    if (held_.config.method == MandelbrotMethod::kExhaustive) {
      pieces_.clear();
      for (const RowRange& rows : computed_) {
        for (std::uint32_t y = rows.first; y < rows.end; y += held_.config.block.y) {
          pieces_.push_back({y, std::min(y + held_.config.block.y, rows.end)});
        }
      }
      device_pieces_.reserve(pieces_.size());
      LOOM_CUDA(cudaMemcpyAsync(device_pieces_.data(), pieces_.data(), pieces_.size() * sizeof(RowRange),
                                cudaMemcpyHostToDevice, stream_.get()));
      return;
    }
    if (places_of_ == held_.cut) return;
    places_of_.reset();
    write_first_places();
    places_of_ = held_.cut;
  }
  void write_first_places() {
    first_regions_of(share_, held_.cut, first_places_);
    device_places_.reserve(std::max<std::size_t>(first_places_.size(), 1));  // null would mean all regions
    LOOM_CUDA(cudaMemcpyAsync(device_places_.data(), first_places_.data(),
                              first_places_.size() * sizeof(Coord32), cudaMemcpyHostToDevice, stream_.get()));
    *first_entries_.data() = first_places_.size();
  }
  template <typename Evaluator, typename Dwell>
  void enqueue(DwellTask<Evaluator, Dwell> task, Regions regions, const ProgressScope& call) {
    if (regions == Regions::kList) task.list = {region_list_.data(), &progress_.data()->regions_listed};
    task = with_uncertain_list(task);
    // Event 0 is the start. With ASK, event i + 1 is the end of level i, and the one after the last level's
    // is the end of the computation; otherwise event 1 is the end.
    const auto list_long = [&] {
      if constexpr (Evaluator::kLeavesLongOrbits) enqueue_long_list(task);
    };
    record(0);
    launches_ = 0;
    LOOM_CUDA(cudaMemsetAsync(progress_.data(), 0, sizeof(Progress), stream_.get()));
    switch (config().method) {
      case MandelbrotMethod::kExhaustive:
        enqueue_exhaustive(task, call);
        list_long();
        record(1);
        break;
      case MandelbrotMethod::kAsk:
        enqueue_levels(task, task.cut.levels, call);
        enqueue_mirror(task, call);
        list_long();
        record(task.cut.levels + 1);
        break;
      case MandelbrotMethod::kDp:
        enqueue_dp(task, call);
        enqueue_mirror(task, call);
        list_long();
        record(1);
        break;
    }
    LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress),
                              cudaMemcpyDeviceToHost, stream_.get()));
  }
  template <typename Evaluator, typename Dwell>
  void enqueue_exhaustive(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call) {
    if (share_.is_whole()) {
      compute_exhaustive(task, config().block, counted_slices(call), stream_);
    } else {
      compute_exhaustive_rows(task, config().block, device_pieces_.data(), pieces_.size(),
                              counted_slices(call), stream_);
    }
  }
  /// The axis and the rows below it, for a mirrored image.
  template <typename Evaluator, typename Dwell>
  void enqueue_mirror(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call) {
    if (!task.cut.mirrored()) return;
    const LaunchSlices slices = counted_slices(call);
    if (holds_axis(share_, task.cut)) compute_axis(task, slices, stream_);
    if (share_.is_whole()) return mirror_rows(task, {1, task.cut.height / 2}, slices, stream_);
    for (const RowRange& rows : computed_)
      mirror_rows(task, {std::max(rows.first, 1u), rows.end}, slices, stream_);
  }
  /// Processes the levels before `end` as ASK does.
  template <typename Evaluator, typename Dwell>
  void enqueue_levels(const DwellTask<Evaluator, Dwell>& task, std::uint32_t end, const ProgressScope& call) {
    // Waiting after each level costs a few microseconds each, so that only long computations do it.
    constexpr double kLong = 20;
    const bool stops = call.watched() && last_milliseconds_ > kLong;
    const DwellSlices slices = counted_slices(call);
    if (!share_.is_whole()) {
      LOOM_CUDA(cudaMemcpyAsync(&task.counters[0].entries, first_entries_.data(),
                                sizeof(*first_entries_.data()), cudaMemcpyHostToDevice, stream_.get()));
    }
    const bool notes = Evaluator::kKnowsPoint && records_costs_ &&
                       config().method == MandelbrotMethod::kAsk && config().set.formula != Formula::kCustom;
    const std::size_t cost_bytes = task.cut.first_regions() * sizeof(std::uint32_t);
    if (notes) LOOM_CUDA(cudaMemsetAsync(costs_.data(), 0, cost_bytes, stream_.get()));
    std::uint64_t most = ~std::uint64_t{0};
    for (std::uint32_t level = 0; level < end; ++level) {
      AskLaunch launch = ask_launch(level);
      launch.max_regions = std::min(launch.max_regions, most);
      std::uint64_t regions = 0;
      if constexpr (Evaluator::kKnowsPoint) {
        if (notes)
          regions = compute_ask_level_noting(task, ask_tables(level), launch, costs_.data(), slices, stream_);
      }
      if (!notes) regions = compute_ask_level(task, ask_tables(level), launch, slices, stream_);
      record(level + 1);
      if (by_warps_) return;  // one launch for all levels
      most = saturating_multiply(regions, std::uint64_t{task.cut.r} * task.cut.r);
      if (!stops || level + 1 == task.cut.levels) continue;
      stream_.wait();
      call.advance(1);
      call.check();
    }
    if (!notes) return;
    LOOM_CUDA(cudaMemcpyAsync(host_costs_.data(), costs_.data(), cost_bytes, cudaMemcpyDeviceToHost,
                              stream_.get()));
    has_costs_ = true;
  }
  // Levels above the first one that dynamic parallelism can launch are processed as in ASK: their thread
  // blocks do the same work and list the regions of the next level.
  template <typename Evaluator, typename Dwell>
  void enqueue_dp(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call) {
    if (!share_.is_whole() && first_places_.empty()) return;
    enqueue_levels(task, dp_level_, call);
    if (dp_level_ == task.cut.levels) return;
    DpRoots roots = dp_roots();
    if (dp_level_ > 0) {
      roots = {.level = dp_level_,
               .count = read_count(&task.counters[dp_level_].entries, stream_),
               .places = tables_[dp_level_ % 2].data()};
      if (roots.count == 0) return;
    }
    DpLaunches::enqueue(task, dp_state(roots), roots, config().block, counted_slices(call), stream_);
  }
  // If most orbits escape, the worst case is far above the actual time, and each division costs the tail of a
  // launch. After a short computation the limit is therefore raised by a factor: a long computation that
  // follows is still far below a watchdog's limit, and is divided again afterwards. The factor is larger with
  // ASK, and largest with perturbation, whose worst cases are the most unrealistic: a step takes many
  // iterations at once.
  DwellSlices slices_for(const MandelbrotConfig& config) const {
    constexpr double kShort = 50;  // milliseconds
    DwellSlices slices{slices_};
    if (config.set.formula == Formula::kCustom) slices.custom = custom_.get();
    if (last_milliseconds_ > 0 && last_milliseconds_ < kShort)
      slices.times = is_perturbed(config.precision) ? 40 : config.method == MandelbrotMethod::kAsk ? 10 : 3;
    if (config.precision == Precision::kDouble || config.precision == Precision::kPerturbedDouble ||
        config.precision == Precision::kPerturbedWide)
      slices.max_steps = std::max<std::uint64_t>(1, slices.max_steps / double_ratio_);
    return slices;
  }
  // A long computation can be cancelled between two of its launches.
  DwellSlices slices(const ProgressScope& call) const {
    DwellSlices slices = slices_for(config());
    if (call.watched()) {
      slices.between = [this, &call] {
        stream_.wait();
        call.check();
      };
    }
    return slices;
  }
  /// The same for a computation, whose launches are counted.
  DwellSlices counted_slices(const ProgressScope& call) {
    DwellSlices slices = this->slices(call);
    slices.launches = &launches_;
    return slices;
  }
  /// The tables that one level of ASK reads and writes, and the limits of its launches.
  AskTables ask_tables(std::uint32_t level) const {
    const Coord32* const first = share_.is_whole() ? nullptr : device_places_.data();
    return {.read = level == 0 ? first : tables_[level % 2].data(),
            .write = tables_[(level + 1) % 2].data(),
            .jobs = jobs_.data(),
            .warp_tables = by_warps_ ? warp_tables_.data() : nullptr};
  }
  AskLaunch ask_launch(std::uint32_t level) const {
    const std::uint64_t first = share_.is_whole() ? held_.cut.first_regions() : first_places_.size();
    const std::uint64_t of_first = parts_at(held_.cut, level) / held_.cut.first_parts;
    return {.level = level,
            .max_regions = first * of_first * of_first,
            .block = config().block,
            .multiprocessors = multiprocessors_};
  }
  /// The tables of level 0.
  DpRoots dp_roots() const {
    const bool listed = !first_places_.empty();
    return {.level = 0,
            .count = listed ? first_places_.size() : held_.cut.first_regions(),
            .places = listed ? device_places_.data() : nullptr};
  }
  DpState dp_state(const DpRoots& roots) const {
    return dp_.begin(held_.cut, roots, config().optimisations.join && dp_level_ == 0,
                     {tables_[0].data(), tables_[1].data()}, &progress_.data()->launch_error,
                     &progress_.data()->launches, stream_);
  }
  /// Enqueues the configuration of the last computation by instrumented copies. Returns their launches; the
  /// numbers of thread blocks of device launches are not set yet.
  template <typename Dwell>
  std::vector<TimelineLaunch> enqueue_recorded(const DwellTask<Direct<float>, Dwell>& task,
                                               const RecordingView& to, const SpanWindow& window) {
    // The events are those of enqueue(), which read_report() reads.
    std::vector<TimelineLaunch> launches;
    record(0);
    LOOM_CUDA(cudaMemsetAsync(progress_.data(), 0, sizeof(Progress), stream_.get()));
    switch (config().method) {
      case MandelbrotMethod::kExhaustive:
        launches.push_back(record_exhaustive(task, config().block, to, window, slices_, stream_));
        record(1);
        break;
      case MandelbrotMethod::kAsk:
        for (std::uint32_t level = 0; level < task.cut.levels; ++level) {
          const auto of_level =
              record_ask_level(task, ask_tables(level), ask_launch(level), to,
                               static_cast<std::uint16_t>(launches.size()), slices_, stream_);
          launches.insert(launches.end(), of_level.begin(), of_level.end());
          record(level + 1);
        }
        enqueue_mirror(task, {});
        record(task.cut.levels + 1);
        break;
      case MandelbrotMethod::kDp:
        LOOM_CUDA(record_dynamic_parallelism(task, dp_state(dp_roots()), config().block, to, stream_.get()));
        enqueue_mirror(task, {});
        record(1);
        for (const DpKernel& kernel : dp_kernels(task)) {
          const std::uint32_t threads = config().block.x * config().block.y;
          launches.push_back({kernel.name, 0, kernel_occupancy(kernel.timed, threads, 0),
                              kernel_occupancy(kernel.recorded, threads, 0)});
        }
        break;
    }
    LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress),
                              cudaMemcpyDeviceToHost, stream_.get()));
    return launches;
  }
  /// Lists the pixels that a computation leaves as kLongOrbit.
  template <typename Evaluator>
  void enqueue_long_list(const DwellTask<Evaluator, std::uint32_t>& task) {
    for (const RowRange& rows : held_.rows) {
      list_long_orbits(task, std::uint64_t{rows.first} * view().width, std::uint64_t{rows.end} * view().width,
                       &progress_.data()->long_orbits, long_orbits_.data(), long_orbits_.size(), stream_);
    }
  }
  /// Computes them; reads the progress again.
  template <typename Evaluator>
  void complete_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task, MandelbrotReport& report,
                            const ProgressScope& call) {
    holds_image_ = false;  // if the call ends early
    unsigned long long* const count = &progress_.data()->long_orbits;
    const DwellTask<Evaluator, std::uint32_t> listing = with_uncertain_list(task);
    const std::size_t event = held_.cut.levels + std::size_t{4};  // after those of correct()
    record(event);
    // With series steps, most of many long orbits are decided soon: the others go on in warps of their own.
    // Without them, to begin again takes too long.
    constexpr std::uint64_t kMany = 1 << 14;
    constexpr std::uint64_t kLater = 12;
    const bool in_passes = task.grid.series_of != nullptr;
    std::uint64_t most = std::max<std::uint64_t>(2ull * task.grid.length, 2048);
    for (std::uint64_t left = host_progress_.data()->long_orbits; left > 0; most *= kLater) {
      const bool some = in_passes && left >= kMany && most < task.limit;
      compute_long_orbits(listing, long_orbits_.data(), std::min<std::uint64_t>(left, long_orbits_.size()),
                          some ? static_cast<std::uint32_t>(most) : task.limit, counted_slices(call),
                          stream_);
      if (!some && left <= long_orbits_.size()) break;
      LOOM_CUDA(cudaMemsetAsync(count, 0, sizeof(*count), stream_.get()));
      enqueue_long_list(task);
      left = read_count(count, stream_);
    }
    record(event + 1);
    LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    report.milliseconds += milliseconds_between(event, event + 1);
    report.launches = launches_ + host_progress_.data()->launches;
    holds_image_ = true;
  }
  /// The task with the list of uncertain pixels, if it has one.
  template <typename Evaluator, typename Dwell>
  DwellTask<Evaluator, Dwell> with_uncertain_list(DwellTask<Evaluator, Dwell> task) const {
    if constexpr (Evaluator::kEstimatesError)
      task.grid.uncertain = {&progress_.data()->uncertain, uncertain_.data(), uncertain_.size()};
    return task;
  }
  /// Computes the uncertain pixels of an exact computation again; `report` has the stats of the perturbation.
  template <bool kWide>
  void correct(MandelbrotReport& report, const ProgressScope& call) {
    holds_image_ = false;                   // if the call ends early
    const ProgressScope part(monitor_, 1);  // of the call, without progress of its own
    const std::uint64_t uncertain = host_progress_.data()->uncertain;
    const std::uint64_t count = std::min<std::uint64_t>(uncertain, uncertain_.size());
    const std::uint32_t limit = config().dwell_limit;
    std::uint64_t undecided = uncertain - count;
    try {
      perturbation_.prepare_twice(cpu::available_memory(), stream_);
      unsigned long long* const counter = &progress_.data()->undecided;
      const DeviceImage<std::uint32_t> image{reinterpret_cast<std::uint32_t*>(held_.dwells), view().width};
      const std::size_t event = held_.cut.levels + std::size_t{2};  // after those of the computation
      record(event);
      correct_pixels(perturbation_.evaluator<DoubleDouble, kWide, true>(), uncertain_.data(), count, image,
                     limit, held_.steps, counter, counted_slices(call), stream_);
      record(event + 1);
      unsigned long long left = 0;
      LOOM_CUDA(cudaMemcpyAsync(&left, counter, sizeof(left), cudaMemcpyDeviceToHost, stream_.get()));
      stream_.wait();
      report.milliseconds += milliseconds_between(event, event + 1);
      report.launches = launches_ + host_progress_.data()->launches;
      if (left > 0) {
        std::vector<Coord32> pixels(count);
        LOOM_CUDA(cudaMemcpyAsync(pixels.data(), uncertain_.data(), count * sizeof(Coord32),
                                  cudaMemcpyDeviceToHost, stream_.get()));
        stream_.wait();
        std::erase(pixels, kDecidedPixel);
        const Stopwatch stopwatch;
        const auto dwells = perturbation_.fixed_point_dwells(*view().decimal, pixels, limit, part);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
          undecided += dwells[i] ? 0 : 1;
          if (!dwells[i]) continue;
          LOOM_CUDA(cudaMemcpyAsync(&image.at(pixels[i].x, pixels[i].y), &*dwells[i], sizeof(*dwells[i]),
                                    cudaMemcpyHostToDevice, stream_.get()));
        }
        stream_.wait();
        report.milliseconds += stopwatch.milliseconds();
      }
    } catch (const CapacityError&) {
      undecided = uncertain;
    }
    holds_image_ = true;
    report.allocated_bytes = allocated_bytes();
    report.perturbation = perturbation_.stats();
    report.perturbation->uncertain = uncertain;
    report.perturbation->undecided = undecided;
  }
  void record(std::size_t event) {
    while (events_.size() <= event) {
      cudaEvent_t created = nullptr;
      LOOM_CUDA(cudaEventCreate(&created));
      events_.push_back(created);
    }
    LOOM_CUDA(cudaEventRecord(events_[event], stream_.get()));
  }
  double milliseconds_between(std::size_t first, std::size_t last) const {
    float milliseconds = 0;
    LOOM_CUDA(cudaEventElapsedTime(&milliseconds, events_[first], events_[last]));
    return milliseconds;
  }
  MandelbrotReport read_report() {
    MandelbrotReport report;
    report.pixels = held_.pixels();
    report.allocated_bytes = allocated_bytes();
    report.launches = launches_ + host_progress_.data()->launches;
    if (held_.config.method == MandelbrotMethod::kExhaustive) {
      report.milliseconds = milliseconds_between(0, 1);
      return report;
    }
    const bool ask = config().method == MandelbrotMethod::kAsk;
    const Subdivision& cut = held_.cut;
    const bool timed = ask && (!by_warps_ || cut.levels == 1);  // else levels overlap
    report.milliseconds = milliseconds_between(0, ask ? cut.levels + 1 : 1);
    if (cut.mirrored()) note_mirror(share_, cut, held_.rows, report);
    for (std::uint32_t i = 0; i < cut.levels; ++i) {
      const LevelCounters& counted = host_progress_.data()->levels[i];
      const std::uint32_t parts = parts_at(cut, i);
      MandelbrotLevel level{.width = (cut.width + parts - 1) / parts,
                            .height = (cut.height + parts - 1) / parts,
                            .regions = counted.filled + counted.leaves + counted.splits,
                            .filled = counted.filled,
                            .leaves = counted.leaves,
                            .splits = counted.splits,
                            .children = counted.splits * cut.r * cut.r,
                            .border_pixels = counted.border_pixels,
                            .leaf_pixels = counted.leaf_pixels,
                            .filled_pixels = counted.filled_pixels,
                            .milliseconds = {}};
      if (timed) level.milliseconds = milliseconds_between(i, i + 1);
      report.levels.push_back(level);
    }
    return report;
  }
  void read_regions() {
    regions_.resize(host_progress_.data()->regions_listed);
    if (regions_.empty()) return;
    LOOM_CUDA(cudaMemcpyAsync(regions_.data(), region_list_.data(),
                              regions_.size() * sizeof(MandelbrotRegion), cudaMemcpyDeviceToHost,
                              stream_.get()));
    stream_.wait();
    std::sort(regions_.begin(), regions_.end(), [](const MandelbrotRegion& a, const MandelbrotRegion& b) {
      return std::tie(a.level, a.y, a.x) < std::tie(b.level, b.y, b.x);
    });
  }

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
  /// that launches begin with.
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

}  // namespace

std::unique_ptr<MandelbrotPartition> make_mandelbrot_engine(int device, const RowPartition& share,
                                                            const LaunchSlices& slices) {
  return std::make_unique<CudaMandelbrotEngine>(device, share, slices);
}

}  // namespace loom::cuda
