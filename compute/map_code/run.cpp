#include "compute/map_code/run.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <limits>
#include <mutex>

#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/map_code/machine.h"

namespace loom {
namespace {

using Clock = std::chrono::steady_clock;

/// Threads of the thread blocks that run before they are counted.
constexpr std::uint64_t kChunkThreads = 1 << 17;
/// Below, a second core would not pay.
constexpr std::uint64_t kFewThreads = 1 << 15;
constexpr std::size_t kRuns = 5;

void add_problem(MapResult& result, const Machine& machine, bool is_launch) {
  const Fault fault = machine.state().fault;
  if (fault == Fault::kCancelled) throw OperationCancelled();
  result.outcome =
      fault == Fault::kInstructions || fault == Fault::kTime ? MapOutcome::kTimeout : MapOutcome::kCrashed;
  result.problems.push_back(machine.problem(result.launch, is_launch));
}

class CpuRun {
 public:
  CpuRun(const NbbFractal& fractal, const MapRequest& request, const ProgressMonitor* monitor,
         const MapProgram& program, MapResult& result)
      : request_(request),
        monitor_(monitor),
        code_(*program.code),
        fractal_(fractal, request.level),
        deadline_(Clock::now() + request.time_limit),
        result_(result) {
    Machine machine = new_machine(nullptr, false);
    machine.begin_launch();
    if (!machine.run()) {
      add_problem(result, machine, true);
      return;
    }
    const MapLaunch launch = machine.launched();
    if (std::string problem = launch_problem(launch); !problem.empty()) {
      result.problems.push_back({0, 0, 0, std::move(problem)});
      return;
    }
    result.launch = launch;
    CoverageCounter counter(fractal, request.level, launch, request.keep_points);
    run(counter);
    if (!result.problems.empty()) return;
    result.outcome = MapOutcome::kRan;
    static_cast<CoverageResult&>(result) = counter.take();
    if (request.measure != MapStorage::kNone && result.coverage.is_exact()) measure();
  }

 private:
  Machine new_machine(const std::uint32_t* cells, bool counts) const {
    Machine machine(code_, fractal_, cells, counts);
    machine.deadline = deadline_;
    machine.monitor = monitor_;
    return machine;
  }

  /// The warps of a thread block. Returns false at a fault.
  template <typename Take>
  bool run_block(Machine& machine, std::uint64_t block, Take take) const {
    const MapLaunch& launch = result_.launch;
    const auto x = static_cast<std::int64_t>(block) % launch.grid_x;
    const auto y = static_cast<std::int64_t>(block) / launch.grid_x;
    const int threads = static_cast<int>(launch.threads_per_block());
    for (int first = 0; first < threads; first += 32) {
      machine.begin_warp(launch, x, y, first / 32);
      if ((first == 0 && machine.poll()) || !machine.run()) return false;
      take(first, std::min(32, threads - first));
    }
    return true;
  }

  void run(CoverageCounter& counter) {
    const Stopwatch stopwatch;
    const MapLaunch& launch = result_.launch;
    const std::uint64_t of_block = launch.threads_per_block();
    const std::uint64_t chunk = std::max<std::uint64_t>(1, kChunkThreads / of_block);
    const std::uint64_t warps = (of_block + 31) / 32;
    const std::vector<std::uint8_t>& bytes = counter.found().cells;
    std::vector<std::uint32_t> cells(bytes.size() / 32 + 1);
    for (std::size_t i = 0; i < bytes.size(); ++i)
      cells[i / 32] |= static_cast<std::uint32_t>(bytes[i]) << (i % 32);
    if (request_.keep_points) result_.points.resize(launch.threads());
    if (request_.count && request_.keep_points) result_.warps.resize(launch.blocks() * warps);
    std::vector<MapPoint> buffers[2];
    if (!request_.keep_points)
      for (auto& buffer : buffers) buffer.resize(std::min(chunk, launch.blocks()) * of_block);
    const int threads = launch.threads() < kFewThreads ? 1 : omp_get_max_threads();
    std::vector<Machine> machines;
    for (int i = 0; i < threads; ++i) machines.push_back(new_machine(cells.data(), request_.count));
    // Work items of a round: to count the chunk before, and the thread blocks of this one.
    const auto points_of = [&](std::uint64_t round) {
      const std::uint64_t first = round * chunk * of_block;
      const std::uint64_t size = std::min(chunk * of_block, launch.threads() - first);
      return request_.keep_points ? std::span(result_.points).subspan(first, size)
                                  : std::span(buffers[round % 2]).first(size);
    };
    const std::uint64_t rounds = (launch.blocks() + chunk - 1) / chunk;
    const auto order = static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
    constexpr std::uint64_t kPrime = 1'000'000'007;
    std::mutex lock;
    std::uint64_t failed = std::numeric_limits<std::uint64_t>::max();
    std::optional<Machine> fault;
    bool is_slow = true;
    for (std::uint64_t round = 0; round <= rounds && !fault; ++round) {
      const std::uint64_t first = round * chunk;
      const std::uint64_t blocks = round < rounds ? std::min(chunk, launch.blocks() - first) : 0;
      const std::span<MapPoint> points = round < rounds ? points_of(round) : std::span<MapPoint>();
#pragma omp parallel for schedule(dynamic) num_threads(threads)
      for (std::uint64_t work = 0; work <= blocks; ++work) {
        if (work == 0) {
          if (round > 0) counter.add(points_of(round - 1));
          continue;
        }
        const std::uint64_t index = (work * kPrime + order % blocks) % blocks;
        const std::uint64_t block = first + index;
        Machine& machine = item(machines, omp_get_thread_num());
        const auto take = [&](int thread, int lanes) {
          MapPoint* const to = &points[index * of_block + static_cast<std::uint64_t>(thread)];
          for (int l = 0; l < lanes; ++l) to[l] = machine.point(l);
          if (!result_.warps.empty())
            result_.warps[block * warps + static_cast<std::uint64_t>(thread / 32)] = machine.state().totals;
        };
        if (run_block(machine, block, take)) continue;
        // The first thread of those that stop.
        const std::lock_guard guard(lock);
        is_slow = is_slow && machine.state().fault == Fault::kTime;
        if (block > failed) continue;
        failed = block;
        fault.emplace(machine);
      }
    }
    if (fault) {
      result_.is_slow = is_slow;
      return add_problem(result_, *fault, false);
    }
    result_.run_milliseconds = stopwatch.milliseconds();
    if (!request_.count) return;
    for (const Machine& machine : machines) machine.add_counts(result_.lines);
    for (const LineCounts& line : result_.lines) result_.counts += line;
  }

