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

/// The divisors that split coordinates into a level's digits. Aligned for load_whole().
template <typename Int>
struct LevelDivisors {
  alignas(16) FastDivisor<Int> k;
  alignas(16) FastDivisor<Int> s_x;
  alignas(16) FastDivisor<Int> s_y;
  alignas(16) Coord<Int> scale;  ///< s_x, s_y
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
