#include "compute/cuda/distributed/cuda_partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <tuple>
#include <utility>

#include "compute/cuda/check.h"

namespace loom::cuda {

CudaPartition::CudaPartition(std::uint32_t number, int device, const Stream& inside)
    : number_(number), part_device_(device), inside_(inside), boundary_stream_(StreamPriority::kFirst) {}

// An exchange may still be in progress.
CudaPartition::~CudaPartition() {
  LOOM_CUDA_QUIETLY(cudaSetDevice(part_device_));
  LOOM_CUDA_QUIETLY(cudaStreamSynchronize(boundary_stream_.get()));
}

void CudaPartition::wait_boundary_for_generation() {
  LOOM_CUDA(cudaSetDevice(part_device_));
  events_.wait_for(events_, kGeneration, boundary_stream_);
}

void CudaPartition::signal_boundary_done() {
  events_.mark(kBoundary, boundary_stream_);
}

void CudaPartition::wait_interior_for_boundary() {
  events_.wait_for(events_, kBoundary, inside_);
}

void CudaPartition::signal_generation_done() {
  events_.mark(kGeneration, inside_);
}

void CudaPartition::begin_timing() {
  LOOM_CUDA(cudaSetDevice(part_device_));
  timed_.mark(kFrom, inside_);
}

// A generation is complete when its halo has been unpacked.
void CudaPartition::end_timing() {
  LOOM_CUDA(cudaSetDevice(part_device_));
  events_.mark(kReceived, boundary_stream_);
  events_.wait_for(events_, kReceived, inside_);
  timed_.mark(kTo, inside_);
}

double CudaPartition::wait() {
  LOOM_CUDA(cudaSetDevice(part_device_));
  inside_.wait();
  boundary_stream_.wait();
  return timed_.milliseconds(kFrom, kTo);
}

// The event of an idle device is between two reads of the steady clock; the closest of several such pairs is
// used.
std::uint64_t CudaPartition::begin_recording() {
  using Clock = std::chrono::steady_clock;
  constexpr int kLooks = 16;
  LOOM_CUDA(cudaSetDevice(part_device_));
  const auto look = [&] {
    const Clock::time_point before = Clock::now();
    noted_.mark(kOrigin, inside_);
    inside_.wait();
    return std::pair(before, Clock::now());
  };
  Clock::duration least = Clock::duration::max();
  for (int i = 0; i < kLooks; ++i) {
    const auto [before, after] = look();
    least = std::min(least, after - before);
  }
  // The kept event is the last recorded one, which is about as close.
  auto [before, after] = look();
  for (int i = 0; i < kLooks && after - before > least + least / 4; ++i) std::tie(before, after) = look();
  const auto nanoseconds = [](Clock::duration duration) {
    return static_cast<std::uint64_t>(std::chrono::nanoseconds(duration).count());
  };
  origin_ = nanoseconds(before.time_since_epoch() + (after - before) / 2);
  return nanoseconds(after - before);
}

// The boundary stream waits for the previous generation; that wait is not part of the boundary's work.
void CudaPartition::note_begin(DeviceWork work) {
  LOOM_CUDA(cudaSetDevice(part_device_));
  if (work == DeviceWork::kBoundary) wait_boundary_for_generation();
  if (work == DeviceWork::kScatter) wait_interior_for_boundary();
  noted_.mark(2 * static_cast<int>(work), stream_of(work));
}

void CudaPartition::note_end(DeviceWork work) {
  LOOM_CUDA(cudaSetDevice(part_device_));
  noted_.mark(2 * static_cast<int>(work) + 1, stream_of(work));
}

std::vector<DeviceWorkSpan> CudaPartition::recorded() const {
  LOOM_CUDA(cudaSetDevice(part_device_));
  const auto at = [&](int mark) {
    return origin_ + static_cast<std::uint64_t>(std::llround(noted_.milliseconds(kOrigin, mark) * 1e6));
  };
  std::vector<DeviceWorkSpan> spans;
  for (int work = 0; work < kWorks; ++work)
    spans.push_back({static_cast<DeviceWork>(work), at(2 * work), at(2 * work + 1)});
  return spans;
}

std::string CudaPartition::device_name() const {
  return fmt::format("{}, device {}", engine().backend_name(), part_device_);
}

}  // namespace loom::cuda
