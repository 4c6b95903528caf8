#include "compute/cuda/map_code/gpu_map.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <span>
#include <thread>
#include <vector>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/cuda/check.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {
namespace {

using Clock = std::chrono::steady_clock;

/// Larger launches are counted on the device.
constexpr std::uint64_t kMostCopied = std::uint64_t{1} << 24;
/// The largest number of threads along an axis for the small writes.
constexpr std::int64_t kMostSmall = std::int64_t{1} << 29;

// Of the measurement.
constexpr std::size_t kSamples = 9;
constexpr double kShortestSampleMs = 2;
constexpr std::uint32_t kMaxBatch = 1 << 12;

/// An error of the device while the map ran.
struct MapFault {
  cudaError_t status = cudaSuccess;
};

/// The kernels of one map on the current device.
class MapKernels {
 public:
  /// `count`: of kMapKernelNames.
  MapKernels(const std::vector<char>& code, std::size_t count) {
    LOOM_CUDA(cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    for (std::size_t i = 0; i < count; ++i)
      LOOM_CUDA(cudaLibraryGetKernel(&kernels_[i], library_, kMapKernelNames[i]));
  }
  ~MapKernels() { cudaLibraryUnload(library_); }
  MapKernels(const MapKernels&) = delete;
  MapKernels& operator=(const MapKernels&) = delete;

  template <typename Value>
  Value* global(const char* name) const {
    void* address = nullptr;
    std::size_t bytes = 0;
    LOOM_CUDA(cudaLibraryGetGlobal(&address, &bytes, library_, name));
    return static_cast<Value*>(address);
  }
  template <typename... Arguments>
  void enqueue(MapKernel kernel, dim3 grid, dim3 block, const Stream& stream, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    const cudaError_t status = cudaLaunchKernel(kernels_[kernel], grid, block, pointers, 0, stream.get());
    if (status != cudaSuccess) throw MapFault{status};
  }

 private:
  cudaLibrary_t library_ = nullptr;
  std::array<cudaKernel_t, kMapKernels> kernels_ = {};
};

/// A deeper stack while functions call themselves.
class StackLimit {
 public:
  explicit StackLimit(const MapCode& code) {
    constexpr std::size_t kBytesOfCall = 2048;
    if (std::ranges::none_of(code.functions, &CodeFunction::is_recursive)) return;
    LOOM_CUDA(cudaDeviceGetLimit(&before_, cudaLimitStackSize));
    LOOM_CUDA(cudaDeviceSetLimit(cudaLimitStackSize, std::max(before_, kBytesOfCall * kMaxGpuMapCalls)));
  }
  ~StackLimit() {
    if (before_ != 0) cudaDeviceSetLimit(cudaLimitStackSize, before_);
  }
  StackLimit(const StackLimit&) = delete;
  StackLimit& operator=(const StackLimit&) = delete;

 private:
  std::size_t before_ = 0;
};

/// Functions that call themselves have to fit into the stack: variables, and a register for each value.
std::string stack_problem(const MapCode& code) {
  constexpr int kMostBytes = 1600;
  for (const CodeFunction& one : code.functions) {
    int bytes = 0;
    for (const CodeVariable& variable : one.variables) bytes += 8 * variable.elements();
    if (one.is_recursive && bytes > kMostBytes)
      return fmt::format(
          "'{}' calls itself and has {} bytes of variables; allowed on a GPU: up to {}. It runs on the CPU",
          one.name, bytes, kMostBytes);
  }
  return {};
}

/// Runs the kernels of a map, each with the time limit.
class GpuRun {
 public:
  GpuRun(const NbbFractal& fractal, const MapRequest& request, const ProgressMonitor* monitor,
         const MapCode& code, MapResult& result)
      : fractal_(fractal),
        request_(request),
        monitor_(monitor),
        code_(code),
        map_fractal_(fractal, request.level),
        result_(result) {}

