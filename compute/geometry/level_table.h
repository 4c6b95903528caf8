#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
#include "compute/core/load_whole.h"
#include "compute/geometry/nbb_shape.h"
#include "compute/geometry/symmetry.h"

namespace loom {

/// The largest number of levels of a fractal: k >= 2 and k^r <= 2^62.
inline constexpr int kMaxLevels = 62;

/// How the levels of a fractal differ.
enum class LevelKind : std::uint8_t {
  kUniform,  ///< one generator for all levels, replicas as they are
  kMixed,    ///< a generator for each level
  kTurned,   ///< some replicas are rotated or mirrored; generators may differ by level as well
};

// A level's divisors, in the few bytes that load_whole() reads at once: the loops over levels are limited by
// their loads.

/// For lambda: the base k of a level's digits, 2 <= k <= kMaxReplicas, and the scales.
template <typename Int>
class alignas(2 * sizeof(Int)) LevelDigits {
 public:
  LevelDigits() = default;
  explicit LevelDigits(const NbbShape& shape)
      : k_(static_cast<std::uint8_t>(shape.k)),
        s_x_(static_cast<std::uint8_t>(shape.s_x)),
        s_y_(static_cast<std::uint8_t>(shape.s_y)) {
    const FastDivisor<Int> k(shape.k);
    multiplier_ = k.multiplier();
    shift_ = static_cast<std::uint8_t>(k.shift_after());
  }
  LOOM_HOST_DEVICE std::uint32_t k() const { return k_; }
  LOOM_HOST_DEVICE std::uint32_t s_x() const { return s_x_; }
  LOOM_HOST_DEVICE std::uint32_t s_y() const { return s_y_; }
  /// FastDivisor::take_digit() in base k.
  LOOM_HOST_DEVICE Int take_digit(Int& number) const {
    const Int rest = quotient(number, multiplier_, 1, shift_);
    const Int digit = number - rest * k_;
    number = rest;
    return digit;
  }

 private:
  Int multiplier_ = 1;
  std::uint8_t k_ = 2;
  std::uint8_t shift_ = 0;
  std::uint8_t s_x_ = 1;
  std::uint8_t s_y_ = 1;
};

/// For nu and membership: the scales s_x and s_y, 1 to kMaxScale, as divisors.
template <typename Int>
class alignas(16) LevelScales {
 public:
  LevelScales() = default;
  explicit LevelScales(const NbbShape& shape) : x_(shape.s_x), y_(shape.s_y) {}
  LOOM_HOST_DEVICE std::uint32_t s_x() const { return x_.scale; }
  LOOM_HOST_DEVICE std::uint32_t s_y() const { return y_.scale; }
  // FastDivisor::take_digit() in base s_x and s_y.
  LOOM_HOST_DEVICE Int take_x(Int& number) const { return x_.take_digit(number); }
  LOOM_HOST_DEVICE Int take_y(Int& number) const { return y_.take_digit(number); }

 private:
  struct Divisor {
    Divisor() = default;
    explicit Divisor(std::uint32_t s) : scale(static_cast<std::uint8_t>(s)) {
      const FastDivisor<Int> divisor(s);
      multiplier = divisor.multiplier();
      shift_before = static_cast<std::uint8_t>(divisor.shift_before());
      shift_after = static_cast<std::uint8_t>(divisor.shift_after());
    }
    LOOM_HOST_DEVICE Int take_digit(Int& number) const {
      const Int rest = quotient(number, multiplier, shift_before, shift_after);
      const Int digit = number - rest * scale;
      number = rest;
      return digit;
    }
    Int multiplier = 1;
    std::uint8_t scale = 1;
    std::uint8_t shift_before = 0;
    std::uint8_t shift_after = 0;
  };
  Divisor x_;
  Divisor y_;
};

template <typename Int>
struct LevelDivisors {
  LevelDigits<Int> digits;
  LevelScales<Int> scales;
};

/// The generator of one level.
struct LevelShape {
  NbbShape shape;
  /// The offsets of the shape; one load for both coordinates.
  struct alignas(2) Offset {
    std::uint8_t x = 0;
    std::uint8_t y = 0;
  };
  Offset offset[kMaxReplicas] = {};
  /// Bit y * s_x + x: whether a replica is there.
  std::uint64_t occupied = 0;
  Symmetry symmetry[kMaxReplicas] = {};  ///< how the content of replica b is placed
};

/// All levels of a fractal that is not uniform, from the coarsest down: generators are assigned in this
/// direction. Level mu of a fractal of level r is element r - mu. Levels without a generator are not read.
struct LevelTable {
  LevelDivisors<std::uint32_t> narrow[kMaxLevels];
  LevelDivisors<std::uint64_t> wide[kMaxLevels];
  LevelShape shapes[kMaxLevels];

  template <typename Int>
  LOOM_HOST_DEVICE const LevelDivisors<Int>& divisors(int i) const {
    if constexpr (sizeof(Int) == sizeof(std::uint32_t)) {
      return narrow[i];
    } else {
      return wide[i];
    }
  }
};

/// The levels of a fractal as plain data for kernels: null pointers for a uniform fractal. The host's table
/// belongs to the NbbFractal, which must outlive the view; the device's table is a copy that an engine owns.
struct LevelView {
  LevelKind kind = LevelKind::kUniform;
  const LevelTable* host = nullptr;
  const LevelTable* device = nullptr;

  LOOM_HOST_DEVICE const LevelTable& table() const {
#if defined(__CUDA_ARCH__)
    return *device;
#else
    return *host;
#endif
  }
};

}  // namespace loom
