#include "compute/solid/solid_words.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "compute/workload/rule_text.h"

namespace loom::test {
namespace {

template <typename Rule>
class SolidWords : public testing::Test {};
using SolidWordRules = testing::Types<TwoStateRuleOf<3>, SolidRuleMasks>;
TYPED_TEST_SUITE(SolidWords, SolidWordRules);

TYPED_TEST(SolidWords, GiveTheNextStateOfEachCell) {
  constexpr std::uint32_t kBits = kBitsPerCell<TypeParam>;
  std::mt19937 engine(6);
  const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
  for (int trial = 0; trial < 200; ++trial) {
    const SolidRule rule{random() & 0x7ffffffu, random() & 0x7ffffffu};
    std::uint32_t words[kSolidWords];
    const std::uint32_t density = random() % 33;  // from no to all cells alive
    for (std::uint32_t& word : words) {
      word = 0;
      for (std::uint32_t bit = 0; bit < 32; bit += kBits)
        word |= std::uint32_t{random() % 32 < density} << bit;
    }
    const std::uint32_t next = next_solid_word(TypeParam(TwoStateRuleOf<3>(rule)), words);
    for (std::uint32_t bit = 0; bit < 32; bit += kBits) {
      const std::uint32_t alive = words[kSolidWords / 2] >> bit & 1u;
      std::uint32_t living = 0;
      for (const std::uint32_t word : words) living += word >> bit & 1u;
      ASSERT_EQ(next >> bit & 1u, next_state(rule, alive, living - alive)) << to_string(rule) << living;
    }
  }
}

}  // namespace
}  // namespace loom::test
