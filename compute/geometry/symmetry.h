#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/coord.h"
#include "compute/core/host_device.h"

namespace loom {

/// One of the eight symmetries of a square of side n, y down: the axes are swapped (bit 0), then x becomes
/// n - 1 - x (bit 1), then y becomes n - 1 - y (bit 2).
enum class Symmetry : std::uint8_t {
  kIdentity = 0,
  kTranspose = 1,      ///< (y, x)
  kMirrorX = 2,        ///< (n - 1 - x, y)
  kRotate90 = 3,       ///< (n - 1 - y, x), 90 degrees clockwise
  kMirrorY = 4,        ///< (x, n - 1 - y)
  kRotate270 = 5,      ///< (y, n - 1 - x)
  kRotate180 = 6,      ///< (n - 1 - x, n - 1 - y)
  kAntitranspose = 7,  ///< (n - 1 - y, n - 1 - x)
};
inline constexpr std::uint32_t kSymmetryCount = 8;

/// The names in fractal files: "id", "r90", "r180", "r270", "mx", "my", "t", "at", in that order.
inline constexpr std::array kSymmetries = {
    Symmetry::kIdentity, Symmetry::kRotate90, Symmetry::kRotate180, Symmetry::kRotate270,
    Symmetry::kMirrorX,  Symmetry::kMirrorY,  Symmetry::kTranspose, Symmetry::kAntitranspose};
std::string_view name_of(Symmetry symmetry);
/// Throws InputError with the list of names.
Symmetry parse_symmetry(std::string_view name);

/// The image of a point of a square of side `side`.
template <typename Int>
LOOM_HOST_DEVICE Coord<Int> apply(Symmetry symmetry, Coord<Int> at, Int side) {
  const auto bits = static_cast<std::uint32_t>(symmetry);
  const Int x = bits & 1u ? at.y : at.x;
  const Int y = bits & 1u ? at.x : at.y;
  return {bits & 2u ? side - 1 - x : x, bits & 4u ? side - 1 - y : y};
}

/// `bits` with the two flips exchanged if the axes are swapped.
LOOM_HOST_DEVICE constexpr std::uint32_t flips_behind_swap(std::uint32_t flips, std::uint32_t swap) {
  return swap & 1u ? (flips & 2u) << 1 | (flips & 4u) >> 1 : flips & 6u;
}

/// The symmetry that applies `inner` first and `outer` second.
LOOM_HOST_DEVICE constexpr Symmetry compose(Symmetry outer, Symmetry inner) {
  const auto a = static_cast<std::uint32_t>(outer);
  const auto b = static_cast<std::uint32_t>(inner);
  return static_cast<Symmetry>(((a ^ b) & 1u) | ((a & 6u) ^ flips_behind_swap(b, a)));
}

/// The symmetry that reverses another.
LOOM_HOST_DEVICE constexpr Symmetry inverse(Symmetry symmetry) {
  const auto bits = static_cast<std::uint32_t>(symmetry);
  return static_cast<Symmetry>((bits & 1u) | flips_behind_swap(bits, bits));
}

}  // namespace loom
