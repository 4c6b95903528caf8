#include "compute/cpu/life/cpu_byte_engine.h"

#include "compute/cpu/life/byte_loops.h"
#include "compute/cpu/life/life.h"
#include "compute/cpu/life/resolve.h"
#include "compute/cpu/thread_pool.h"
#include "compute/engine/work_costs.h"
#include "compute/geometry/partition.h"
#include "compute/map/dispatch.h"

namespace loom::cpu {

CpuByteEngine::CpuByteEngine(const FractalConfig& config)
    : CpuFractalEngine(config, bytes_needed(config) / 2), tables_(fractal_) {}

CpuByteEngine::CpuByteEngine(const FractalConfig& config, TileRows rows, std::uint64_t bytes)
    : CpuFractalEngine(config, bytes), tables_(fractal_) {
  fractal_.held = rows;
}

void CpuByteEngine::step_once(LifeRule rule, const ProgressScope& call) {
  step_life(config_.method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
            by_place(fractal_, next_.data()), rule, call);
}

bool CpuByteEngine::run_once(const Work& work, const ProgressScope& call, std::uint64_t& sum) {
  const MapMethod method = config_.method;
  switch (work.workload) {
    case Workload::kSingleWrite: {
      // Without a monitor the work is done in place, which is what is measured: it uses one generation's
      // memory instead of two.
      const PageBuffer& target = call.watched() ? next_ : now_;
      single_write(method, fractal_, tables_.view(), by_place(fractal_, target.data()),
                   static_cast<std::uint32_t>(generation_), call);
      if (call.cancelled()) return false;
      if (call.watched()) now_.swap(next_);
      ++generation_;
      return true;
    }
    case Workload::kReduction: {
      const std::uint64_t found =
          reduce(method, fractal_, tables_.view(), by_place(fractal_, now_.data()), call);
      if (call.cancelled()) return false;
      sum = found;
      return true;
    }
    case Workload::kLife:
      step_once(work.rule, call);
      if (call.cancelled()) return false;
      now_.swap(next_);
      ++generation_;
      return true;
  }
  return false;
}

std::uint64_t CpuByteEngine::units_of_work() const {
  return launch_shape(config_.method, fractal_).tiles();
}

void CpuByteEngine::run_times(std::uint32_t times, const Work& work, const ProgressScope& call,
                              std::uint32_t& done, std::uint64_t& sum) {
  while (done < times && !call.cancelled() && run_once(work, call, sum)) ++done;
}

void CpuByteEngine::paint(const Viewport& viewport, std::uint16_t* pixels) {
  cpu::resolve(config_.method, fractal_, now_.data(), viewport, monitor_, pixels, pixel_counts_);
}

void CpuByteEngine::count_pixels(const Viewport& viewport, std::span<std::uint64_t> cells,
                                 std::span<std::uint64_t> living) {
  cpu::count_pixels(config_.method, fractal_, now_.data(), viewport, monitor_, pixel_counts_);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = pixel_counts_[i] >> 32;
    living[i] = pixel_counts_[i] & 0xffffffffu;
  }
}

ThreadCount CpuByteEngine::count_threads() const {
  return cpu::count_threads(config_.method, fractal_, tables_.view());
}

Timeline CpuByteEngine::record_timeline(const TimelineOptions& options) {
  validate(options);
  const MapMethod& method = config_.method;
  const ProgressScope call(monitor_, 4 * launch_shape(method, fractal_).tiles());
  // Writes the next generation as a step would, without making it the current one.
  const auto step = [&](RunRecorder* recorder) {
    const Stopwatch stopwatch;
    step_life(method, fractal_, tables_.view(), now_.data(), next_.data(), options.rule, call, recorder);
    return stopwatch.milliseconds();
  };
  step(nullptr);
  const double plain_milliseconds = step(nullptr);
  RunRecorder first(options.max_spans);
  step(&first);
  RunRecorder recorder(options.max_spans);
  const double milliseconds = step(&recorder);
  call.check();
  Timeline timeline = recorder.timeline();
  timeline.plain_milliseconds = plain_milliseconds;
  timeline.milliseconds = milliseconds;
  std::uint64_t runs = 0;
  for (const TimelineWorker& worker : timeline.workers) runs += worker.spans;
  timeline.launches.push_back({"step_life", runs, {}, {}});
  return timeline;
}

}  // namespace loom::cpu
