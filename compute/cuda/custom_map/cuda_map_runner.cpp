#include "compute/cuda/custom_map/cuda_map_runner.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>
#include <span>
#include <thread>
#include <vector>

#include "compute/core/error.h"
#include "compute/cuda/check.h"
#include "compute/cuda/custom_map/map_kernels.h"
#include "compute/cuda/device_buffer.h"
#include "compute/cuda/run_time_compiler.h"
#include "compute/cuda/stream.h"
#include "compute/custom_map/map_messages.h"
#include "compute/custom_map/map_run.h"
#include "compute/custom_map/map_sandbox.h"

namespace loom::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kPointsAtATime = 1 << 14;
/// NVRTC takes longer than libtcc.
constexpr int kLeastCompileMilliseconds = 5000;
constexpr std::array<const char*, 7> kKernelNames = {kLaunchKernel,       kPointsKernel,
                                                     kWriteKernel,        kSmallWriteKernel,
                                                     kCompactWriteKernel, kSmallCompactWriteKernel,
                                                     kCountKernel};
enum Kernel : std::size_t {
  kLaunch,
  kPoints,
  kWrite,
  kSmallWrite,
  kCompactWrite,
  kSmallCompactWrite,
  kCount
};
/// The largest number of threads along an axis for the small writes.
constexpr std::int64_t kMostSmall = std::int64_t{1} << 29;

// Of the measurement.
constexpr std::size_t kSamples = 9;
constexpr double kShortestSampleMs = 2;
constexpr std::uint32_t kMaxBatch = 1 << 12;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void send_text(MapMessage kind, const std::string& text) {
  send(kind, text.data(), text.size());
}

/// An error of the device while the map ran.
struct MapFault {
  cudaError_t status = cudaSuccess;
};

/// What compiles: ends with a message kCode or with problems on standard output.
[[noreturn]] void compile(const MapRunRequest& request, const std::string& code) {
  try {
    const std::vector<std::string> kernels(kKernelNames.begin(), kKernelNames.end());
    const ExitGuard loaded;  // the compiler has loaded its own files
    const int milliseconds = std::max(request.milliseconds, kLeastCompileMilliseconds);
    const char filtered = enter_sandbox(milliseconds, RefusedCall::kFails) ? 1 : 0;
    send(MapMessage::kSandbox, &filtered, 1);
    const auto begin = Clock::now();
    const MachineCode compiled =
        compile_at_run_time(map_kernel_text(request, code), {}, kernels, request.architecture);
    const double taken = milliseconds_since(begin);
    send(MapMessage::kCompiled, &taken, sizeof(taken));
    send(MapMessage::kCode, compiled.code.data(), compiled.code.size());
  } catch (const CompilerError& error) {
    std::vector<CodeProblem> problems = problems_of_log(error.log());
    if (problems.empty()) problems.push_back({0, 0, 0, error.what()});
    for (const CodeProblem& problem : problems) send_problem(problem.line, problem.column, problem.message);
  } catch (const std::bad_alloc&) {
    send_problem(0, 0, "out of memory");
  }
  _exit(0);
}

/// The process that compiles, and the end of the pipe to read from.
struct Compiler {
  pid_t process = -1;
  int output = -1;
};
Compiler start_compiler(const MapRunRequest& request, const std::string& code) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw MachineError("cannot create a pipe to the compiler");
  const pid_t process = fork();
  if (process < 0) throw MachineError("cannot start the compiler's process");
  if (process == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    compile(request, code);
  }
  close(ends[1]);
  return {process, ends[0]};
}

/// Passes on the compiler's messages. Returns the machine code; empty if there is none.
std::vector<char> code_of(const Compiler& compiler) {
  constexpr std::uint32_t kMaxCode = 1 << 28;
  std::vector<char> code;
  MapMessageHead head{};
  while (code.empty() && read_all(compiler.output, &head, sizeof(head)) && head.bytes <= kMaxCode) {
    std::vector<char> data(head.bytes);
    if (!read_all(compiler.output, data.data(), data.size())) break;
    if (head.kind == MapMessage::kCode) {
      code = std::move(data);
    } else {
      send(head.kind, data.data(), data.size());
    }
  }
  kill(compiler.process, SIGKILL);
  waitpid(compiler.process, nullptr, 0);
  return code;
}

