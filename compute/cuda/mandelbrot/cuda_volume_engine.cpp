#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/backend/cuda_backend.h"
#include "compute/core/error.h"
#include "compute/cuda/available_memory.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/mandelbrot/dp/dp_launches.h"
#include "compute/cuda/mandelbrot/region/volume_kernels.h"
#include "compute/map_code/code.h"

namespace loom::cuda {
namespace {

/// The offset table of a level.
class OffsetTable {
 public:
  void reserve(RegionOrder order, std::uint64_t entries) {
    order_ = order;
    order == RegionOrder::kCoordinates ? places_.reserve(entries) : numbers_.reserve(entries);
  }
  VolumeTable view() const { return {order_, numbers_.data(), places_.data()}; }

 private:
  RegionOrder order_ = RegionOrder::kCanonical;
  DeviceBuffer<std::uint32_t> numbers_;
  DeviceBuffer<Coord3> places_;
};

/// Exhaustive in one launch; DP by launches from the device; ASK by a launch for each level, whose size the
/// host reads from the level before (SBR), or by three (MBR). Long work is divided into several launches.
class CudaVolumeEngine final : public VolumeEngine {
 public:
  explicit CudaVolumeEngine(int device) : device_(device), slices_(slices_of(device)), totals_(1) {
    cudaDeviceProp properties{};
    LOOM_CUDA(cudaGetDeviceProperties(&properties, device));
    name_ = fmt::format("cuda: {}", properties.name);
    int ratio = 1;
    LOOM_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, device));
    // A step has up to 90 operations, and one of LaunchSlices about ten.
    slice_steps_ = 8 * static_cast<std::uint64_t>(std::max(1, ratio));
  }
  ~CudaVolumeEngine() override {
    LOOM_CUDA_QUIETLY(cudaSetDevice(device_));
    LOOM_CUDA_QUIETLY(cudaStreamSynchronize(stream_.get()));
  }

  std::string backend_name() const override { return name_; }

