#include "compute/cuda/split/copy_exchange.h"

#include <vector>

#include "compute/cuda/check.h"

namespace loom::cuda {
namespace {

class CopyExchange final : public PartExchange {
 public:
  ~CopyExchange() override {
    for (const cudaEvent_t event : told_) LOOM_CUDA_QUIETLY(cudaEventDestroy(event));
  }

  // Each part's copies into its own memory come on its own stream, once all others have told.
  void start(std::span<FractalPart* const> parts) override {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PartMessages messages = parts[i]->messages();
      LOOM_CUDA(cudaSetDevice(messages.cuda_device));
      if (told_.size() == i) {
        cudaEvent_t event = nullptr;
        LOOM_CUDA(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        told_.push_back(event);
      }
      LOOM_CUDA(cudaEventRecord(told_[i], static_cast<cudaStream_t>(messages.cuda_stream)));
    }
    for (FractalPart* const part : parts) {
      const PartMessages mine = part->messages();
      const auto stream = static_cast<cudaStream_t>(mine.cuda_stream);
      LOOM_CUDA(cudaSetDevice(mine.cuda_device));
      // All of them, also those that hear of this one: what it tells next must not come before they have.
      for (const cudaEvent_t told : told_) LOOM_CUDA(cudaStreamWaitEvent(stream, told, 0));
      for (const PartStretch& from : part->told_by()) {
        const Telling to = find_telling(parts, *part, from);
        const PartMessages theirs = to.teller->messages();
        const std::size_t size = mine.bytes_of_one;
        LOOM_CUDA(cudaMemcpyPeerAsync(static_cast<std::uint8_t*>(mine.heard) + from.first * size,
                                      mine.cuda_device,
                                      static_cast<const std::uint8_t*>(theirs.told) + to.told.first * size,
                                      theirs.cuda_device, from.count * size, stream));
      }
    }
    // And what they tell next waits for these copies.
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const PartMessages messages = parts[i]->messages();
      LOOM_CUDA(cudaSetDevice(messages.cuda_device));
      LOOM_CUDA(cudaEventRecord(told_[i], static_cast<cudaStream_t>(messages.cuda_stream)));
    }
    for (FractalPart* const part : parts) {
      const PartMessages messages = part->messages();
      LOOM_CUDA(cudaSetDevice(messages.cuda_device));
      for (const cudaEvent_t told : told_)
        LOOM_CUDA(cudaStreamWaitEvent(static_cast<cudaStream_t>(messages.cuda_stream), told, 0));
    }
  }
  void finish() override {}
  std::string name() const override { return "copies between devices"; }

 private:
  std::vector<cudaEvent_t> told_;  ///< a part's, in their order
};

}  // namespace

std::unique_ptr<PartExchange> make_copy_exchange() {
  return std::make_unique<CopyExchange>();
}

}  // namespace loom::cuda
