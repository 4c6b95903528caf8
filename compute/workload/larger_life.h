#pragma once

#include <cstdint>

#include "compute/core/host_device.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/map/tiling.h"
#include "compute/workload/game_of_life.h"

/// Unrolls a loop with a constant number of rounds, so that the arrays which it indexes are registers.
#if defined(__CUDA_ARCH__)
#define LOOM_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#define LOOM_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__CUDACC__)
#define LOOM_UNROLL
#else
#define LOOM_UNROLL _Pragma("GCC unroll 16")
#endif

namespace loom {

/// Whether the points around a tile are counted as rows of bits (Counting::kBits, kTensor): for boxes of at
/// most 64 x 64 points around tiles of at most 32 x 32, by a whole warp.
inline bool counts_rows(const MapMethod& method, const TiledFractal& fractal, const LargerThanLife& rule) {
  return rule.shape == Neighbourhood::kBox && fractal.rho_x <= 32 && fractal.rho_y <= 32 &&
         tiling_of(method, fractal).parallel * threads_per_tile(method, fractal) >= 32;
}

/// How a method counts the neighbours of a rule. Automatic, as measured on an H200 (docs/results.md): on a
/// GPU in bits where only tiles with cells are launched, wide ones with few holes; elsewhere by sums from
/// radius 2 on.
/// Bit-packed storage knows one way.
inline Counting counting_of(const MapMethod& method, const TiledFractal& fractal, const LargerThanLife& rule,
                            bool on_gpu) {
  if (method.storage == CellStorage::kBits) return Counting::kBits;
  if (method.counting != Counting::kAuto) return method.counting;
  constexpr std::uint32_t kNarrow = 16;  // leaves most of a word's 32 cells unused
  if (on_gpu && method.map != MapKind::kBoundingBox && fractal.rho_x > kNarrow &&
      2 * fractal.tile_cells > fractal.points_per_tile() && counts_rows(method, fractal, rule))
    return Counting::kBits;
  return rule.radius > 1 ? Counting::kSums : Counting::kDirect;
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

/// Rows of a box of bits, and points of a row: bit x of row y is the point (x, y), without TileBox's row and
/// column of zeros.
inline constexpr std::uint32_t kMaxBoxSide = 64;

/// Counts of up to 2^kPlanes - 1, one for each bit of a word: bit i of them is in plane i.
template <typename Word, int kPlanes>
struct BitCounts {
  Word planes[kPlanes] = {};
};
/// The largest count of a row, 33, and of a box, 1089.
using RowCounts = BitCounts<std::uint32_t, 6>;
using BoxCounts = BitCounts<std::uint32_t, 11>;

template <typename Word>
LOOM_HOST_DEVICE constexpr Word majority(Word a, Word b, Word c) {
  return (a & b) | (c & (a | b));
}

/// Adds to each of the counts the one that `added(plane)` gives, of which planes from kAdded on are 0.
template <int kAdded, typename Word, int kPlanes, typename Added>
LOOM_HOST_DEVICE void add_counts(BitCounts<Word, kPlanes>& sum, const Added& added) {
  Word carry = 0;
  LOOM_UNROLL
  for (int i = 0; i < kPlanes; ++i) {
    const Word a = sum.planes[i];
    const Word b = i < kAdded ? static_cast<Word>(added(i)) : Word{0};
    sum.planes[i] = a ^ b ^ carry;
    carry = majority(a, b, carry);
  }
}

/// Which counts are from `first` to `last`.
template <typename Word, int kPlanes>
LOOM_HOST_DEVICE Word counts_between(const BitCounts<Word, kPlanes>& counts, std::uint32_t first,
                                     std::uint32_t last) {
  Word reaches = ~Word{0};
  Word stays = ~Word{0};
  LOOM_UNROLL
  for (int i = 0; i < kPlanes; ++i) {
    const Word not_first = Word{first >> i & 1u} - 1;
    const Word of_last = Word{0} - Word{last >> i & 1u};
    reaches = majority(counts.planes[i], not_first, reaches);
    stays = majority(~counts.planes[i], of_last, stays);
  }
  return reaches & stays;
}

/// The living cells among `length` <= 33 points of a row, from each of its first 32 points on. Windows of
/// twice as many points are sums of two.
LOOM_HOST_DEVICE RowCounts count_in_row(std::uint64_t row, std::uint32_t length) {
  BitCounts<std::uint64_t, 6> window{{row}};
  RowCounts counts;
  std::uint32_t counted = 0;
  LOOM_UNROLL
  for (int j = 0; j < 6; ++j) {
    const std::uint32_t size = 1u << j;
    if (length & size) {
      add_counts<6>(counts, [&](int i) { return window.planes[i] >> counted; });
      counted += size;
    }
    if (length < 2 * size) break;
    const auto before = window;
    add_counts<6>(window, [&](int i) { return before.planes[i] >> size; });
  }
  return counts;
}

/// What a rule makes of a row of counts, the middle among them: in the low half of the word which dead cells
/// are born, in the high half which living ones survive.
LOOM_HOST_DEVICE std::uint64_t states_of(const LargeRule& rule, const BoxCounts& counts) {
  const LargerThanLife& larger = rule.rule.larger;
  const std::uint32_t own = larger.middle ? 0 : 1;
  const std::uint32_t born = counts_between(counts, larger.birth.first, larger.birth.last);
  const std::uint32_t stays = counts_between(counts, larger.survival.first + own, larger.survival.last + own);
  return born | std::uint64_t{stays} << 32;
}
LOOM_HOST_DEVICE std::uint8_t next_state(const LargeRule& rule, std::uint32_t own, std::uint64_t row,
                                         std::uint32_t x) {
  return state_after(rule.rule, own, row >> (own == 1 ? x + 32 : x) & 1u);
}

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
