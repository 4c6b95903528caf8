#include "compute/core/error.h"
#include "compute/cuda/engines.h"

#ifndef LOOM_HAS_NCCL
namespace loom::cuda {
std::unique_ptr<HaloExchange> make_nccl_exchange(const std::vector<int>&) {
  return nullptr;
}
std::unique_ptr<HaloExchange> make_nccl_exchange(int, const ProcessGroup&) {
  throw MachineError("built without NCCL, which processes with GPUs require; allowed: --backend cpu");
}
}  // namespace loom::cuda
#else

#include <fmt/format.h>
#include <nccl.h>

#include "compute/cuda/check.h"
#include "compute/cuda/shared_library.h"

namespace loom::cuda {
namespace {

/// The functions of libnccl.so.2 that are needed.
struct Nccl {
  decltype(&ncclGetVersion) get_version = nullptr;
  decltype(&ncclCommInitAll) init_all = nullptr;
  decltype(&ncclGetUniqueId) unique_id = nullptr;
  decltype(&ncclCommInitRank) init_rank = nullptr;
  decltype(&ncclCommAbort) abort = nullptr;
  decltype(&ncclGetErrorString) error_string = nullptr;
  decltype(&ncclGroupStart) group_start = nullptr;
  decltype(&ncclGroupEnd) group_end = nullptr;
  decltype(&ncclSend) send = nullptr;
  decltype(&ncclRecv) receive = nullptr;
  bool whole = false;

  Nccl() {
    SharedLibrary library("libnccl.so.2");
    library.find(get_version, "ncclGetVersion");
    library.find(init_all, "ncclCommInitAll");
    library.find(unique_id, "ncclGetUniqueId");
    library.find(init_rank, "ncclCommInitRank");
    library.find(abort, "ncclCommAbort");
    library.find(error_string, "ncclGetErrorString");
    library.find(group_start, "ncclGroupStart");
    library.find(group_end, "ncclGroupEnd");
    library.find(send, "ncclSend");
    library.find(receive, "ncclRecv");
    whole = library.whole();
  }
  void check(ncclResult_t result, const char* call) const {
    if (result != ncclSuccess) throw MachineError(fmt::format("NCCL: {}: {}", call, error_string(result)));
  }
};

const Nccl& nccl() {
  static const Nccl library;
  return library;
}

class NcclExchange : public HaloExchange {
 public:
  explicit NcclExchange(const std::vector<int>& devices) : communicators_(devices.size()) {
    nccl().check(nccl().init_all(communicators_.data(), static_cast<int>(devices.size()), devices.data()),
                 "ncclCommInitAll");
  }
  // ncclCommDestroy() would wait for work that a failed device never completes.
  ~NcclExchange() override {
    for (const ncclComm_t communicator : communicators_) nccl().abort(communicator);
  }

  void start(std::span<FractalPartition* const> parts) override {
    nccl().check(nccl().group_start(), "ncclGroupStart");
    for (FractalPartition* const part : parts) {
      const HaloBuffers messages = part->messages();
      const std::size_t size = messages.element_bytes;
      const ncclComm_t communicator = communicators_[communicators_.size() == 1 ? 0 : part->number()];
      const cudaStream_t stream = messages.stream.handle;
      for (const HaloSegment& to : part->sent_to()) {
        nccl().check(nccl().send(static_cast<const std::uint8_t*>(messages.sent) + to.first * size,
                                 to.count * size, ncclUint8, static_cast<int>(to.part), communicator, stream),
                     "ncclSend");
      }
      for (const HaloSegment& from : part->received_from()) {
        nccl().check(
            nccl().receive(static_cast<std::uint8_t*>(messages.received) + from.first * size,
                           from.count * size, ncclUint8, static_cast<int>(from.part), communicator, stream),
            "ncclRecv");
      }
    }
    nccl().check(nccl().group_end(), "ncclGroupEnd");
  }
  void finish() override {}
  std::string name() const override {
    int version = 0;
    nccl().check(nccl().get_version(&version), "ncclGetVersion");
    return fmt::format("NCCL {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  }

 protected:
  NcclExchange() : communicators_(1) {}
  /// One per partition; a single one if the other partitions are in other processes.
  std::vector<ncclComm_t> communicators_;
};

class NcclRankExchange final : public NcclExchange {
 public:
  NcclRankExchange(int device, const ProcessGroup& ranks) : ranks_(ranks) {
    const std::string rank_error =
        ranks.first_rank_error(nccl().whole ? "" : "libnccl.so.2 not found; allowed: --backend cpu");
    if (!rank_error.empty()) throw MachineError(rank_error);
    ncclUniqueId id{};
    if (ranks.rank() == 0) nccl().check(nccl().unique_id(&id), "ncclGetUniqueId");
    ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)));
    LOOM_CUDA(cudaSetDevice(device));
    nccl().check(nccl().init_rank(communicators_.data(), ranks.count(), id, ranks.rank()),
                 "ncclCommInitRank");
  }
  void sum(std::span<std::uint64_t> values) override { ranks_.sum(values); }

 private:
  const ProcessGroup& ranks_;
};

}  // namespace

std::unique_ptr<HaloExchange> make_nccl_exchange(const std::vector<int>& devices) {
  if (!nccl().whole) return nullptr;
  return std::make_unique<NcclExchange>(devices);
}

std::unique_ptr<HaloExchange> make_nccl_exchange(int device, const ProcessGroup& ranks) {
  return std::make_unique<NcclRankExchange>(device, ranks);
}

}  // namespace loom::cuda
#endif
