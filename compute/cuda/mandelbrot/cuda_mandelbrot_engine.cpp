#include "compute/cuda/mandelbrot/cuda_mandelbrot_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "compute/core/error.h"
#include "compute/core/integer_math.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/check.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/costs.h"
#include "compute/cuda/mandelbrot/level_plan.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/record.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom::cuda {
namespace {

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
  return properties;
}

/// How many times slower it is in double precision.
std::uint64_t double_ratio(int device) {
  int ratio = 1;
  LOOM_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
  return static_cast<std::uint64_t>(std::max(1, ratio));
}

}  // namespace

CudaMandelbrotEngine::CudaMandelbrotEngine(int device, const DwellShare& share, const LaunchSlices& slices)
    : share_(share),
      device_(device),
      slices_(slices),
      double_ratio_(double_ratio(device)),
      dwells_(device),
      progress_(1),
      host_progress_(1),
      pictures_(device, slices_, stream_),
      first_entries_(1),
      gathering_(device, stream_) {
  const cudaDeviceProp properties = properties_of(device);
  multiprocessors_ = properties.multiProcessorCount;
  name_ = fmt::format("cuda: {}", properties.name);
}

CudaMandelbrotEngine::~CudaMandelbrotEngine() {
  for (const cudaEvent_t event : events_) LOOM_CUDA_QUIETLY(cudaEventDestroy(event));
}

void CudaMandelbrotEngine::use_device() const {
  LOOM_CUDA(cudaSetDevice(device_));
}

std::uint64_t CudaMandelbrotEngine::bytes_held() const {
  return dwells_.size() + (tables_[0].size() + tables_[1].size()) * sizeof(Coord32) +
         jobs_.size() * sizeof(RegionJob) + dp_.bytes_held() +
         region_list_.size() * sizeof(MandelbrotRegion) + pictures_.bytes_held();
}

void CudaMandelbrotEngine::make_room(const MandelbrotConfig& config, const MandelbrotView& view,
                                     Regions regions) {
  const Subdivision cut = make_subdivision(config, view);
  rows_held(share_, config, cut, next_rows_);
  const LevelPlan plan = plan_levels(config, cut, slices_for(config));
  const std::uint64_t needed =
      bytes_needed(config, view, regions == Regions::kList, next_rows_) + plan.bytes_beyond;
  if (needed > bytes_held()) {
    const std::uint64_t available = available_memory(device_) + bytes_held();
    if (needed > available) throw does_not_fit(view, needed, available);
  }
  holds_image_ = has_costs_ = false;
  held_.config = config;
  held_.view = view;
  held_.cut = cut;
  dp_level_ = plan.dp_level;
  std::swap(held_.rows, next_rows_);
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  const std::uint64_t row_bytes =
      std::uint64_t{view.width} * (config.ideas.narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t));
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
    if (plan.chained) dp_.reserve_chains(cut);
    if (notes_costs_ && config.method == MandelbrotMethod::kAsk) {
      costs_.reserve(cut.first_regions());
      host_costs_.reserve(cut.first_regions());
    }
    if (!exhaustive && regions == Regions::kList) region_list_.reserve(most_regions(cut));
  } catch (const CapacityError&) {
    throw does_not_fit(view, needed, available_memory(device_) + bytes_held());
  }
}