/// The kernels of one map on the current device.
class MapKernels {
 public:
  explicit MapKernels(const std::vector<char>& code) {
    LOOM_CUDA(cudaLibraryLoadData(&library_, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0));
    for (std::size_t i = 0; i < kKernelNames.size(); ++i)
      LOOM_CUDA(cudaLibraryGetKernel(&kernels_[i], library_, kKernelNames[i]));
  }

  template <typename... Arguments>
  void enqueue(Kernel kernel, dim3 grid, dim3 block, const Stream& stream, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    LOOM_CUDA(cudaLaunchKernel(kernels_[kernel], grid, block, pointers, 0, stream.get()));
  }

 private:
  cudaLibrary_t library_ = nullptr;  // until the process ends
  std::array<cudaKernel_t, kKernelNames.size()> kernels_ = {};
};

/// Runs the kernels of a map, each with the time limit.
class MapRun {
 public:
  MapRun(const MapRunRequest& request, const std::vector<char>& code) : request_(request), kernels_(code) {}

  void run() {
    const DeviceBuffer<MapLaunch> launched(1);
    kernels_.enqueue(kLaunch, dim3(1), dim3(1), stream_, launched.data());
    wait();
    LOOM_CUDA(cudaMemcpy(&launch_, launched.data(), sizeof(launch_), cudaMemcpyDeviceToHost));
    send(MapMessage::kLaunch, &launch_, sizeof(launch_));
    if (!launch_problem(launch_, kMaxGpuMapThreads).empty()) return;
    grid_ = dim3(static_cast<unsigned>(launch_.grid_x), static_cast<unsigned>(launch_.grid_y));
    block_ = dim3(static_cast<unsigned>(launch_.block_x), static_cast<unsigned>(launch_.block_y));
    const auto begin = Clock::now();
    const bool exact =
        launch_.threads() <= kMaxMapThreads && points() <= kMaxMapPoints ? send_points() : count();
    const double taken = milliseconds_since(begin);
    send(MapMessage::kRan, &taken, sizeof(taken));
    if (exact && request_.measure != MapStorage::kNone) measure();
    send(MapMessage::kDone, nullptr, 0);
  }

 private:
  std::uint64_t points() const {
    return static_cast<std::uint64_t>(request_.width) * static_cast<std::uint64_t>(request_.height);
  }

