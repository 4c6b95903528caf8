#include <gtest/gtest.h>

#include "compute/workload/life_neighbours.h"

namespace loom {
namespace {

TEST(FourCells, BytesArePermutedAsPtxSays) {
  constexpr std::uint32_t kLow = 0x83020180;
  constexpr std::uint32_t kHigh = 0x07860504;
  EXPECT_EQ(permute_bytes(kLow, kHigh, 0x3210), kLow);
  EXPECT_EQ(permute_bytes(kLow, kHigh, 0x7654), kHigh);
  EXPECT_EQ(permute_bytes(kLow, kHigh, 0x4063), 0x04808683u);
  EXPECT_EQ(permute_bytes(kLow, kHigh, 0xeb98), 0xffff00ffu) << "selector bit 3 replicates the sign bit";
}

TEST(FourCells, RowsBecomeColumns) {
  const std::uint32_t rows[4] = {0x03020100, 0x13121110, 0x23222120, 0x33323130};
  const FourWords columns = transpose(rows);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(columns.words[i], 0x30201000u + i * 0x01010101u);
  EXPECT_EQ(first_bytes(rows), columns.words[0]);
}

// Every set of birth counts, each with a different set of survival counts; every state and number of
// neighbours in every byte.
TEST(FourCells, FourNextStatesAreThoseOfEachAlone) {
  for (std::uint32_t bits = 0; bits < 1u << 9; ++bits) {
    const TwoStateRule rule(
        LifeRule{static_cast<std::uint16_t>(bits), static_cast<std::uint16_t>(bits * 5 % 512 ^ 0x1a5u)});
    const LifeRuleTable table(rule);
    for (std::uint32_t start = 0; start < 18; ++start) {
      std::uint32_t own = 0;
      std::uint32_t living = 0;
      std::uint32_t expected = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t which = (start + 7 * i) % 18;
        own |= which / 9 << (8 * i);
        living |= which % 9 << (8 * i);
        expected |= std::uint32_t{next_state(rule, which / 9, which % 9)} << (8 * i);
      }
      ASSERT_EQ(listed(table, own, living), expected) << "rule " << bits << " from " << start;
    }
  }
}

TEST(FourCells, OnesAreFoundInEveryByte) {
  for (std::uint32_t first = 0; first < 256; ++first) {
    const std::uint32_t word = first | (first * 7 + 1) % 256 << 8 | (first ^ 1) << 16 | (255 - first) << 24;
    std::uint32_t expected = 0;
    for (int byte = 0; byte < 4; ++byte) expected |= ((word >> 8 * byte & 0xffu) == 1 ? 1u : 0u) << 8 * byte;
    EXPECT_EQ(ones_of(word), expected) << word;
    EXPECT_EQ(ones_of(std::uint64_t{word} << 32 | word), std::uint64_t{expected} << 32 | expected) << word;
  }
}

}  // namespace
}  // namespace loom