void CudaMandelbrotEngine::write_share() {
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

void CudaMandelbrotEngine::write_first_places() {
  first_regions_of(share_, held_.cut, first_places_);
  device_places_.reserve(std::max<std::size_t>(first_places_.size(), 1));  // null would be all regions
  LOOM_CUDA(cudaMemcpyAsync(device_places_.data(), first_places_.data(),
                            first_places_.size() * sizeof(Coord32), cudaMemcpyHostToDevice, stream_.get()));
  *first_entries_.data() = first_places_.size();
}

void CudaMandelbrotEngine::set_deal(const DwellDeal* deal) {
  share_.deal = deal;
  places_of_.reset();
}

std::span<const std::uint32_t> CudaMandelbrotEngine::region_costs() const {
  if (!has_costs_) return {};
  return {host_costs_.data(), static_cast<std::size_t>(held_.cut.first_regions())};
}

std::optional<ImageView> CudaMandelbrotEngine::whole_image(std::span<const PartRows> others, bool smooth,
                                                           MemorySpace space) {
  if (!dwells_.has_all_rows()) return std::nullopt;
  others_.clear();
  for (const PartRows& other : others) {
    constexpr auto kThere = MemorySpace::kCudaDevice;
    others_.push_back({smooth ? other.part->smooth_image(kThere) : other.part->image(kThere), other.rows});
  }
  use_device();
  for (const PartImage& other : others_) {
    if (!gathering_.reaches(other.image.cuda_device)) return std::nullopt;
  }
  const ImageView image =
      smooth ? smooth_image(MemorySpace::kCudaDevice) : this->image(MemorySpace::kCudaDevice);
  // It lies in memory of this engine's own.
  gathering_.gather(others_, const_cast<void*>(image.pixels), image.row_bytes);
  return space == MemorySpace::kHost ? pictures_.on_host(image) : image;
}

void CudaMandelbrotEngine::record(std::size_t event) {
  while (events_.size() <= event) {
    cudaEvent_t created = nullptr;
    LOOM_CUDA(cudaEventCreate(&created));
    events_.push_back(created);
  }
  LOOM_CUDA(cudaEventRecord(events_[event], stream_.get()));
}

double CudaMandelbrotEngine::milliseconds_between(std::size_t first, std::size_t last) const {
  float milliseconds = 0;
  LOOM_CUDA(cudaEventElapsedTime(&milliseconds, events_[first], events_[last]));
  return milliseconds;
}

MandelbrotReport CudaMandelbrotEngine::compute(const MandelbrotConfig& config, const MandelbrotView& view,
                                               Regions regions) {
  validate(config);
  validate(view, config.precision);
  use_device();
  make_room(config, view, regions);
  if (config.method == MandelbrotMethod::kDp) DpLaunches::make_room();
  regions_.clear();
  const WatchedCall call(watch_, held_.cut.levels);
  call.check();
  do {
    held_.with_task([&](const auto& task) { enqueue(task, regions, call); });
    stream_.wait();
  } while (DpLaunches::make_more_room(host_progress_.data()->launch_error));
  if (const int error = host_progress_.data()->launch_error) DpLaunches::throw_failed(error);
  holds_image_ = true;
  if (regions == Regions::kList && config.method != MandelbrotMethod::kExhaustive) read_regions();
  MandelbrotReport report = read_report();
  last_milliseconds_ = report.milliseconds;
  return report;
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue(DwellTask<Real, Dwell> task, Regions regions, const WatchedCall& call) {
  if (regions == Regions::kList) task.list = {region_list_.data(), &progress_.data()->regions_listed};
  // Event 0 is the start; with ASK event i + 1 is the end of level i, and the one after the last level's the
  // end of all, else event 1.
  record(0);
  LOOM_CUDA(cudaMemsetAsync(progress_.data(), 0, sizeof(Progress), stream_.get()));
  switch (config().method) {
    case MandelbrotMethod::kExhaustive:
      enqueue_exhaustive(task, call);
      record(1);
      break;
    case MandelbrotMethod::kAsk:
      enqueue_levels(task, task.cut.levels, call);
      enqueue_mirror(task, call);
      record(task.cut.levels + 1);
      break;
    case MandelbrotMethod::kDp:
      enqueue_dp(task, call);
      enqueue_mirror(task, call);
      record(1);
      break;
  }
  LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress), cudaMemcpyDeviceToHost,
                            stream_.get()));
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_exhaustive(const DwellTask<Real, Dwell>& task, const WatchedCall& call) {
  if (share_.is_whole()) {
    compute_exhaustive(task, config().block, slices(call), stream_);
  } else {
    compute_exhaustive_rows(task, config().block, device_pieces_.data(), pieces_.size(), slices(call),
                            stream_);
  }
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_mirror(const DwellTask<Real, Dwell>& task, const WatchedCall& call) {
  if (!task.cut.mirrored()) return;
  const LaunchSlices slices = this->slices(call);
  if (holds_axis(share_, task.cut)) compute_axis(task, slices, stream_);
  if (share_.is_whole()) return mirror_rows(task, {1, task.cut.height / 2}, slices, stream_);
  for (const RowRange& rows : computed_)
    mirror_rows(task, {std::max(rows.first, 1u), rows.end}, slices, stream_);
}

// Where most orbits escape the bound is far from what a launch takes, and each cut costs what its last blocks
// take alone. So after a short computation it is let be some times as large: a long one that follows is still
// nowhere near what a watchdog waits for, and cut after that. ASK has the most of it, whose bound is the
// farthest off.
LaunchSlices CudaMandelbrotEngine::slices_for(const MandelbrotConfig& config) const {
  constexpr double kShort = 50;  // milliseconds
  LaunchSlices slices = slices_;
  if (last_milliseconds_ > 0 && last_milliseconds_ < kShort)
    slices.times = config.method == MandelbrotMethod::kAsk ? 10 : 3;
  if (config.precision == Precision::kDouble)
    slices.most_steps = std::max<std::uint64_t>(1, slices.most_steps / double_ratio_);
  return slices;
}

// A long computation can be cancelled between two of its launches.
LaunchSlices CudaMandelbrotEngine::slices(const WatchedCall& call) const {
  LaunchSlices slices = slices_for(config());
  if (call.watched()) {
    slices.between = [this, &call] {
      stream_.wait();
      call.check();
    };
  }
  return slices;
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_levels(const DwellTask<Real, Dwell>& task, std::uint32_t end,
                                          const WatchedCall& call) {
  // To wait after each level costs some microseconds each: only where a computation takes long.
  constexpr double kLong = 20;
  const bool stops = call.watched() && last_milliseconds_ > kLong;
  const LaunchSlices slices = this->slices(call);
  if (!share_.is_whole()) {
    LOOM_CUDA(cudaMemcpyAsync(&task.counters[0].entries, first_entries_.data(),
                              sizeof(*first_entries_.data()), cudaMemcpyHostToDevice, stream_.get()));
  }
  const bool notes = notes_costs_ && config().method == MandelbrotMethod::kAsk;
  const std::size_t cost_bytes = task.cut.first_regions() * sizeof(std::uint32_t);
  if (notes) LOOM_CUDA(cudaMemsetAsync(costs_.data(), 0, cost_bytes, stream_.get()));
  std::uint64_t most = ~std::uint64_t{0};
  for (std::uint32_t level = 0; level < end; ++level) {
    AskLaunch launch = ask_launch(level);
    launch.most_regions = std::min(launch.most_regions, most);
    const std::uint64_t regions =
        notes ? compute_ask_level_noting(task, ask_tables(level), launch, costs_.data(), slices, stream_)
              : compute_ask_level(task, ask_tables(level), launch, slices, stream_);
    most = saturating_multiply(regions, std::uint64_t{task.cut.r} * task.cut.r);
    record(level + 1);
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

// Levels above those from which dynamic parallelism can start are gone through as ASK does: their blocks do
// the same, and list the regions of the next.
template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_dp(const DwellTask<Real, Dwell>& task, const WatchedCall& call) {
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
  DpLaunches::enqueue(task, dp_state(roots), roots, config().block, slices(call), stream_);
}

DpRoots CudaMandelbrotEngine::dp_roots() const {
  const bool listed = !first_places_.empty();
  return {.level = 0,
          .count = listed ? first_places_.size() : held_.cut.first_regions(),
          .places = listed ? device_places_.data() : nullptr};
}

DpState CudaMandelbrotEngine::dp_state(const DpRoots& roots) const {
  return dp_.begin(held_.cut, roots, config().ideas.join && dp_level_ == 0,
                   {tables_[0].data(), tables_[1].data()}, &progress_.data()->launch_error, stream_);
}

AskTables CudaMandelbrotEngine::ask_tables(std::uint32_t level) const {
  const Coord32* const first = share_.is_whole() ? nullptr : device_places_.data();
  return {.read = level == 0 ? first : tables_[level % 2].data(),
          .write = tables_[(level + 1) % 2].data(),
          .jobs = jobs_.data()};
}

AskLaunch CudaMandelbrotEngine::ask_launch(std::uint32_t level) const {
  const std::uint64_t first = share_.is_whole() ? held_.cut.first_regions() : first_places_.size();
  const std::uint64_t of_first = parts_at(held_.cut, level) / held_.cut.first_parts;
  return {.level = level,
          .most_regions = first * of_first * of_first,
          .block = config().block,
          .multiprocessors = multiprocessors_};
}

template <typename Dwell>
std::vector<TimelineLaunch> CudaMandelbrotEngine::enqueue_recorded(const DwellTask<float, Dwell>& task,
                                                                   const RecordingView& to,
                                                                   const SpanWindow& window) {
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
                                               const TimelineWish& wish) {
  loom::validate(wish);
  if (!share_.is_whole()) throw InputError("a timeline is of one device; allowed: without others");
  if (config.precision != Precision::kFloat) {
    throw InputError("a timeline on a GPU is recorded in single precision alone; allowed: --precision float");
  }
  compute(config, view, Regions::kCount);  // makes room, and the cut is known
  double plain_milliseconds = 0;
  const bool exhaustive = held_.config.method == MandelbrotMethod::kExhaustive;
  const SpanWindow window(exhaustive ? exhaustive_thread_blocks(held_.cut, held_.config.block) : 0,
                          wish.most_spans);
  DeviceRecording recording(device_, exhaustive ? window.size() : wish.most_spans, stream_);
  std::vector<TimelineLaunch> launches;
  for (int turn = 0; turn < 2; ++turn) {  // both find code, memory and clocks alike in the second one
    plain_milliseconds = compute(config, view, Regions::kCount).milliseconds;
    holds_image_ = false;
    recording.clear(stream_);
    launches = held_.config.ideas.narrow
                   ? enqueue_recorded(held_.task<float, std::uint16_t>(), recording.view(), window)
                   : enqueue_recorded(held_.task<float, std::uint32_t>(), recording.view(), window);
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
  // Device launches were counted region by region; those without pixels are none of them.
  for (std::uint32_t i = 0; i < held_.cut.levels; ++i) {
    const MandelbrotLevel& level = report.levels[i];
    timeline.launches[0].blocks += level.regions;
    if (timeline.launches.size() > 1) {
      timeline.launches[1].blocks += (level.filled + level.leaves) * dp_parts_of_region(held_.cut, i);
    }
  }
  return timeline;
}

MandelbrotReport CudaMandelbrotEngine::read_report() {
  MandelbrotReport report;
  report.pixels = held_.pixels();
  report.bytes_held = bytes_held();
  if (held_.config.method == MandelbrotMethod::kExhaustive) {
    report.milliseconds = milliseconds_between(0, 1);
    return report;
  }
  const bool ask = config().method == MandelbrotMethod::kAsk;
  const Subdivision& cut = held_.cut;
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
    if (ask) level.milliseconds = milliseconds_between(i, i + 1);
    report.levels.push_back(level);
  }
  return report;
}

void CudaMandelbrotEngine::read_regions() {
  regions_.resize(host_progress_.data()->regions_listed);
  if (regions_.empty()) return;
  LOOM_CUDA(cudaMemcpyAsync(regions_.data(), region_list_.data(), regions_.size() * sizeof(MandelbrotRegion),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::sort(regions_.begin(), regions_.end(), [](const MandelbrotRegion& a, const MandelbrotRegion& b) {
    return std::tie(a.level, a.y, a.x) < std::tie(b.level, b.y, b.x);
  });
}

ImageView CudaMandelbrotEngine::image(MemorySpace space) {
  use_device();
  return pictures_.image(holds_image_ ? &held_ : nullptr, space);
}

void CudaMandelbrotEngine::read_dwells(std::uint32_t first_row, std::span<std::uint32_t> out) const {
  check_rows(view(), first_row, out.size());
  if (out.empty() || !holds_image_) return;
  use_device();
  pictures_.read(held_, first_row, out);
}

void CudaMandelbrotEngine::count_dwells(std::span<std::uint64_t> counts) const {
  std::fill(counts.begin(), counts.end(), 0);
  if (!holds_image_) return;
  use_device();
  pictures_.count(held_, counts);
}

SmoothReport CudaMandelbrotEngine::compute_smooth() {
  SmoothReport report;
  if (!holds_image_) return report;
  use_device();
  const std::size_t first = held_.cut.levels + std::size_t{2};  // after those of the computation
  record(first);
  pictures_.compute_smooth(held_, slices_for(config()));
  record(first + 1);
  stream_.wait();
  report.milliseconds = milliseconds_between(first, first + 1);
  std::vector<std::uint64_t> counts(config().dwell_limit + std::size_t{1});
  count_dwells(counts);
  report.exterior = held_.pixels() - counts.back();
  return report;
}

ImageView CudaMandelbrotEngine::smooth_image(MemorySpace space) {
  use_device();
  return pictures_.smooth_image(space);
}

void CudaMandelbrotEngine::compute_julia(const JuliaView& view, std::span<std::uint16_t> out) {
  use_device();
  pictures_.compute_julia(view, out);
}

DwellDifferences CudaMandelbrotEngine::count_differences(std::size_t most_places) const {
  if (!holds_image_) return {};
  const WatchedCall call(watch_, 1);
  call.check();
  use_device();
  return pictures_.differences(held_, most_places, slices(call));
}

}  // namespace loom::cuda
