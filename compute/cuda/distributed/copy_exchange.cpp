#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "compute/cuda/check.h"
#include "compute/cuda/distributed/copy_segments.h"
#include "compute/cuda/engines.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {
namespace {

class CopyExchange final : public HaloExchange {
 public:
  explicit CopyExchange(bool direct) : direct_(direct) {}

  void start(std::span<FractalPartition* const> parts) override {
    if (sent_.empty()) make_events(parts);
    const auto stream_of = [](FractalPartition& part) { return part.messages().stream.handle; };
    const auto place_of = [&](std::uint32_t number) {
      return static_cast<std::size_t>(
          std::ranges::find_if(parts,
                               [&](const FractalPartition* part) { return part->number() == number; }) -
          parts.begin());
    };
    for (std::size_t i = 0; i < parts.size(); ++i) sent_[i].record(stream_of(*parts[i]));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const HaloSegment& from : parts[i]->received_from())
        sent_[place_of(from.part)].make_wait(stream_of(*parts[i]));
      copy(parts, *parts[i]);
      received_[i].record(stream_of(*parts[i]));
    }
    // The next boundary must not be packed before the receivers have copied this one.
    for (FractalPartition* const part : parts) {
      for (const HaloSegment& to : part->sent_to()) received_[place_of(to.part)].make_wait(stream_of(*part));
    }
  }
  void finish() override {}
  std::string name() const override {
    return direct_ ? "copies from device to device" : "copies between devices by the driver";
  }

 private:
  void make_events(std::span<FractalPartition* const> parts) {
    for (FractalPartition* const part : parts) {
      LOOM_CUDA(cudaSetDevice(part->messages().stream.device));
      sent_.emplace_back();
      received_.emplace_back();
    }
  }

  /// Copies into a partition's own memory, on its own stream.
  void copy(std::span<FractalPartition* const> parts, FractalPartition& part) {
    const HaloBuffers mine = part.messages();
    const cudaStream_t stream = mine.stream.handle;
    LOOM_CUDA(cudaSetDevice(mine.stream.device));
    SegmentCopyBatch stretches;
    for (const HaloSegment& from : part.received_from()) {
      const HaloMessage to = find_halo_message(parts, part, from);
      const HaloBuffers theirs = to.sender->messages();
      const std::size_t size = mine.element_bytes;
      const SegmentCopy copied{static_cast<const std::uint8_t*>(theirs.sent) + to.sent.first * size,
                               static_cast<std::uint8_t*>(mine.received) + from.first * size,
                               from.count * size};
      if (!direct_) {
        LOOM_CUDA(cudaMemcpyPeerAsync(copied.to, mine.stream.device, copied.from, theirs.stream.device,
                                      copied.bytes, stream));
        continue;
      }
      stretches.of[stretches.count++] = copied;
      if (stretches.count < SegmentCopyBatch::kMost) continue;
      copy_segments(stretches, stream);
      stretches.count = 0;
    }
    copy_segments(stretches, stream);
  }

  bool direct_;
  std::vector<Event> sent_;      ///< one per partition, in their order: its boundary is packed
  std::vector<Event> received_;  ///< one per partition, in their order: its halo has been copied
};

/// Peer access between devices. It is a property of the process: access that was enabled stays enabled, and
/// enabling it again is an error in CUDA.
class Permissions {
 public:
  bool may_read(int device, int other) {
    const std::lock_guard lock(mutex_);
    if (given_.contains({device, other})) return true;
    int can = 0;
    LOOM_CUDA(cudaDeviceCanAccessPeer(&can, device, other));
    if (can == 0) return false;
    LOOM_CUDA(cudaSetDevice(device));
    const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
    if (status != cudaSuccess) cudaGetLastError();  // not an error: there are alternatives
    // Another library may have enabled it.
    if (status != cudaSuccess && status != cudaErrorPeerAccessAlreadyEnabled) return false;
    given_.insert({device, other});
    return true;
  }

 private:
  std::mutex mutex_;
  std::set<std::pair<int, int>> given_;
};

Permissions& permissions() {
  static Permissions permissions;
  return permissions;
}

}  // namespace

bool enable_peer_access(const std::vector<int>& devices) {
  for (const int device : devices) {
    for (const int other : devices) {
      if (device != other && !permissions().may_read(device, other)) return false;
    }
  }
  return true;
}

std::unique_ptr<HaloExchange> make_copy_exchange(bool direct) {
  return std::make_unique<CopyExchange>(direct);
}

}  // namespace loom::cuda
