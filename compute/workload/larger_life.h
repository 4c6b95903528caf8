#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/workload/game_of_life.h"

namespace loom {

/// Whether a method counts the neighbours of a rule by sums. Automatic: from radius 2 on, where it is faster;
/// measured on an H200 (docs/results.md).
inline bool counts_by_sums(Counting counting, const LargerThanLife& rule) {
  return counting == Counting::kAuto ? rule.radius > 1 : counts_by_sums(counting);
}

/// A rule of Larger than Life as kernels and loops take it: its neighbourhood as rectangles of whole rows.
struct LargeRule {
  /// Rows from `first` to `last`, relative to the cell, in which the neighbours have |dx| <= half_width.
  struct Rows {
    std::int8_t first;
    std::int8_t last;
    std::int8_t half_width;
  };
  LifeRule rule;
  std::uint32_t count = 0;
  Rows rows[2 * LargerThanLife::kMaxRadius + 1] = {};

  /// `of` must be larger.
  explicit LargeRule(const LifeRule& of) : rule(of) {
    const int radius = of.larger.radius;
    for (int dy = -radius; dy <= radius; ++dy) {
      const auto width =
          static_cast<std::int8_t>(of.larger.half_width(static_cast<std::uint32_t>(dy < 0 ? -dy : dy)));
      if (count > 0 && rows[count - 1].half_width == width) {
        rows[count - 1].last = static_cast<std::int8_t>(dy);
      } else {
        rows[count++] = {static_cast<std::int8_t>(dy), static_cast<std::int8_t>(dy), width};
      }
    }
  }
};

/// The state of a cell in the next generation. `living` counts the living cells of its neighbourhood, itself
/// among them.
LOOM_HOST_DEVICE std::uint8_t next_state(const LargeRule& rule, std::uint32_t own, std::uint32_t living) {
  const LargerThanLife& larger = rule.rule.larger;
  if (own != 1) return state_after(rule.rule, own, larger.birth.has(living) ? 1 : 0);
  return state_after(rule.rule, own, larger.survival.has(living - (larger.middle ? 0 : 1)) ? 1 : 0);
}

/// The points of a tile and of as many around it as a radius needs, which a CPU or a thread block counts in:
/// 1 for a living cell, 0 for any other point. The first row and the first column stay 0; the tile's corner
/// is at (radius + 1, radius + 1).
struct TileBox {
  /// What the shared memory of every GPU holds besides what the maps need.
  static constexpr std::uint32_t kMaxCells = 14000;
  std::uint32_t radius = 1;
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::uint32_t pitch = 1;  ///< an odd number of words: lanes on neighbouring rows use different banks
  /// Tiles on each side that contain points of the box.
  std::uint32_t around_x = 1;
  std::uint32_t around_y = 1;

  TileBox(const TiledFractal& fractal, std::uint32_t of_radius)
      : radius(of_radius),
        width(fractal.rho_x + 2 * of_radius + 1),
        height(fractal.rho_y + 2 * of_radius + 1),
        pitch((width + 1) / 4 * 4 + 2),
        around_x((of_radius + fractal.rho_x - 1) / fractal.rho_x),
        around_y((of_radius + fractal.rho_y - 1) / fractal.rho_y) {}
  LOOM_HOST_DEVICE std::uint32_t cells() const { return pitch * height; }
  LOOM_HOST_DEVICE std::uint32_t tiles_x() const { return 2 * around_x + 1; }
  LOOM_HOST_DEVICE std::uint32_t tiles_around() const { return tiles_x() * (2 * around_y + 1); }
  /// The index of the point at a position of the tile.
  LOOM_HOST_DEVICE std::uint32_t at(Coord32 position) const {
    return (position.y + radius + 1) * pitch + position.x + radius + 1;
  }
};

/// Replaces `count` values, `stride` apart, by their running sums.
LOOM_HOST_DEVICE void add_up(std::uint16_t* at, std::uint32_t count, std::uint32_t stride) {
  constexpr std::uint32_t kAtOnce = 8;  // loads that do not wait for each other
  std::uint32_t sum = 0;
  for (; count >= kAtOnce; count -= kAtOnce, at += kAtOnce * stride) {
    std::uint32_t values[kAtOnce];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::uint32_t i = 0; i < kAtOnce; ++i) values[i] = at[i * stride];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (std::uint32_t i = 0; i < kAtOnce; ++i) {
      sum += values[i];
      at[i * stride] = static_cast<std::uint16_t>(sum);
    }
  }
  for (; count > 0; --count, at += stride) {
    sum += *at;
    *at = static_cast<std::uint16_t>(sum);
  }
}

/// The living cells of a neighbourhood, the middle among them, in a box with running sums along both axes.
/// `own` is the cell's value.
LOOM_HOST_DEVICE std::uint32_t count_by_sums(const LargeRule& rule, const std::uint16_t* own, int pitch) {
  std::uint32_t living = 0;
  for (std::uint32_t i = 0; i < rule.count; ++i) {
    const LargeRule::Rows rows = rule.rows[i];
    const std::uint16_t* const last = own + rows.last * pitch;
    const std::uint16_t* const before = own + (rows.first - 1) * pitch;
    const int right = rows.half_width;
    const int left = -right - 1;
    living += (std::uint32_t{last[right]} - before[right]) - (std::uint32_t{last[left]} - before[left]);
  }
  return living;
}

/// The same in a box without sums.
LOOM_HOST_DEVICE std::uint32_t count_directly(const LargeRule& rule, const std::uint16_t* own, int pitch) {
  std::uint32_t living = 0;
  for (std::uint32_t i = 0; i < rule.count; ++i) {
    const LargeRule::Rows rows = rule.rows[i];
    for (int dy = rows.first; dy <= rows.last; ++dy) {
      const std::uint16_t* const row = own + dy * pitch;
      for (int dx = -rows.half_width; dx <= rows.half_width; ++dx) living += row[dx];
    }
  }
  return living;
}

}  // namespace loom
