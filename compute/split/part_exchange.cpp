#include "compute/split/part_exchange.h"

#include <algorithm>
#include <cstring>

namespace loom {
namespace {

class HostExchange final : public PartExchange {
 public:
  void start(std::span<PlanePart* const> parts) override {
    for (PlanePart* const part : parts) {
      for (const PartRim::Stretch& from : part->rim().told_by) {
        const Telling to = find_telling(parts, *part, from);
        const PartMessages mine = part->messages();
        const PartMessages theirs = to.teller->messages();
        const std::size_t size = mine.bytes_of_thread;
        std::memcpy(static_cast<std::uint8_t*>(mine.heard) + from.first * size,
                    static_cast<const std::uint8_t*>(theirs.told) + to.told.first * size, from.count * size);
      }
    }
  }
  void finish() override {}
  std::string name() const override { return "in this process"; }
};

}  // namespace

Telling find_telling(std::span<PlanePart* const> parts, const PlanePart& hearer,
                     const PartRim::Stretch& from) {
  PlanePart* const teller =
      *std::ranges::find_if(parts, [&](const PlanePart* other) { return other->number() == from.part; });
  return {teller, *std::ranges::find_if(teller->rim().told_to, [&](const PartRim::Stretch& one) {
            return one.part == hearer.number();
          })};
}

std::unique_ptr<PartExchange> make_host_exchange() {
  return std::make_unique<HostExchange>();
}

}  // namespace loom
