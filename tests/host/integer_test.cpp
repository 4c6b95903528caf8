#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <numeric>

#include "compute/core/fast_divisor.h"
#include "compute/core/integer_math.h"

namespace loom {
namespace {

template <typename Int>
class FastDivisorTest : public testing::Test {};
using Widths = testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(FastDivisorTest, Widths);

TYPED_TEST(FastDivisorTest, DividesLikeTheOperator) {
  using Int = TypeParam;
  constexpr Int kMost = std::numeric_limits<Int>::max();
  for (Int divisor = 1; divisor <= 1100; ++divisor) {
    const FastDivisor<Int> fast(divisor);
    for (Int n : {Int{0}, Int{1}, Int(divisor - 1), divisor, Int(divisor + 1), Int(kMost / 2), Int(kMost - 1),
                  kMost, Int(kMost / divisor * divisor), Int(kMost / divisor * divisor - 1)}) {
      ASSERT_EQ(fast.divide(n), n / divisor) << n << " / " << divisor;
    }
  }
}

TYPED_TEST(FastDivisorTest, RandomOperands) {
  using Int = TypeParam;
  EXPECT_TRUE(rc::check([] {
    const Int divisor = *rc::gen::inRange<Int>(1, Int{1} << (sizeof(Int) * 8 - 1));
    const Int n = *rc::gen::arbitrary<Int>();
    Int rest = n;
    const Int digit = FastDivisor<Int>(divisor).take_digit(rest);
    RC_ASSERT(rest == n / divisor);
    RC_ASSERT(digit == n % divisor);
  }));
}

TEST(CheckedPower, StopsAtSixtyFourBits) {
  EXPECT_EQ(checked_power(3, 40), 12157665459056928801u);
  EXPECT_EQ(checked_power(3, 41), std::nullopt);
  EXPECT_EQ(checked_power(2, 63), std::uint64_t{1} << 63);
  EXPECT_EQ(checked_power(2, 64), std::nullopt);
  EXPECT_EQ(checked_power(1, 1000), 1u);
  EXPECT_EQ(saturating_multiply(std::uint64_t{1} << 40, std::uint64_t{1} << 24), ~std::uint64_t{0});
}

TEST(Splitmix64, PublishedValues) {
  // The first outputs of the reference generator with seed 0 are the hashes of 0, of the increment, and so
  // on.
  EXPECT_EQ(splitmix64(0), 0xe220a8397b1dcdafu);
  EXPECT_EQ(splitmix64(0x9E3779B97F4A7C15u), 0x6e789e6aa1b965f4u);
}

}  // namespace
}  // namespace loom