  /// A single write, on one thread. is_cell() is computed, as in the code for a GPU.
  void measure() {
    const MapLaunch& launch = result_.launch;
    const bool compact = request_.measure == MapStorage::kCompact;
    const auto width = static_cast<std::uint32_t>(fractal_.members[1]);
    const auto height = static_cast<std::uint32_t>(fractal_.members[2]);
    std::vector<std::uint8_t> image(compact ? launch.threads() : std::uint64_t{width} * height);
    Machine machine = new_machine(nullptr, false);
    std::array<double, kRuns> times;
    for (std::size_t i = 0; i <= kRuns; ++i) {  // the first is a warm-up
      const Stopwatch stopwatch;
      for (std::uint64_t block = 0; block < launch.blocks(); ++block) {
        std::uint8_t* const of_block = image.data() + (compact ? block * launch.threads_per_block() : 0);
        const bool ran = run_block(machine, block, [&](int thread, int lanes) {
          for (int l = 0; l < lanes; ++l) {
            const MapPoint point = machine.point(l);
            if (static_cast<std::uint32_t>(point.x) < width && static_cast<std::uint32_t>(point.y) < height)
              (compact ? of_block[thread + l]
                       : image[std::uint64_t{static_cast<std::uint32_t>(point.y)} * width +
                               static_cast<std::uint32_t>(point.x)]) = 1;
          }
        });
        if (!ran) return add_problem(result_, machine, false);
      }
      if (i > 0) times[i - 1] = stopwatch.milliseconds();
    }
    std::ranges::sort(times);
    result_.single_write_milliseconds = times[kRuns / 2];
  }

  const MapRequest& request_;
  const ProgressMonitor* monitor_;
  const MapCode& code_;
  MapFractal fractal_;
  Clock::time_point deadline_;
  MapResult& result_;
};

}  // namespace

std::string_view name_of(MapOutcome outcome) {
  static constexpr std::array<std::string_view, 4> kNames = {"ran", "rejected", "crashed", "timeout"};
  return item(kNames, outcome);
}

void check_map_request(const NbbFractal& fractal, const MapRequest& request) {
  check_map_level(fractal, request.level, request.device.on_host ? kMaxMapPoints : kMaxGpuMapPoints);
  // The members of Fractal have 32 bits.
  constexpr std::uint64_t kMaxInt = std::numeric_limits<std::int32_t>::max();
  const std::uint64_t largest =
      std::max({fractal.cells(request.level), fractal.width(request.level), fractal.height(request.level)});
  if (largest > kMaxInt)
    throw InputError(
        fmt::format("level {} of {} has a width, a height or a number of cells of {}; allowed: up to {}",
                    request.level, fractal.name(), largest, kMaxInt));
}

void run_map_on_cpu(const NbbFractal& fractal, const MapRequest& request, const MapProgram& program,
                    const ProgressMonitor* monitor, MapResult& result) {
  CpuRun(fractal, request, monitor, program, result);
}

}  // namespace loom