  void run() {
    const ExitGuard loaded;
    const Stopwatch compiling;
    const MapKernels kernels = compile(true, request_.measure != MapStorage::kNone);
    result_.compile_milliseconds += compiling.milliseconds();
    const StackLimit stack(code_);
    const DeviceBuffer<MapLaunch> launched(1);
    kernels.enqueue(kLaunchKernel, dim3(1), dim3(1), stream_, launched.data());
    if (!wait(kernels, true)) return;
    MapLaunch launch;
    LOOM_CUDA(cudaMemcpy(&launch, launched.data(), sizeof(launch), cudaMemcpyDeviceToHost));
    if (std::string problem = launch_problem(launch, kMaxGpuMapThreads); !problem.empty()) {
      result_.problems.push_back({0, 0, 0, std::move(problem)});
      return;
    }
    result_.launch = launch;
    grid_ = dim3(static_cast<unsigned>(launch.grid_x), static_cast<unsigned>(launch.grid_y));
    block_ = dim3(static_cast<unsigned>(launch.block_x), static_cast<unsigned>(launch.block_y));
    const Stopwatch running;
    const bool copies = launch.threads() <= kMostCopied && points() <= kMaxMapPoints;
    if (!(copies ? copy_points(kernels) : count(kernels))) return;
    result_.run_milliseconds = running.milliseconds();
    result_.outcome = MapOutcome::kRan;
    if (request_.measure == MapStorage::kNone || !result_.coverage.is_exact()) return;
    result_.checked_write_milliseconds = measure(kernels);
    if (result_.outcome != MapOutcome::kRan) return;
    // The launch has shown that no check fails, and the next launches are the same.
    const MapKernels unchecked = compile(false, true);
    result_.single_write_milliseconds = measure(unchecked);
  }

 private:
  MapKernels compile(bool is_checked, bool writes) const {
    const std::size_t count = writes ? kMapKernels : kWriteKernel;
    const std::vector<std::string> names(kMapKernelNames, kMapKernelNames + count);
    const int architecture = 10 * request_.device.compute_major + request_.device.compute_minor;
    const std::string text = map_kernel_text(code_, map_fractal_, is_checked, writes);
    return MapKernels(compile_at_run_time(text, {}, names, architecture).code, count);
  }
  std::uint64_t points() const { return fractal_.width(request_.level) * fractal_.height(request_.level); }

  /// Waits for the launch. Returns false if a thread failed, with the problem.
  bool wait(const MapKernels& kernels, bool is_launch = false) {
    const auto end = Clock::now() + request_.time_limit;
    bool cancels = false;
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream_.get());
      if (status == cudaSuccess) break;
      if (status != cudaErrorNotReady) throw MapFault{status};
      if (!cancels && (Clock::now() > end || (monitor_ != nullptr && monitor_->cancelled()))) {
        // Every thread reads this at its begin and while it loops.
        static constexpr int kYes = 1;
        LOOM_CUDA(cudaMemcpyAsync(kernels.global<int>("loom_cancel"), &kYes, sizeof(kYes),
                                  cudaMemcpyHostToDevice, other_stream_.get()));
        cancels = true;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (cancels && monitor_ != nullptr && monitor_->cancelled()) throw OperationCancelled();
    unsigned long long fault = 0;
    LOOM_CUDA(cudaMemcpy(&fault, kernels.global<unsigned long long>("loom_fault"), sizeof(fault),
                         cudaMemcpyDeviceToHost));
    if (fault == ~0ull && !cancels) return true;
    const auto kind = cancels ? Fault::kTime : static_cast<Fault>(fault & 15);
    result_.outcome =
        kind == Fault::kTime || kind == Fault::kInstructions ? MapOutcome::kTimeout : MapOutcome::kCrashed;
    const int line = fault == ~0ull ? 0 : static_cast<int>(fault >> 4 & 0x1ffff);
    result_.problems.push_back(
        {line, 0, 0, fault_text(kind, result_.launch, fault >> 21, is_launch, kMaxGpuMapCalls)});
    return false;
  }

  bool copy_points(const MapKernels& kernels) {
    const MapLaunch& launch = result_.launch;
    const DeviceBuffer<MapPoint> on_device(launch.threads());
    kernels.enqueue(kPointsKernel, grid_, block_, stream_, on_device.data());
    if (!wait(kernels)) return false;
    std::vector<MapPoint> points(launch.threads());
    LOOM_CUDA(cudaMemcpy(points.data(), on_device.data(), points.size() * sizeof(MapPoint),
                         cudaMemcpyDeviceToHost));
    CoverageCounter counter(fractal_, request_.level, launch, request_.keep_points);
    counter.add(points);
    static_cast<CoverageResult&>(result_) = counter.take();
    if (request_.keep_points) result_.points = std::move(points);
    return true;
  }