  MandelbrotReport compute(const VolumeConfig& config) override {
    MandelbrotReport report = begin(config);
    use_device();
    if (config.set == VolumeSet::kCustom && (custom_ == nullptr || custom_->formula() != config.custom))
      custom_ = std::make_unique<CustomKernels>(config.custom, device_);
    host_samples_.clear();
    const VolumeSubdivision cut(config);
    const std::uint64_t samples = report.pixels;
    reserve(samples_, samples, "the samples");
    prepare_task();
    const ProgressScope call(monitor_, 1);
    const LaunchSlices slices = slices_of_call(call, &report.launches);
    if (task_.custom != nullptr) custom_->begin(stream_);
    events_.mark(0, stream_);
    LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, sizeof(Totals), stream_.get()));
    std::uint32_t marks = 1;
    if (is_exhaustive()) {
      each_layers(slices, [&](std::uint32_t first, std::uint32_t end) {
        compute_layers(task_, first, end, stream_);
      });
    } else {
      mark_unknown(samples_.data(), samples, stream_);
      if (config.method == MandelbrotMethod::kDp) {
        run_dp(slices, report);
      } else {
        marks += run_ask(slices, call);
      }
    }
    events_.mark(static_cast<int>(marks), stream_);
    const Totals totals = read(totals_.data());
    call.check();
    if (task_.custom != nullptr) custom_->check(stream_);
    report.milliseconds = events_.milliseconds(0, static_cast<int>(marks));
    report.launches += totals.launches;
    report.allocated_bytes = samples * sizeof(VolumeSample) + table_bytes_;
    for (std::uint32_t i = 0; i < report.levels.size(); ++i) {
      const VolumeTask::Counts& count = totals.levels[i];
      MandelbrotLevel& level = report.levels[i];
      level.regions = count.regions;
      level.filled = count.filled;
      level.leaves = count.leaves;
      level.splits = count.splits;
      level.children = count.splits * cut.r * cut.r * cut.r;
      level.border_pixels = count.border;
      level.leaf_pixels = count.leaf;
      level.filled_pixels = count.inside;
      if (i + 1 < marks)
        level.milliseconds = events_.milliseconds(static_cast<int>(i), static_cast<int>(i + 1));
    }
    return report;
  }

  std::span<const VolumeSample> samples() override {
    const std::size_t count = std::size_t{config_.size} * config_.size * config_.size;
    if (host_samples_.size() == count) return host_samples_;
    use_device();
    host_samples_.resize(count);
    LOOM_CUDA(cudaMemcpyAsync(host_samples_.data(), samples_.data(), count * sizeof(VolumeSample),
                              cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return host_samples_;
  }

  VolumeDifferences count_differences() override {
    use_device();
    const ProgressScope call(monitor_, 1);
    reserve(misses_, miss_words(), "marks of misses");
    LOOM_CUDA(cudaMemsetAsync(misses_.data(), 0, miss_words() * sizeof(std::uint32_t), stream_.get()));
    LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, sizeof(Totals), stream_.get()));
    if (task_.custom != nullptr) custom_->begin(stream_);
    each_layers(slices_of_call(call, nullptr), [&](std::uint32_t first, std::uint32_t end) {
      count_different(task_, first, end, &totals_.data()->differences, misses_.data(), stream_);
    });
    const Totals totals = read(totals_.data());
    call.check();
    if (task_.custom != nullptr) custom_->check(stream_);
    has_misses_ = true;
    return {totals.differences[0], totals.differences[1]};
  }

  double draw(const SolidView& view, const VolumeLook& look, MemorySpace space, SolidImage& image) override {
    use_device();
    const std::size_t count = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    pixels_.reserve(count);
    VolumeScene scene = scene_of(samples_.data(), misses_.data(), look, kLayersBlock);
    scene.shares_regions = config_.method == MandelbrotMethod::kAsk && config_.scheme == RegionScheme::kMbr;
    events_.mark(0, stream_);
    draw_volume(scene, view, pixels_.data(), stream_);
    events_.mark(1, stream_);
    image = {pixels_.data(), view.width, view.height, {device_, stream_.get()}};
    if (space == MemorySpace::kHost) {
      host_pixels_.reserve(count);
      LOOM_CUDA(cudaMemcpyAsync(host_pixels_.data(), pixels_.data(), count * sizeof(std::uint32_t),
                                cudaMemcpyDeviceToHost, stream_.get()));
      image = {host_pixels_.data(), view.width, view.height};
    }
    stream_.wait();
    return events_.milliseconds(0, 1);
  }

 private:
  struct Totals {
    VolumeTask::Counts levels[kMaxSubdivisionLevels];
    unsigned long long differences[2];
    unsigned long long written[2];  ///< parts for the next level, and regions that end (MBR)
    unsigned long long launches;
    int launch_error;
  };

  void use_device() const { LOOM_CUDA(cudaSetDevice(device_)); }
  template <typename T>
  T read(const T* at) const {
    T value;
    LOOM_CUDA(cudaMemcpyAsync(&value, at, sizeof(T), cudaMemcpyDeviceToHost, stream_.get()));
    stream_.wait();
    return value;
  }

  template <typename T>
  void reserve(DeviceBuffer<T>& buffer, std::uint64_t count, std::string_view what) const {
    if (count <= buffer.size()) return;
    buffer = {};
    const std::uint64_t needed = count * sizeof(T);
    const std::uint64_t available = available_memory(device_);
    if (needed > available) {
      throw CapacityError(fmt::format("{} need {}, but only {} are free on the device", what,
                                      describe_bytes(needed), describe_bytes(available)),
                          needed, available);
    }
    buffer.reserve(count);
  }

  void prepare_task() {
    task_ = {.set = config_.set,
             .power = config_.power,
             .c = {config_.c[0], config_.c[1], config_.c[2], config_.c[3]},
             .cut = VolumeSubdivision(config_),
             .dwell_limit = config_.dwell_limit,
             .samples = samples_.data(),
             .counts = totals_.data()->levels,
             .custom = config_.set == VolumeSet::kCustom ? custom_.get() : nullptr,
             .launch_error = &totals_.data()->launch_error,
             .launches = &totals_.data()->launches};
    points_.reserve(std::size_t{3} * config_.size);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::vector<double> points = points_on_axis(config_, axis);
      double* const at = points_.data() + axis * config_.size;
      LOOM_CUDA(cudaMemcpy(at, points.data(), points.size() * sizeof(double), cudaMemcpyHostToDevice));
      task_.points[axis] = at;
    }
  }

  LaunchSlices slices_of_call(const ProgressScope& call, std::uint64_t* launches) const {
    LaunchSlices slices = slices_;
    slices.launches = launches;
    slices.between = [this, &call] {
      stream_.wait();
      call.check();
    };
    return slices;
  }
  /// Steps of a number of samples (LaunchSlices), if none escapes.
  std::uint64_t steps_of(std::uint64_t samples) const {
    constexpr std::uint64_t kInstructions = 64;  // of one step of a built-in set
    const std::uint64_t more =
        task_.custom == nullptr ? 0 : config_.custom.code(true).instructions.size() / kInstructions;
    return saturating_multiply(samples, (1 + more) * slice_steps_ * config_.dwell_limit);
  }

  /// Calls launch(first, end) for all layers of z; a launch begins with an even one.
  template <typename Launch>
  void each_layers(const LaunchSlices& slices, const Launch& launch) const {
    const std::uint32_t n = config_.size;
    slices.each((n + 1) / 2, steps_of(2 * std::uint64_t{n} * n), [&](std::uint64_t first, std::uint64_t end) {
      launch(static_cast<std::uint32_t>(2 * first), std::min(n, static_cast<std::uint32_t>(2 * end)));
    });
  }

  void run_dp(const LaunchSlices& slices, MandelbrotReport& report) {
    DpLaunches::make_room();
    const std::uint64_t roots = task_.cut.regions_at(0);
    const std::uint64_t side = (config_.size + config_.g - 1) / config_.g;
    while (true) {
      slices.each_block(roots, steps_of(side * side * side), [&](std::uint64_t first, std::uint64_t end) {
        if (task_.custom != nullptr) {
          void (*const kernel)(VolumeTask, std::uint32_t, std::uint32_t, Coord3) = nullptr;
          return launch_on_task(volume_slices(task_), "loom_volume_dp", kernel,
                                static_cast<unsigned>(end - first), threads_of_region(task_.cut, 0), stream_,
                                task_, 0u, static_cast<std::uint32_t>(first), Coord3{});
        }
        LOOM_CUDA(compute_volume_by_dynamic_parallelism(task_, static_cast<std::uint32_t>(first),
                                                        static_cast<std::uint32_t>(end), stream_.get()));
      });
      const int error = read(task_.launch_error);
      if (error == 0) return;
      if (!DpLaunches::make_more_room(error)) DpLaunches::throw_failed(error);
      // From the beginning: the counts too.
      report.launches = 0;
      LOOM_CUDA(cudaMemsetAsync(totals_.data(), 0, sizeof(Totals), stream_.get()));
      mark_unknown(samples_.data(), report.pixels, stream_);
    }
  }

  /// Marks an event at the end of each level; returns the number of levels.
  std::uint32_t run_ask(const LaunchSlices& slices, const ProgressScope& call) {
    table_.reserve(config_.order, task_.cut.regions_at(0));
    list_first_regions(task_, table_.view(), stream_);
    slices.note_launch();
    each_level([&](std::uint32_t level, std::uint64_t count, std::uint64_t parts) {
      call.check();
      next_.reserve(config_.order, parts);
      LOOM_CUDA(cudaMemsetAsync(totals_.data()->written, 0, sizeof(totals_.data()->written), stream_.get()));
      if (count > 0)
        config_.scheme == RegionScheme::kSbr ? run_sbr(slices, level, count) : run_mbr(slices, level, count);
      const std::uint64_t written = parts > 0 ? read(totals_.data()->written) : 0;
      events_.mark(static_cast<int>(level + 1), stream_);
      std::swap(table_, next_);
      return written;
    });
    return task_.cut.levels;
  }

  void run_sbr(const LaunchSlices& slices, std::uint32_t level, std::uint64_t count) {
    slices.each_block(count, steps_of(samples_of(level)), [&](std::uint64_t first, std::uint64_t end) {
      compute_regions(task_, level, table_.view(), first, end, next_.view(), totals_.data()->written,
                      stream_);
    });
  }

  void run_mbr(const LaunchSlices& slices, std::uint32_t level, std::uint64_t count) {
    faces_.reserve(count);
    ended_.reserve(count);
    LOOM_CUDA(cudaMemsetAsync(faces_.data(), 0xff, count * sizeof(VolumeFaces), stream_.get()));
    slices.each(count, steps_of(std::uint64_t{face_blocks(task_, level)} * kVolumeThreads),
                [&](std::uint64_t first, std::uint64_t end) {
                  compute_faces(task_, level, table_.view(), first, end, faces_.data(), stream_);
                });
    decide_regions(task_, level, table_.view(), count, faces_.data(), next_.view(), ended_.data(),
                   &totals_.data()->written, stream_);
    slices.note_launch();
    const std::uint64_t ended = read(totals_.data()->written + 1);
    slices.each(ended, steps_of(samples_of(level)), [&](std::uint64_t first, std::uint64_t end) {
      end_regions(task_, level, table_.view(), faces_.data(), ended_.data(), first, end, stream_);
    });
  }

  /// Of the widest region of a level.
  std::uint64_t samples_of(std::uint32_t level) const {
    const std::uint64_t parts = task_.cut.parts_at(level);
    const std::uint64_t side = (config_.size + parts - 1) / parts;
    return side * side * side;
  }

  int device_;
  std::string name_;
  LaunchSlices slices_;
  std::uint64_t slice_steps_ = 1;  ///< of LaunchSlices, for a step of an orbit
  Stream stream_;
  StreamEvents<kMaxSubdivisionLevels + 2> events_;
  DeviceBuffer<Totals> totals_;
  DeviceBuffer<VolumeSample> samples_;
  DeviceBuffer<double> points_;
  std::unique_ptr<CustomKernels> custom_;  ///< of the last custom formula
  VolumeTask task_{.cut = VolumeSubdivision(VolumeConfig{})};
  OffsetTable table_;
  OffsetTable next_;
  DeviceBuffer<VolumeFaces> faces_;
  DeviceBuffer<std::uint32_t> ended_;
  std::vector<VolumeSample> host_samples_;  ///< a copy, if it was asked for
  DeviceBuffer<std::uint32_t> misses_;      ///< bits (set_miss())
  DeviceBuffer<std::uint32_t> pixels_;
  PinnedBuffer<std::uint32_t> host_pixels_;
};

}  // namespace

std::unique_ptr<VolumeEngine> make_volume_engine(int device) {
  LOOM_CUDA(cudaSetDevice(device));
  return std::make_unique<CudaVolumeEngine>(device);
}

}  // namespace loom::cuda
