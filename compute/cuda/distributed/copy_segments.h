#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

namespace loom::cuda {

/// A copy from memory that the current device can access, its own or another device's.
struct SegmentCopy {
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t bytes = 0;
};
/// The copies of one launch.
struct SegmentCopyBatch {
  static constexpr int kMost = 8;
  SegmentCopy of[kMost];
  int count = 0;
};

/// Enqueues the copies on a stream of the current device, by a kernel: for a few kilobytes this is faster
/// than a copy by the driver.
void copy_segments(const SegmentCopyBatch& stretches, cudaStream_t stream);

/// Enables peer access between all of these devices. Returns whether every device can access the others'
/// memory.
bool enable_peer_access(const std::vector<int>& devices);

}  // namespace loom::cuda
