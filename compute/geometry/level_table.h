#pragma once

#include <cstdint>

#include "compute/core/coord.h"
#include "compute/core/fast_divisor.h"
#include "compute/core/host_device.h"
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

/// The divisors that split coordinates into a level's digits.
template <typename Int>
struct LevelDivisors {
  FastDivisor<Int> k;
  FastDivisor<Int> s_x;
  FastDivisor<Int> s_y;
};

/// The generator of one level.
struct LevelShape {
  NbbShape shape;
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

/// One level of the tile coordinates of a mixed fractal, with what a thread adds for each digit. Aligned for
/// load_whole().
template <typename Int>
struct MixedLevel {
  static constexpr Int kHole = ~Int{0};
  alignas(16) FastDivisor<Int> k;
  alignas(16) FastDivisor<Int> s_x;
  alignas(16) FastDivisor<Int> s_y;
  /// The term of lambda for replica b: its offset times the scales of all finer levels.
  alignas(16) Coord<Int> offset[kMaxReplicas];
  /// The term of nu for the point y * s_x + x of the scale box: its replica times the k of all finer levels
  /// of the same parity, or kHole.
  Int replica[kMaxReplicas];
};

/// The levels of a fractal as plain data for kernels: null pointers for a uniform fractal. The host's table
/// belongs to the NbbFractal, which must outlive the view; the device's table is a copy that an engine owns.
struct LevelView {
  LevelKind kind = LevelKind::kUniform;
  const LevelTable* host = nullptr;
  const LevelTable* device = nullptr;
  const void* device_mixed = nullptr;  ///< MixedLevel of a mixed fractal, finest first, in its integer width

  LOOM_HOST_DEVICE const LevelTable& table() const {
#if defined(__CUDA_ARCH__)
    return *device;
#else
    return *host;
#endif
  }
};

}  // namespace loom
