#include "compute/cuda/mandelbrot/cuda_mandelbrot_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/check.h"
#include "compute/cuda/mandelbrot/level_plan.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/map_code/code.h"

namespace loom::cuda {
namespace {

/// The most pixels that are listed at a time, and that are computed again with two doubles.
constexpr std::uint64_t kMaxListed = 1u << 22;

cudaDeviceProp properties_of(int device) {
  cudaDeviceProp properties{};
  LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
  return properties;
}

/// The ratio of single to double precision throughput.
std::uint64_t double_ratio(int device) {
  int ratio = 1;
  LOOM_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
  return static_cast<std::uint64_t>(std::max(1, ratio));
}

}  // namespace

CudaMandelbrotEngine::CudaMandelbrotEngine(int device, const RowPartition& share, const LaunchSlices& slices)
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

std::uint64_t CudaMandelbrotEngine::allocated_bytes() const {
  return dwells_.size() + (tables_[0].size() + tables_[1].size()) * sizeof(Coord32) +
         jobs_.size() * sizeof(RegionJob) + warp_tables_.size() * sizeof(std::uint64_t) +
         (long_orbits_.size() + uncertain_.size()) * sizeof(Coord32) + dp_.allocated_bytes() +
         region_list_.size() * sizeof(MandelbrotRegion) + images_.allocated_bytes() +
         perturbation_.allocated_bytes();
}

std::uint32_t CudaMandelbrotEngine::steps_of_pixel(const MandelbrotConfig& config) const {
  if (config.set.formula == Formula::kCustom) {
    constexpr std::uint64_t kInstructions = 8;  // of one step of a built-in formula
    const std::size_t instructions = config.set.custom.code(true).instructions.size();
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(
        config.dwell_limit * (1 + instructions / kInstructions), std::numeric_limits<std::uint32_t>::max()));
  }
  if (!is_perturbed(config.precision)) return config.dwell_limit;
  // Most iterations are skipped: those of an orbit that stays near the reference take a few steps per length
  // of the reference, others at most some thousands.
  constexpr std::uint64_t kFarSteps = 8192;
  constexpr std::uint64_t kStepsOfLength = 16;
  // Nearly all of those that would go on to the limit are found inside by then.
  constexpr std::uint64_t kMostLengths = 64;
  const std::uint64_t lengths = std::min<std::uint64_t>(
      config.dwell_limit / std::max(1u, perturbation_.stats().orbit_length) + 1, kMostLengths);
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(config.dwell_limit, kFarSteps + kStepsOfLength * lengths));
}

void CudaMandelbrotEngine::make_room(const MandelbrotConfig& config, const MandelbrotView& view,
                                     Regions regions) {
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
  device_places_.reserve(std::max<std::size_t>(first_places_.size(), 1));  // null would mean all regions
  LOOM_CUDA(cudaMemcpyAsync(device_places_.data(), first_places_.data(),
                            first_places_.size() * sizeof(Coord32), cudaMemcpyHostToDevice, stream_.get()));
  *first_entries_.data() = first_places_.size();
}

void CudaMandelbrotEngine::set_distribution(const DwellDistribution* distribution) {
  share_.distribution = distribution;
  places_of_.reset();
}

std::span<const std::uint32_t> CudaMandelbrotEngine::region_costs() const {
  if (!has_costs_) return {};
  return {host_costs_.data(), static_cast<std::size_t>(held_.cut.first_regions())};
}

std::optional<ImageView> CudaMandelbrotEngine::whole_image(std::span<const PartitionRows> others, bool smooth,
                                                           MemorySpace space) {
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

MandelbrotReport CudaMandelbrotEngine::read_report() {
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
  return images_.image(holds_image_ ? &held_ : nullptr, space);
}

void CudaMandelbrotEngine::read_dwells(std::uint32_t first_row, std::span<std::uint32_t> out) const {
  check_rows(view(), first_row, out.size());
  if (out.empty() || !holds_image_) return;
  use_device();
  images_.read(held_, first_row, out);
}

void CudaMandelbrotEngine::count_dwells(std::span<std::uint64_t> counts) const {
  std::fill(counts.begin(), counts.end(), 0);
  if (!holds_image_) return;
  use_device();
  images_.count(held_, counts);
}

SmoothReport CudaMandelbrotEngine::compute_smooth() {
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

ImageView CudaMandelbrotEngine::smooth_image(MemorySpace space) {
  use_device();
  return images_.smooth_image(space);
}

DwellDifferences CudaMandelbrotEngine::count_differences(std::size_t max_places) const {
  if (!holds_image_) return {};
  const ProgressScope call(monitor_, 1);
  call.check();
  use_device();
  return images_.differences(held_, max_places, slices(call));
}

}  // namespace loom::cuda