  bool count(const MapKernels& kernels) {
    const std::size_t words = points() / 32 + 1;
    const DeviceBuffer<std::uint32_t> bits(2 * words);
    // In the order of the kernel's counts.
    std::array<std::uint64_t, 10> counts{};
    auto& [active, none, holes, outside, reached, repeated, warps, active_warps, sectors, blocks_in_use] =
        counts;
    const DeviceBuffer<std::uint64_t> on_device(counts.size());
    LOOM_CUDA(cudaMemsetAsync(bits.data(), 0, 2 * words * sizeof(std::uint32_t), stream_.get()));
    LOOM_CUDA(cudaMemsetAsync(on_device.data(), 0, sizeof(counts), stream_.get()));
    kernels.enqueue(kCountKernel, grid_, block_, stream_, bits.data(), bits.data() + words, on_device.data());
    if (!wait(kernels)) return false;
    LOOM_CUDA(cudaMemcpy(counts.data(), on_device.data(), sizeof(counts), cudaMemcpyDeviceToHost));
    const std::uint64_t cells = fractal_.cells(request_.level);
    const std::uint64_t blocks = result_.launch.blocks();
    result_.coverage = {.cells = cells,
                        .threads = result_.launch.threads(),
                        .blocks = blocks,
                        .active = active,
                        .none = none,
                        .on_holes = holes,
                        .outside = outside,
                        .empty_blocks = blocks - blocks_in_use,
                        .once = reached - repeated,
                        .repeated = repeated,
                        .missed = cells - reached,
                        .warps = warps,
                        .active_warps = active_warps,
                        .sectors = sectors};
    return true;
  }

  /// Like the engines: several writes between two events, one after the other on a stream.
  std::optional<double> measure(const MapKernels& kernels) {
    const MapLaunch& launch = result_.launch;
    const bool compact = request_.measure == MapStorage::kCompact;
    const DeviceBuffer<std::uint8_t> image(compact ? launch.threads() : points());
    const bool small =
        launch.grid_x * launch.block_x <= kMostSmall && launch.grid_y * launch.block_y <= kMostSmall;
    const MapKernel write = compact ? (small ? kSmallCompactWriteKernel : kCompactWriteKernel)
                            : small ? kSmallWriteKernel
                                    : kWriteKernel;
    std::uint32_t generation = 0;
    const Event begin(Event::Timing::kYes);
    const Event end(Event::Timing::kYes);
    bool has_failed = false;
    const auto sample = [&](std::uint32_t writes) {
      begin.record(stream_.get());
      for (std::uint32_t i = 0; i < writes; ++i)
        kernels.enqueue(write, grid_, block_, stream_, image.data(), generation++);
      end.record(stream_.get());
      has_failed = has_failed || !wait(kernels);
      return has_failed ? kShortestSampleMs : double{end.milliseconds_since(begin)};
    };
    sample(1);
    std::uint32_t batch = 1;
    while (batch < kMaxBatch && sample(batch) < kShortestSampleMs) batch *= 2;
    std::array<double, kSamples> times;
    for (double& time : times) time = sample(batch) / batch;
    std::sort(times.begin(), times.end());
    if (has_failed) return std::nullopt;
    return times[kSamples / 2];
  }

  const NbbFractal& fractal_;
  const MapRequest& request_;
  const ProgressMonitor* monitor_;
  const MapCode& code_;
  MapFractal map_fractal_;
  MapResult& result_;
  Stream stream_;
  Stream other_stream_;
  dim3 grid_;
  dim3 block_;
};

/// A message about an error of the device.
std::string device_text(cudaError_t status) {
  if (status == cudaErrorLaunchOutOfResources)
    return "the GPU has not enough registers or memory for a thread block of this size";
  return fmt::format("the GPU ended the map: {}", cudaGetErrorString(status));
}

}  // namespace

bool has_map_compiler() {
  return has_run_time_compiler();
}

void run_map_on_gpu(const NbbFractal& fractal, const MapRequest& request, const MapProgram& program,
                    const ProgressMonitor* monitor, MapResult& result) {
  if (std::string problem = stack_problem(*program.code); !problem.empty()) {
    result.problems.push_back({0, 0, 0, std::move(problem)});
    return;
  }
  check_cancel(monitor);
  const auto fail = [&](std::string text) {
    result.outcome = MapOutcome::kCrashed;
    result.problems.push_back({0, 0, 0, std::move(text)});
  };
  try {
    LOOM_CUDA(cudaSetDevice(request.device.ordinal));
    GpuRun(fractal, request, monitor, *program.code, result).run();
  } catch (const MapFault& fault) {
    cudaGetLastError();
    fail(device_text(fault.status));
  } catch (const CapacityError& error) {
    fail(error.what());
  } catch (const CompilerError& error) {
    throw MachineError(fmt::format("NVRTC: {}", error.what()));
  }
}

}  // namespace loom::cuda
