#include "compute/cuda/mandelbrot/cuda_mandelbrot_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/check.h"
#include "compute/cuda/kernel_occupancy.h"
#include "compute/cuda/mandelbrot/colours.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/record.h"
#include "compute/mandelbrot/mandelbrot_memory.h"

namespace loom::cuda {
namespace {

/// Launches from the device that may wait at a time; the runtime's own limit is 2048. There is room for as
/// many at first, and for four times as many whenever a computation needs more, up to the most.
constexpr std::size_t kPendingLaunches = std::size_t{1} << 16;
constexpr std::size_t kMostPendingLaunches = std::size_t{1} << 22;
/// Differences that are read back at a time; see count_differences.
constexpr std::uint64_t kDifferencesAtATime = std::uint64_t{1} << 20;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
  return properties;
}

/// Steps of orbits that a device makes in some hundredths of a second, in single precision: a lane takes
/// about ten cycles for each, and the least of devices has 64 lanes a multiprocessor.
std::uint64_t steps_of_launch(int device, int multiprocessors) {
  constexpr double kMilliseconds = 40;
  constexpr double kLanes = 64;
  constexpr double kCycles = 10;
  int kilohertz = 0;
  LOOM_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  return static_cast<std::uint64_t>(kMilliseconds * kilohertz * kLanes * multiprocessors / kCycles);
}

/// How many times slower it is in double precision.
std::uint64_t double_ratio(int device) {
  int ratio = 1;
  LOOM_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
  return static_cast<std::uint64_t>(std::max(1, ratio));
}

}  // namespace

CudaMandelbrotEngine::CudaMandelbrotEngine(int device)
    : CudaMandelbrotEngine(device, steps_of_launch(device, properties_of(device).multiProcessorCount)) {}

CudaMandelbrotEngine::CudaMandelbrotEngine(int device, std::uint64_t most_steps)
    : device_(device),
      most_steps_(std::max<std::uint64_t>(1, most_steps)),
      double_ratio_(double_ratio(device)),
      progress_(1),
      host_progress_(1) {
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
         jobs_.size() * sizeof(RegionJob) + chains_.size() * sizeof(DpState::Chain) +
         region_list_.size() * sizeof(MandelbrotRegion) + narrowed_.size() * sizeof(std::uint16_t) +
         counts_.size() * sizeof(unsigned long long) + smooth_.size() * sizeof(std::uint32_t);
}

void CudaMandelbrotEngine::make_room(const MandelbrotConfig& config, const MandelbrotView& view,
                                     Regions regions) {
  const std::uint64_t needed = bytes_needed(config, view, regions == Regions::kList);
  if (needed > bytes_held()) {
    const std::uint64_t available = available_memory(device_) + bytes_held();
    if (needed > available) throw does_not_fit(view, needed, available);
  }
  const Subdivision cut = make_subdivision(config, view);
  const bool exhaustive = config.method == MandelbrotMethod::kExhaustive;
  const bool ask = config.method == MandelbrotMethod::kAsk;
  const bool chained = config.method == MandelbrotMethod::kDp && config.ideas.join;
  holds_image_ = false;
  try {
    dwells_.reserve(view.pixels() * (config.ideas.narrow ? sizeof(std::uint16_t) : sizeof(std::uint32_t)));
    if (ask || chained) {
      const OltCapacity capacity = olt_capacity(cut);
      tables_[0].reserve(capacity.even);
      tables_[1].reserve(capacity.odd);
    }
    if (ask && config.scheme == RegionScheme::kMbr) jobs_.reserve(most_jobs(cut));
    if (chained) chains_.reserve(std::size_t{cut.first_parts} * cut.first_parts);
    if (!exhaustive && regions == Regions::kList) region_list_.reserve(most_regions(cut));
  } catch (const CapacityError&) {
    throw does_not_fit(view, needed, available_memory(device_) + bytes_held());
  }
}

