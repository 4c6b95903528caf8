#pragma once

#include <cstdint>

#include "compute/core/host_device.h"

namespace loom {

/// The high half of the product a * b.
LOOM_HOST_DEVICE std::uint32_t multiply_high(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32);
}
LOOM_HOST_DEVICE std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
  return __umul64hi(a, b);
#else
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
#endif
}

/// Division by a divisor that is known only at run time, computed as one multiplication and two shifts. Exact
/// for every dividend. Int is uint32_t or uint64_t; 1 <= divisor <= 2^31 (2^63 for uint64_t). Source: T.
/// Granlund, P. Montgomery, "Division by invariant integers using multiplication", 1994, figure 4.1.
template <typename Int>
class FastDivisor {
 public:
  FastDivisor() = default;
  explicit FastDivisor(Int divisor) : divisor_(divisor) {
    constexpr int kBits = static_cast<int>(sizeof(Int)) * 8;
    int log = 0;
    while (log < kBits - 1 && (Int{1} << log) < divisor) ++log;
    __extension__ using Wide = unsigned __int128;
    const Wide power = Wide{1} << log;
    multiplier_ = static_cast<Int>(((Wide{1} << kBits) * (power - divisor)) / divisor + 1);
    shift_before_ = log < 1 ? log : 1;
    shift_after_ = log > 1 ? log - 1 : 0;
  }

  LOOM_HOST_DEVICE Int value() const { return divisor_; }
  LOOM_HOST_DEVICE Int divide(Int dividend) const {
    const Int high = multiply_high(multiplier_, dividend);
    return (high + ((dividend - high) >> shift_before_)) >> shift_after_;
  }
  /// Replaces `number` by its quotient and returns the remainder, which is the lowest digit in this base.
  LOOM_HOST_DEVICE Int take_digit(Int& number) const {
    const Int quotient = divide(number);
    const Int digit = number - quotient * divisor_;
    number = quotient;
    return digit;
  }

 private:
  Int divisor_ = 1;
  Int multiplier_ = 1;
  int shift_before_ = 0;
  int shift_after_ = 0;
};

}  // namespace loom
