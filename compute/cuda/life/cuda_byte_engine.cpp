#include "compute/cuda/life/cuda_byte_engine.h"

#include <fmt/format.h>

#include "compute/core/error.h"
#include "compute/cuda/life/life.h"
#include "compute/geometry/partition.h"
#include "compute/map/dispatch.h"
#include "compute/map/tiling.h"

namespace loom::cuda {

CudaByteEngine::CudaByteEngine(const FractalConfig& config, int device, const LaunchSlices& slices)
    : CudaFractalEngine(config, bytes_needed(config) / 2, device, slices), tables_(fractal_) {}

CudaByteEngine::CudaByteEngine(const FractalConfig& config, TileRows rows, std::uint64_t bytes, int device,
                               const LaunchSlices& slices)
    : CudaFractalEngine(config, bytes, device, slices), tables_(fractal_) {
  fractal_.held = rows;
}

void CudaByteEngine::enqueue_step(LifeRule rule) {
  step_life(config_.method, config_.method.halo, fractal_, tables_.view(), by_place(fractal_, now_.data()),
            by_place(fractal_, next_.data()), rule, slices_, stream_);
}

void CudaByteEngine::enqueue_work(std::uint32_t times, const Work& work) {
  for (std::uint32_t i = 0; i < times; ++i) enqueue_once(work);
}

void CudaByteEngine::enqueue_resolve(const Viewport& viewport) {
  resolver_.resolve(stored(now_), viewport, monitor_, slices_, stream_);
}

void CudaByteEngine::enqueue_once(const Work& work) {
  const MapMethod& method = config_.method;
  switch (work.workload) {
    case Workload::kSingleWrite:
      single_write(method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
                   static_cast<std::uint32_t>(generation_), slices_, stream_);
      ++generation_;
      break;
    case Workload::kReduction:
      reducer_.reduce(work.reduction, method, fractal_, tables_.view(), by_place(fractal_, now_.data()),
                      slices_, stream_);
      break;
    case Workload::kLife:
      enqueue_step(work.rule);
      now_.swap(next_);
      ++generation_;
      break;
  }
}

ThreadCount CudaByteEngine::count_threads() const {
  use_device();
  return cuda::count_threads(config_.method, fractal_, tables_.view(), slices_, stream_);
}

Timeline CudaByteEngine::record_timeline(const TimelineOptions& options) {
  validate(options);
  if (!can_record(fractal_)) {
    throw InputError(fmt::format(
        "no timeline for {} level {}: its coordinates need 64 bits; allowed: levels with sides below 2^32",
        config_.fractal.name(), config_.level));
  }
  use_device();
  const MapMethod& method = config_.method;
  const std::uint64_t blocks = gpu_launch(method, fractal_, launch_shape(method, fractal_)).thread_blocks();
  const SpanWindow window(blocks, options.max_spans);
  DeviceRecording recording(device_, window.size(), stream_);
  // Writes the next generation as a step would, without making it the current one.
  const auto plain = [&] {
    step_life(method, method.halo, fractal_, tables_.view(), now_.data(), next_.data(), options.rule, slices_,
              stream_);
  };
  const auto recorded = [&] {
    return record_life(method, method.halo, fractal_, tables_.view(), now_.data(), next_.data(), options.rule,
                       recording.view(), window, slices_, stream_);
  };
  // Alternately, so that both find code, memory and clock rates in the same state.
  plain();
  recorded();
  events_.mark(kStart, stream_);
  plain();
  events_.mark(kEdited, stream_);
  recording.clear(stream_);
  events_.mark(kStepped, stream_);
  const Occupancy recorded_occupancy = recorded();
  events_.mark(kResolved, stream_);
  Timeline timeline = recording.read(window, stream_);
  timeline.plain_milliseconds = events_.milliseconds(kStart, kEdited);
  timeline.milliseconds = events_.milliseconds(kStepped, kResolved);
  const KernelInfo timed = life_info(method, fractal_, tables_.view(), options.rule);
  timeline.launches.push_back({timed.name, blocks, timed.occupancy, recorded_occupancy});
  return timeline;
}

}  // namespace loom::cuda