bool CudaMandelbrotEngine::make_room_for_launches() {
  if (host_progress_.data()->launch_error != static_cast<int>(cudaErrorLaunchPendingCountExceeded))
    return false;
  std::size_t limit = 0;
  LOOM_CUDA(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (limit >= kMostPendingLaunches) return false;
  raise_pending_launches(4 * limit);
  return true;
}

void CudaMandelbrotEngine::raise_pending_launches(std::size_t launches) {
  std::size_t limit = 0;
  LOOM_CUDA(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  if (limit >= launches) return;
  const cudaError_t status = cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, launches);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw MachineError(
      fmt::format("dynamic parallelism: {} pending launches could not be reserved: {} ({}); "
                  "allowed: the ask method",
                  launches, cudaGetErrorName(status), cudaGetErrorString(status)));
}

template <typename Real, typename Dwell>
DwellTask<Real, Dwell> CudaMandelbrotEngine::task() const {
  return {.grid = make_point_grid<Real>(view_),
          .cut = cut_,
          .image = {reinterpret_cast<Dwell*>(dwells_.data()), view_.width},
          .counters = progress_.data()->levels,
          .list = {},
          .limit = config_.dwell_limit,
          .fill = config_.fill,
          .scheme = config_.scheme,
          .ideas = config_.ideas};
}

template <typename Use>
void CudaMandelbrotEngine::with_task(const Use& use) const {
  const bool narrow = config_.ideas.narrow;
  if (config_.precision == Precision::kFloat) {
    narrow ? use(task<float, std::uint16_t>()) : use(task<float, std::uint32_t>());
  } else {
    narrow ? use(task<double, std::uint16_t>()) : use(task<double, std::uint32_t>());
  }
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
  if (config.method == MandelbrotMethod::kDp) raise_pending_launches(kPendingLaunches);
  config_ = config;
  view_ = view;
  cut_ = make_subdivision(config, view);
  regions_.clear();
  const WatchedCall call(watch_, cut_.levels);
  call.check();
  do {
    with_task([&](const auto& task) { enqueue(task, regions, call); });
    stream_.wait();
  } while (make_room_for_launches());
  if (host_progress_.data()->launch_error != 0) throw_failed_launch();
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
  switch (config_.method) {
    case MandelbrotMethod::kExhaustive:
      compute_exhaustive(task, config_.block, slices(call), stream_);
      record(1);
      break;
    case MandelbrotMethod::kAsk:
      enqueue_ask(task, call);
      if (task.cut.mirrored()) mirror_image(task, stream_);
      record(task.cut.levels + 1);
      break;
    case MandelbrotMethod::kDp:
      enqueue_dp(task);
      if (task.cut.mirrored()) mirror_image(task, stream_);
      record(1);
      break;
  }
  LOOM_CUDA(cudaMemcpyAsync(host_progress_.data(), progress_.data(), sizeof(Progress), cudaMemcpyDeviceToHost,
                            stream_.get()));
}

LaunchSlices CudaMandelbrotEngine::slices() const {
  return {.most_steps = config_.precision == Precision::kDouble ? most_steps_ / double_ratio_ : most_steps_};
}

// A long computation can be cancelled between two of its launches.
LaunchSlices CudaMandelbrotEngine::slices(const WatchedCall& call) const {
  LaunchSlices slices = this->slices();
  if (call.watched()) {
    slices.between = [this, &call] {
      stream_.wait();
      call.check();
    };
  }
  return slices;
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_ask(const DwellTask<Real, Dwell>& task, const WatchedCall& call) {
  // To wait after each level costs some microseconds each: only where a computation takes long.
  constexpr double kLong = 20;
  const bool stops = call.watched() && last_milliseconds_ > kLong;
  for (std::uint32_t level = 0; level < task.cut.levels; ++level) {
    compute_ask_level(task, ask_tables(level), ask_launch(task.cut, level), stream_);
    record(level + 1);
    if (!stops || level + 1 == task.cut.levels) continue;
    stream_.wait();
    call.advance(1);
    call.check();
  }
}

AskTables CudaMandelbrotEngine::ask_tables(std::uint32_t level) const {
  return {.read = level == 0 ? nullptr : tables_[level % 2].data(),
          .write = tables_[(level + 1) % 2].data(),
          .jobs = jobs_.data()};
}

AskLaunch CudaMandelbrotEngine::ask_launch(const Subdivision& cut, std::uint32_t level) const {
  const std::uint64_t parts = parts_at(cut, level);
  return {.level = level,
          .most_regions = cut.mirrored() ? parts * parts / 2 : parts * parts,
          .block = config_.block,
          .multiprocessors = multiprocessors_};
}

DpState CudaMandelbrotEngine::dp_state() const {
  DpState state;
  state.launch_error = &progress_.data()->launch_error;
  if (config_.ideas.join) {
    state.tables[0] = tables_[0].data();
    state.tables[1] = tables_[1].data();
    const OltCapacity capacity = olt_capacity(cut_);
    const std::uint64_t chains = std::uint64_t{cut_.first_parts} * cut_.first_parts;
    state.chain_regions[0] = capacity.even / chains;
    state.chain_regions[1] = capacity.odd / chains;
    state.chains = chains_.data();
    LOOM_CUDA(cudaMemsetAsync(state.chains, 0, cut_.first_regions() * sizeof(DpState::Chain), stream_.get()));
  }
  return state;
}

template <typename Real, typename Dwell>
void CudaMandelbrotEngine::enqueue_dp(const DwellTask<Real, Dwell>& task) {
  LOOM_CUDA(compute_by_dynamic_parallelism(task, dp_state(), config_.block, stream_.get()));
}

template <typename Dwell>
std::vector<TimelineLaunch> CudaMandelbrotEngine::enqueue_recorded(const DwellTask<float, Dwell>& task,
                                                                   const RecordingView& to,
                                                                   const SpanWindow& window) {
  // The events are those of enqueue(), which read_report() reads.
  std::vector<TimelineLaunch> launches;
  record(0);
  LOOM_CUDA(cudaMemsetAsync(progress_.data(), 0, sizeof(Progress), stream_.get()));
  switch (config_.method) {
    case MandelbrotMethod::kExhaustive:
      launches.push_back(record_exhaustive(task, config_.block, to, window, stream_));
      record(1);
      break;
    case MandelbrotMethod::kAsk:
      for (std::uint32_t level = 0; level < task.cut.levels; ++level) {
        const auto of_level = record_ask_level(task, ask_tables(level), ask_launch(task.cut, level), to,
                                               static_cast<std::uint16_t>(launches.size()), stream_);
        launches.insert(launches.end(), of_level.begin(), of_level.end());
        record(level + 1);
      }
      if (task.cut.mirrored()) mirror_image(task, stream_);
      record(task.cut.levels + 1);
      break;
    case MandelbrotMethod::kDp:
      LOOM_CUDA(record_dynamic_parallelism(task, dp_state(), config_.block, to, stream_.get()));
      if (task.cut.mirrored()) mirror_image(task, stream_);
      record(1);
      for (const DpKernel& kernel : dp_kernels(task)) {
        const std::uint32_t threads = config_.block.x * config_.block.y;
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
  if (config.precision != Precision::kFloat) {
    throw InputError("a timeline on a GPU is recorded in single precision alone; allowed: --precision float");
  }
  compute(config, view, Regions::kCount);  // makes room, and cut_ is known
  double plain_milliseconds = 0;
  const bool exhaustive = config_.method == MandelbrotMethod::kExhaustive;
  const SpanWindow window(exhaustive ? exhaustive_thread_blocks(cut_, config_.block) : 0, wish.most_spans);
  DeviceRecording recording(device_, exhaustive ? window.size() : wish.most_spans, stream_);
  std::vector<TimelineLaunch> launches;
  for (int turn = 0; turn < 2; ++turn) {  // both find code, memory and clocks alike in the second one
    plain_milliseconds = compute(config, view, Regions::kCount).milliseconds;
    holds_image_ = false;
    recording.clear(stream_);
    launches = config_.ideas.narrow
                   ? enqueue_recorded(task<float, std::uint16_t>(), recording.view(), window)
                   : enqueue_recorded(task<float, std::uint32_t>(), recording.view(), window);
    stream_.wait();
    if (host_progress_.data()->launch_error != 0) throw_failed_launch();
    holds_image_ = true;
  }
  Timeline timeline = exhaustive ? recording.read(window, stream_) : recording.read(stream_);
  const MandelbrotReport report = read_report();
  timeline.plain_milliseconds = plain_milliseconds;
  timeline.milliseconds = report.milliseconds;
  timeline.launches = std::move(launches);
  if (config_.method != MandelbrotMethod::kDp) return timeline;
  // Device launches were counted region by region; those without pixels are none of them.
  for (std::uint32_t i = 0; i < cut_.levels; ++i) {
    const MandelbrotLevel& level = report.levels[i];
    timeline.launches[0].blocks += level.regions;
    if (timeline.launches.size() > 1) {
      timeline.launches[1].blocks += (level.filled + level.leaves) * dp_parts_of_region(cut_, i);
    }
  }
  return timeline;
}

void CudaMandelbrotEngine::throw_failed_launch() const {
  const auto error = static_cast<cudaError_t>(host_progress_.data()->launch_error);
  throw MachineError(
      fmt::format("dynamic parallelism: a launch from the device failed: {} ({}); at most {} may "
                  "wait; allowed: fewer regions (smaller g, larger B), or the ask method",
                  cudaGetErrorName(error), cudaGetErrorString(error), kMostPendingLaunches));
}

MandelbrotReport CudaMandelbrotEngine::read_report() {
  MandelbrotReport report;
  report.pixels = view_.pixels();
  report.bytes_held = bytes_held();
  if (config_.method == MandelbrotMethod::kExhaustive) {
    report.milliseconds = milliseconds_between(0, 1);
    return report;
  }
  const bool ask = config_.method == MandelbrotMethod::kAsk;
  const Subdivision& cut = cut_;
  report.milliseconds = milliseconds_between(0, ask ? cut.levels + 1 : 1);
  if (cut.mirrored()) report.note_mirror(cut.width, cut.height);
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
  const std::size_t pixels = holds_image_ ? view_.pixels() : 0;
  const auto* dwells = reinterpret_cast<const std::uint16_t*>(dwells_.data());
  if (!config_.ideas.narrow && pixels > 0) {
    narrowed_.reserve(pixels);
    narrow_dwells(reinterpret_cast<const std::uint32_t*>(dwells_.data()), narrowed_.data(), pixels, stream_);
    dwells = narrowed_.data();
  }
  ImageView image{.pixels = dwells,
                  .format = PixelFormat::kDwell16,
                  .width = pixels > 0 ? static_cast<int>(view_.width) : 0,
                  .height = pixels > 0 ? static_cast<int>(view_.height) : 0,
                  .row_bytes = view_.width * sizeof(std::uint16_t),
                  .space = MemorySpace::kCudaDevice,
                  .cuda_device = device_,
                  .cuda_stream = stream_.get()};
  if (space == MemorySpace::kCudaDevice) return image;
  host_pixels_.reserve(pixels);
  if (pixels > 0) {
    LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), dwells, pixels * sizeof(std::uint16_t),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
  }
  image.pixels = host_pixels_.data();
  image.space = MemorySpace::kHost;
  image.cuda_device = -1;
  image.cuda_stream = nullptr;
  return image;
}

void CudaMandelbrotEngine::read_dwells(std::uint32_t first_row, std::span<std::uint32_t> out) const {
  check_rows(view_, first_row, out.size());
  if (out.empty() || !holds_image_) return;
  use_device();
  const std::size_t first = std::size_t{first_row} * view_.width;
  if (!config_.ideas.narrow) {
    const auto* from = reinterpret_cast<const std::uint32_t*>(dwells_.data()) + first;
    LOOM_CUDA(cudaMemcpyAsync(out.data(), from, out.size_bytes(), cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return;
  }
  std::vector<std::uint16_t> narrow(out.size());
  const auto* from = reinterpret_cast<const std::uint16_t*>(dwells_.data()) + first;
  LOOM_CUDA(cudaMemcpyAsync(narrow.data(), from, narrow.size() * sizeof(std::uint16_t),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::copy(narrow.begin(), narrow.end(), out.begin());
}

void CudaMandelbrotEngine::count_dwells(std::span<std::uint64_t> counts) const {
  std::fill(counts.begin(), counts.end(), 0);
  if (!holds_image_) return;
  use_device();
  const std::size_t used = config_.dwell_limit + std::size_t{1};
  counts_.reserve(used);
  LOOM_CUDA(cudaMemsetAsync(counts_.data(), 0, used * sizeof(unsigned long long), stream_.get()));
  with_task([&](const auto& task) { cuda::count_dwells(task, counts_.data(), stream_); });
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  LOOM_CUDA(cudaMemcpyAsync(counts.data(), counts_.data(), used * sizeof(std::uint64_t),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
}

SmoothReport CudaMandelbrotEngine::compute_smooth() {
  SmoothReport report;
  if (!holds_image_) return report;
  use_device();
  smooth_width_ = smooth_height_ = 0;
  try {
    smooth_.reserve(view_.pixels());
  } catch (const CapacityError&) {
    throw does_not_fit(view_, view_.pixels() * sizeof(std::uint32_t), available_memory(device_));
  }
  std::vector<std::uint64_t> counts(config_.dwell_limit + std::size_t{1});
  const std::size_t first = cut_.levels + std::size_t{2};  // after those of the computation
  record(first);
  with_task([&](const auto& task) { smooth_dwells(task, smooth_.data(), slices(), stream_); });
  record(first + 1);
  stream_.wait();
  report.milliseconds = milliseconds_between(first, first + 1);
  smooth_width_ = view_.width;
  smooth_height_ = view_.height;
  count_dwells(counts);
  report.exterior = view_.pixels() - counts.back();
  return report;
}

ImageView CudaMandelbrotEngine::smooth_image(MemorySpace space) {
  use_device();
  const std::size_t pixels = std::size_t{smooth_width_} * smooth_height_;
  ImageView image{.pixels = smooth_.data(),
                  .format = PixelFormat::kSmoothDwell32,
                  .width = static_cast<int>(smooth_width_),
                  .height = static_cast<int>(smooth_height_),
                  .row_bytes = smooth_width_ * sizeof(std::uint32_t),
                  .space = MemorySpace::kCudaDevice,
                  .cuda_device = device_,
                  .cuda_stream = stream_.get()};
  if (space == MemorySpace::kCudaDevice) return image;
  host_smooth_.reserve(pixels);
  if (pixels > 0) {
    LOOM_CUDA(cudaMemcpyAsync(host_smooth_.data(), smooth_.data(), pixels * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
  }
  image.pixels = host_smooth_.data();
  image.space = MemorySpace::kHost;
  image.cuda_device = -1;
  image.cuda_stream = nullptr;
  return image;
}

void CudaMandelbrotEngine::compute_julia(const JuliaView& view, std::span<std::uint16_t> out) {
  const std::size_t pixels = std::size_t{view.width} * view.height;
  use_device();
  julia_.reserve(pixels);
  julia_dwells_on(view, julia_.data(), stream_);
  LOOM_CUDA(cudaMemcpyAsync(out.data(), julia_.data(), pixels * sizeof(std::uint16_t), cudaMemcpyDeviceToHost,
                            stream_.get()));
  stream_.wait();
}

DwellDifferences CudaMandelbrotEngine::count_differences(std::size_t most_places) const {
  DwellDifferences found;
  if (!holds_image_) return found;
  const WatchedCall call(watch_, 1);
  call.check();
  use_device();
  const std::uint64_t capacity = std::max<std::uint64_t>(most_places, kDifferencesAtATime);
  const DeviceBuffer<DwellDifference> places(std::min(capacity, view_.pixels()));
  const DeviceBuffer<unsigned long long> count(1);
  LOOM_CUDA(cudaMemsetAsync(count.data(), 0, sizeof(unsigned long long), stream_.get()));
  with_task([&](const auto& task) {
    find_differences(task, count.data(), places.data(), places.size(), slices(call), stream_);
  });
  unsigned long long total = 0;
  LOOM_CUDA(cudaMemcpyAsync(&total, count.data(), sizeof(total), cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  found.count = total;
  found.places.resize(std::min<std::uint64_t>(total, places.size()));
  LOOM_CUDA(cudaMemcpyAsync(found.places.data(), places.data(), found.places.size() * sizeof(DwellDifference),
                            cudaMemcpyDeviceToHost, stream_.get()));
  stream_.wait();
  std::sort(found.places.begin(), found.places.end(), [](const DwellDifference& a, const DwellDifference& b) {
    return std::tie(a.pixel.y, a.pixel.x) < std::tie(b.pixel.y, b.pixel.x);
  });
  if (found.places.size() > most_places) found.places.resize(most_places);
  return found;
}

}  // namespace loom::cuda
