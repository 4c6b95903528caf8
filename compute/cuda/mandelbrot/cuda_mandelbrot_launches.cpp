// The launches of a computation on a CUDA device, by method, and their recording.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/error.h"
#include "compute/cpu/available_memory.h"
#include "compute/cpu/thread_pool.h"
#include "compute/cuda/check.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/cuda_mandelbrot_engine.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/record.h"

namespace loom::cuda {

MandelbrotReport CudaMandelbrotEngine::compute(const MandelbrotConfig& requested, const MandelbrotView& view,
                                               Regions regions) {
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

template <bool kWide>
void CudaMandelbrotEngine::correct(MandelbrotReport& report, const ProgressScope& call) {
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
      const cpu::Stopwatch stopwatch;
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

template <typename Evaluator, typename Dwell>
DwellTask<Evaluator, Dwell> CudaMandelbrotEngine::with_uncertain_list(
    DwellTask<Evaluator, Dwell> task) const {
  if constexpr (Evaluator::kEstimatesError)
    task.grid.uncertain = {&progress_.data()->uncertain, uncertain_.data(), uncertain_.size()};
  return task;
}

template <typename Evaluator>
void CudaMandelbrotEngine::enqueue_long_list(const DwellTask<Evaluator, std::uint32_t>& task) {
  for (const RowRange& rows : held_.rows) {
    list_long_orbits(task, std::uint64_t{rows.first} * view().width, std::uint64_t{rows.end} * view().width,
                     &progress_.data()->long_orbits, long_orbits_.data(), long_orbits_.size(), stream_);
  }
}

template <typename Evaluator>
void CudaMandelbrotEngine::complete_long_orbits(const DwellTask<Evaluator, std::uint32_t>& task,
                                                MandelbrotReport& report, const ProgressScope& call) {
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
                        some ? static_cast<std::uint32_t>(most) : task.limit, counted_slices(call), stream_);
    if (!some && left <= long_orbits_.size()) break;
    LOOM_CUDA(cudaMemsetAsync(count, 0, sizeof(*count), stream_.get()));
    enqueue_long_list(task);
    left = read_count(count, stream_);
  }
  record(event + 1);
  LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress), cudaMemcpyDeviceToHost,
                            stream_.get()));
  stream_.wait();
  report.milliseconds += milliseconds_between(event, event + 1);
  report.launches = launches_ + host_progress_.data()->launches;
  holds_image_ = true;
}

template <typename Evaluator, typename Dwell>
void CudaMandelbrotEngine::enqueue(DwellTask<Evaluator, Dwell> task, Regions regions,
                                   const ProgressScope& call) {
  if (regions == Regions::kList) task.list = {region_list_.data(), &progress_.data()->regions_listed};
  task = with_uncertain_list(task);
  // Event 0 is the start. With ASK, event i + 1 is the end of level i, and the one after the last level's is
  // the end of the computation; otherwise event 1 is the end.
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
  LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress), cudaMemcpyDeviceToHost,
                            stream_.get()));
}

template <typename Evaluator, typename Dwell>
void CudaMandelbrotEngine::enqueue_exhaustive(const DwellTask<Evaluator, Dwell>& task,
                                              const ProgressScope& call) {
  if (share_.is_whole()) {
    compute_exhaustive(task, config().block, counted_slices(call), stream_);
  } else {
    compute_exhaustive_rows(task, config().block, device_pieces_.data(), pieces_.size(), counted_slices(call),
                            stream_);
  }
}

template <typename Evaluator, typename Dwell>
void CudaMandelbrotEngine::enqueue_mirror(const DwellTask<Evaluator, Dwell>& task,
                                          const ProgressScope& call) {
  if (!task.cut.mirrored()) return;
  const LaunchSlices slices = counted_slices(call);
  if (holds_axis(share_, task.cut)) compute_axis(task, slices, stream_);
  if (share_.is_whole()) return mirror_rows(task, {1, task.cut.height / 2}, slices, stream_);
  for (const RowRange& rows : computed_)
    mirror_rows(task, {std::max(rows.first, 1u), rows.end}, slices, stream_);
}

