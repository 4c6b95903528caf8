#include "compute/split/part_exchange.h"

#include <algorithm>
#include <cstring>

namespace loom {
namespace {

class HostExchange final : public PartExchange {
 public:
  void start(std::span<FractalPart* const> parts) override {
    for (FractalPart* const part : parts) {
      for (const PartStretch& from : part->told_by()) {
        const Telling to = find_telling(parts, *part, from);
        const PartMessages mine = part->messages();
        const PartMessages theirs = to.teller->messages();
        const std::size_t size = mine.bytes_of_one;
        std::memcpy(static_cast<std::uint8_t*>(mine.heard) + from.first * size,
                    static_cast<const std::uint8_t*>(theirs.told) + to.told.first * size, from.count * size);
      }
    }
  }
  void finish() override {}
  std::string name() const override { return "in this process"; }
};

}  // namespace

Telling find_telling(std::span<FractalPart* const> parts, const FractalPart& hearer,
                     const PartStretch& from) {
  FractalPart* const teller =
      *std::ranges::find_if(parts, [&](const FractalPart* other) { return other->number() == from.part; });
  return {teller, *std::ranges::find_if(teller->told_to(),
                                        [&](const PartStretch& one) { return one.part == hearer.number(); })};
}

std::unique_ptr<PartExchange> make_host_exchange() {
  return std::make_unique<HostExchange>();
}

}  // namespace loom
