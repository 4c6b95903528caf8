#include <algorithm>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/timeline/recording.h"
#include "compute/cuda/timeline/span_recorder.cuh"

namespace loom::cuda {
namespace {

constexpr const char* kClock = "%globaltimer";

/// Properties of the device, as it reports them.
struct TimerInfo {
  unsigned long long step;   ///< resolution of the timer in nanoseconds
  unsigned long long nsmid;  ///< upper bound of %smid, which may exceed the number of multiprocessors
};

/// Reads the timer until it has changed often enough, or until it is clear that it does not change. The
/// resolution is the greatest common divisor of all changes, since one read can take longer than one step.
__global__ void timer_facts_kernel(TimerInfo* facts) {
  constexpr int kChanges = 256;
  constexpr int kMaxLooks = 1 << 20;
  std::uint64_t step = 0;
  std::uint64_t before = global_timer();
  int changes = 0;
  for (int look = 0; look < kMaxLooks && changes < kChanges; ++look) {
    const std::uint64_t now = global_timer();
    if (now <= before) continue;
    for (std::uint64_t rest = now - before; rest != 0;) {  // the greatest common divisor
      const std::uint64_t next = step % rest;
      step = rest;
      rest = next;
    }
    before = now;
    ++changes;
  }
  std::uint32_t nsmid = 0;
  asm("mov.u32 %0, %%nsmid;" : "=r"(nsmid));
  *facts = {step, nsmid};
}

__global__ void clear_workers_kernel(DeviceWorker* workers, std::uint32_t count) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) workers[i] = {0, 0, ~0ull, 0};
}

std::uint32_t multiprocessors(int device) {
  int count = 0;
  LOOM_CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return static_cast<std::uint32_t>(count);
}

}  // namespace

DeviceRecording::DeviceRecording(int device, std::uint64_t max_spans, const Stream& stream)
    : spans_(max_spans), count_(1), multiprocessors_(multiprocessors(device)) {
  const DeviceBuffer<TimerInfo> found(1);
  timer_facts_kernel<<<1, 1, 0, stream.get()>>>(found.data());
  LOOM_CUDA(cudaGetLastError());
  TimerInfo facts{};
  LOOM_CUDA(cudaMemcpyAsync(&facts, found.data(), sizeof facts, cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  require_clock(kClock, facts.step);
  resolution_ = facts.step;
  workers_.reserve(std::max<std::size_t>(multiprocessors_, facts.nsmid));
}

RecordingView DeviceRecording::view() const {
  return {spans_.data(), spans_.size(), count_.data(), workers_.data(),
          static_cast<std::uint32_t>(workers_.size())};
}

void DeviceRecording::clear(const Stream& stream) {
  LOOM_CUDA(cudaMemsetAsync(spans_.data(), 0, spans_.size() * sizeof(DeviceSpan), stream.get()));
  LOOM_CUDA(cudaMemsetAsync(count_.data(), 0, count_.size() * sizeof(unsigned long long), stream.get()));
  constexpr unsigned kThreads = 256;
  const auto workers = static_cast<unsigned>(workers_.size());
  clear_workers_kernel<<<(workers + kThreads - 1) / kThreads, kThreads, 0, stream.get()>>>(workers_.data(),
                                                                                           workers);
  LOOM_CUDA(cudaGetLastError());
}

Timeline DeviceRecording::read_spans(std::uint64_t held, std::uint64_t left_out, const Stream& stream) const {
  std::vector<DeviceSpan> spans(held);
  std::vector<DeviceWorker> workers(workers_.size());
  LOOM_CUDA(cudaMemcpyAsync(workers.data(), workers_.data(), workers.size() * sizeof(DeviceWorker),
                            cudaMemcpyDeviceToHost, stream.get()));
  LOOM_CUDA(cudaMemcpyAsync(spans.data(), spans_.data(), spans.size() * sizeof(DeviceSpan),
                            cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  Timeline timeline;
  timeline.clock = kClock;
  timeline.resolution = resolution_;
  timeline.spans_left_out = left_out;
  timeline.spans.reserve(spans.size());
  for (const DeviceSpan& span : spans) {
    timeline.spans.push_back({.begin = span.begin,
                              .end = span.end,
                              .block = span.block,
                              .worker = span.worker,
                              .parent = span.parent,
                              .launch = span.launch,
                              .level = span.level,
                              .work = static_cast<SpanWork>(span.work)});
  }
  for (const DeviceWorker& worker : workers) {
    const bool worked = worker.spans > 0;
    timeline.workers.push_back({.spans = worker.spans,
                                .busy = worker.busy,
                                .first_begin = worked ? worker.first_begin : 0,
                                .last_end = worker.last_end});
  }
  // Indices that no multiprocessor has.
  while (timeline.workers.size() > multiprocessors_ && timeline.workers.back().spans == 0)
    timeline.workers.pop_back();
  order_spans(timeline);
  return timeline;
}

Timeline DeviceRecording::read(const SpanWindow& window, const Stream& stream) const {
  return read_spans(window.size(), window.left_out(), stream);
}

Timeline DeviceRecording::read(const Stream& stream) const {
  unsigned long long came = 0;
  LOOM_CUDA(cudaMemcpyAsync(&came, count_.data(), sizeof came, cudaMemcpyDeviceToHost, stream.get()));
  stream.wait();
  const std::uint64_t held = std::min<std::uint64_t>(came, spans_.size());
  return read_spans(held, came - held, stream);
}

}  // namespace loom::cuda
