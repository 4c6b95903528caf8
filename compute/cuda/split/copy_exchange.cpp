#include "compute/cuda/split/copy_exchange.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "compute/cuda/check.h"
#include "compute/cuda/event.h"
#include "compute/cuda/split/copy_stretches.h"

namespace loom::cuda {
namespace {

class CopyExchange final : public PartExchange {
 public:
  explicit CopyExchange(bool direct) : direct_(direct) {}

  void start(std::span<FractalPart* const> parts) override {
    if (told_.empty()) make_events(parts);
    const auto stream_of = [](FractalPart& part) {
      return static_cast<cudaStream_t>(part.messages().cuda_stream);
    };
    const auto place_of = [&](std::uint32_t number) {
      return static_cast<std::size_t>(
          std::ranges::find_if(parts, [&](const FractalPart* part) { return part->number() == number; }) -
          parts.begin());
    };
    for (std::size_t i = 0; i < parts.size(); ++i) told_[i].record(stream_of(*parts[i]));
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (const PartStretch& from : parts[i]->told_by())
        told_[place_of(from.part)].hold(stream_of(*parts[i]));
      copy(parts, *parts[i]);
      heard_[i].record(stream_of(*parts[i]));
    }
    // The next boundary must not be packed before the receivers have copied this one.
    for (FractalPart* const part : parts) {
      for (const PartStretch& to : part->told_to()) heard_[place_of(to.part)].hold(stream_of(*part));
    }
  }
  void finish() override {}
  std::string name() const override {
    return direct_ ? "copies from device to device" : "copies between devices by the driver";
  }

 private:
  void make_events(std::span<FractalPart* const> parts) {
    for (FractalPart* const part : parts) {
      LOOM_CUDA(cudaSetDevice(part->messages().cuda_device));
      told_.emplace_back();
      heard_.emplace_back();
    }
  }

  /// Copies into a partition's own memory, on its own stream.
  void copy(std::span<FractalPart* const> parts, FractalPart& part) {
    const PartMessages mine = part.messages();
    const auto stream = static_cast<cudaStream_t>(mine.cuda_stream);
    LOOM_CUDA(cudaSetDevice(mine.cuda_device));
    CopiedStretches stretches;
    for (const PartStretch& from : part.told_by()) {
      const Telling to = find_telling(parts, part, from);
      const PartMessages theirs = to.teller->messages();
      const std::size_t size = mine.bytes_of_one;
      const CopiedStretch copied{static_cast<const std::uint8_t*>(theirs.told) + to.told.first * size,
                                 static_cast<std::uint8_t*>(mine.heard) + from.first * size,
                                 from.count * size};
      if (!direct_) {
        LOOM_CUDA(cudaMemcpyPeerAsync(copied.to, mine.cuda_device, copied.from, theirs.cuda_device,
                                      copied.bytes, stream));
        continue;
      }
      stretches.of[stretches.count++] = copied;
      if (stretches.count < CopiedStretches::kMost) continue;
      copy_stretches(stretches, stream);
      stretches.count = 0;
    }
    copy_stretches(stretches, stream);
  }

  bool direct_;
  std::vector<Event> told_;   ///< one per partition, in their order: its boundary is packed
  std::vector<Event> heard_;  ///< one per partition, in their order: its halo has been copied
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

bool share_memory(const std::vector<int>& devices) {
  for (const int device : devices) {
    for (const int other : devices) {
      if (device != other && !permissions().may_read(device, other)) return false;
    }
  }
  return true;
}

std::unique_ptr<PartExchange> make_copy_exchange(bool direct) {
  return std::make_unique<CopyExchange>(direct);
}

}  // namespace loom::cuda