// If most orbits escape, the worst case is far above the actual time, and each division costs the tail of a
// launch. After a short computation the limit is therefore raised by a factor: a long computation that
// follows is still far below a watchdog's limit, and is divided again afterwards. The factor is larger with
// ASK, and largest with perturbation, whose worst cases are the most unrealistic: a step takes many
// iterations at once.
DwellSlices CudaMandelbrotEngine::slices_for(const MandelbrotConfig& config) const {
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
DwellSlices CudaMandelbrotEngine::slices(const ProgressScope& call) const {
  DwellSlices slices = slices_for(config());
  if (call.watched()) {
    slices.between = [this, &call] {
      stream_.wait();
      call.check();
    };
  }
  return slices;
}

DwellSlices CudaMandelbrotEngine::counted_slices(const ProgressScope& call) {
  DwellSlices slices = this->slices(call);
  slices.launches = &launches_;
  return slices;
}

template <typename Evaluator, typename Dwell>
void CudaMandelbrotEngine::enqueue_levels(const DwellTask<Evaluator, Dwell>& task, std::uint32_t end,
                                          const ProgressScope& call) {
  // Waiting after each level costs a few microseconds each, so that only long computations do it.
  constexpr double kLong = 20;
  const bool stops = call.watched() && last_milliseconds_ > kLong;
  const DwellSlices slices = counted_slices(call);
  if (!share_.is_whole()) {
    LOOM_CUDA(cudaMemcpyAsync(&task.counters[0].entries, first_entries_.data(),
                              sizeof(*first_entries_.data()), cudaMemcpyHostToDevice, stream_.get()));
  }
  const bool notes = Evaluator::kKnowsPoint && records_costs_ && config().method == MandelbrotMethod::kAsk &&
                     config().set.formula != Formula::kCustom;
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
  LOOM_CUDA(
      cudaMemcpyAsync(host_costs_.data(), costs_.data(), cost_bytes, cudaMemcpyDeviceToHost, stream_.get()));
  has_costs_ = true;
}

// Levels above the first one that dynamic parallelism can launch are processed as in ASK: their thread blocks
// do the same work and list the regions of the next level.
template <typename Evaluator, typename Dwell>
void CudaMandelbrotEngine::enqueue_dp(const DwellTask<Evaluator, Dwell>& task, const ProgressScope& call) {
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

DpRoots CudaMandelbrotEngine::dp_roots() const {
  const bool listed = !first_places_.empty();
  return {.level = 0,
          .count = listed ? first_places_.size() : held_.cut.first_regions(),
          .places = listed ? device_places_.data() : nullptr};
}

DpState CudaMandelbrotEngine::dp_state(const DpRoots& roots) const {
  return dp_.begin(held_.cut, roots, config().optimisations.join && dp_level_ == 0,
                   {tables_[0].data(), tables_[1].data()}, &progress_.data()->launch_error,
                   &progress_.data()->launches, stream_);
}

AskTables CudaMandelbrotEngine::ask_tables(std::uint32_t level) const {
  const Coord32* const first = share_.is_whole() ? nullptr : device_places_.data();
  return {.read = level == 0 ? first : tables_[level % 2].data(),
          .write = tables_[(level + 1) % 2].data(),
          .jobs = jobs_.data(),
          .warp_tables = by_warps_ ? warp_tables_.data() : nullptr};
}

AskLaunch CudaMandelbrotEngine::ask_launch(std::uint32_t level) const {
  const std::uint64_t first = share_.is_whole() ? held_.cut.first_regions() : first_places_.size();
  const std::uint64_t of_first = parts_at(held_.cut, level) / held_.cut.first_parts;
  return {.level = level,
          .max_regions = first * of_first * of_first,
          .block = config().block,
          .multiprocessors = multiprocessors_};
}

template <typename Dwell>
std::vector<TimelineLaunch> CudaMandelbrotEngine::enqueue_recorded(
    const DwellTask<Direct<float>, Dwell>& task, const RecordingView& to, const SpanWindow& window) {
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
        const auto of_level = record_ask_level(task, ask_tables(level), ask_launch(level), to,
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
  LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress), cudaMemcpyDeviceToHost,
                            stream_.get()));
  return launches;
}

Timeline CudaMandelbrotEngine::record_timeline(const MandelbrotConfig& config, const MandelbrotView& view,
                                               const TimelineOptions& options) {
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

}  // namespace loom::cuda