  void wait() const {
    const auto end = Clock::now() + std::chrono::milliseconds(request_.milliseconds);
    for (;;) {
      const cudaError_t status = cudaStreamQuery(stream_.get());
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) throw MapFault{status};
      if (Clock::now() > end) {
        // Freeing memory would wait for the launch; the end of the process ends it.
        send(MapMessage::kTimeout, nullptr, 0);
        _exit(0);
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

  /// Always true: whether the coverage is exact is known to the reader alone.
  bool send_points() {
    const DeviceBuffer<MapPoint> on_device(launch_.threads());
    kernels_.enqueue(kPoints, grid_, block_, stream_, on_device.data());
    wait();
    std::vector<MapPoint> points(launch_.threads());
    LOOM_CUDA(cudaMemcpy(points.data(), on_device.data(), points.size() * sizeof(MapPoint),
                         cudaMemcpyDeviceToHost));
    const std::size_t block = launch_.threads_per_block();
    const std::size_t step = std::max<std::size_t>(kPointsAtATime / block, 1) * block;
    for (std::size_t i = 0; i < points.size(); i += step)
      send(MapMessage::kPoints, points.data() + i, std::min(step, points.size() - i) * sizeof(MapPoint));
    return true;
  }

  bool count() {
    const std::size_t words = points() / 32 + 1;
    const DeviceBuffer<std::uint32_t> bits(2 * words);
    const DeviceBuffer<unsigned long long> on_device(kMapCounts);
    LOOM_CUDA(cudaMemsetAsync(bits.data(), 0, 2 * words * sizeof(std::uint32_t), stream_.get()));
    LOOM_CUDA(cudaMemsetAsync(on_device.data(), 0, kMapCounts * sizeof(unsigned long long), stream_.get()));
    kernels_.enqueue(kCount, grid_, block_, stream_, bits.data(), bits.data() + words, on_device.data());
    wait();
    std::array<unsigned long long, kMapCounts> counts{};
    LOOM_CUDA(cudaMemcpy(counts.data(), on_device.data(), sizeof(counts), cudaMemcpyDeviceToHost));
    const auto cells = static_cast<std::uint64_t>(request_.cells);
    const MapCoverage coverage{.cells = cells,
                               .threads = launch_.threads(),
                               .blocks = launch_.blocks(),
                               .active = counts[kCountActive],
                               .none = counts[kCountNone],
                               .on_holes = counts[kCountHoles],
                               .outside = counts[kCountOutside],
                               .empty_blocks = launch_.blocks() - counts[kCountBlocksInUse],
                               .once = counts[kCountReached] - counts[kCountRepeated],
                               .repeated = counts[kCountRepeated],
                               .missed = cells - counts[kCountReached],
                               .warps = counts[kCountWarps],
                               .active_warps = counts[kCountActiveWarps],
                               .sectors = counts[kCountSectors]};
    send(MapMessage::kCounted, &coverage, sizeof(coverage));
    return coverage.is_exact();
  }

  /// Like the engines: several writes between two events, one after the other on a stream.
  void measure() {
    const bool compact = request_.measure == MapStorage::kCompact;
    const DeviceBuffer<std::uint8_t> image(compact ? launch_.threads() : points());
    const bool small =
        launch_.grid_x * launch_.block_x <= kMostSmall && launch_.grid_y * launch_.block_y <= kMostSmall;
    const Kernel write = compact ? (small ? kSmallCompactWrite : kCompactWrite)
                         : small ? kSmallWrite
                                 : kWrite;
    std::uint32_t generation = 0;
    const Event begin(Event::Timing::kYes);
    const Event end(Event::Timing::kYes);
    const auto sample = [&](std::uint32_t writes) {
      begin.record(stream_.get());
      for (std::uint32_t i = 0; i < writes; ++i)
        kernels_.enqueue(write, grid_, block_, stream_, image.data(), generation++);
      end.record(stream_.get());
      wait();
      return end.milliseconds_since(begin);
    };
    sample(1);
    std::uint32_t batch = 1;
    while (batch < kMaxBatch && sample(batch) < kShortestSampleMs) batch *= 2;
    std::array<double, kSamples> times;
    for (double& time : times) time = sample(batch) / batch;
    std::sort(times.begin(), times.end());
    send(MapMessage::kMeasured, &times[kSamples / 2], sizeof(double));
  }

  const MapRunRequest& request_;
  MapKernels kernels_;
  Stream stream_;
  MapLaunch launch_;
  dim3 grid_;
  dim3 block_;
};

/// A message about an error of the device; the reader shows it as what the map did.
std::string fault_text(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
      return "invalid memory access on the GPU: an array index is out of bounds";
    case cudaErrorHardwareStackError:
      return "stack overflow on the GPU: infinite recursion, or local arrays that are too large";
    case cudaErrorLaunchOutOfResources:
      return "the GPU has not enough registers or memory for a thread block of this size";
    case cudaErrorLaunchTimeout:
      return "the GPU's driver ended the map: an infinite loop, or too many threads";
    default:
      return fmt::format("the GPU ended the map: {}", cudaGetErrorString(status));
  }
}

}  // namespace

bool has_map_compiler() {
  return has_run_time_compiler();
}

void run_with_nvrtc(const MapRunRequest& request, const std::string& code) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setenv("CUDA_CACHE_DISABLE", "1", 1);
  try {
    const Compiler compiler = start_compiler(request, code);
    LOOM_CUDA(cudaSetDevice(request.device));
    LOOM_CUDA(cudaFree(nullptr));  // creates the context while the compiler works
    const std::vector<char> compiled = code_of(compiler);
    if (compiled.empty()) return;
    MapRun(request, compiled).run();
  } catch (const MapFault& fault) {
    send_text(MapMessage::kFault, fault_text(fault.status));
  } catch (const CapacityError&) {
    send_problem(0, 0, "out of memory");
  } catch (const std::bad_alloc&) {
    send_problem(0, 0, "out of memory");
  } catch (const std::exception& error) {
    send_text(MapMessage::kFault, error.what());
  }
}

}  // namespace loom::cuda
