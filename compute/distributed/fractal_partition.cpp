#include "compute/distributed/fractal_partition.h"

#include <algorithm>
#include <cstring>

namespace loom {
namespace {

class HostExchange final : public HaloExchange {
 public:
  void start(std::span<FractalPartition* const> parts) override {
    for (FractalPartition* const part : parts) {
      for (const HaloSegment& from : part->received_from()) {
        const HaloMessage to = find_halo_message(parts, *part, from);
        const HaloBuffers mine = part->messages();
        const HaloBuffers theirs = to.sender->messages();
        const std::size_t size = mine.element_bytes;
        std::memcpy(static_cast<std::uint8_t*>(mine.received) + from.first * size,
                    static_cast<const std::uint8_t*>(theirs.sent) + to.sent.first * size, from.count * size);
      }
    }
  }
  void finish() override {}
  std::string name() const override { return "in this process"; }
};

}  // namespace

HaloMessage find_halo_message(std::span<FractalPartition* const> parts, const FractalPartition& receiver,
                              const HaloSegment& from) {
  FractalPartition* const sender = *std::ranges::find_if(
      parts, [&](const FractalPartition* other) { return other->number() == from.part; });
  return {sender, *std::ranges::find_if(sender->sent_to(), [&](const HaloSegment& one) {
            return one.part == receiver.number();
          })};
}

std::unique_ptr<HaloExchange> make_host_exchange() {
  return std::make_unique<HostExchange>();
}

}  // namespace loom
