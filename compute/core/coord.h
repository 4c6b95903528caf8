#pragma once

#include <cstdint>

namespace loom {

/// The largest number of threads that CUDA allows in a thread block.
inline constexpr std::uint32_t kMaxBlockThreads = 1024;

/// A point of a two-dimensional index space: x grows to the right, y grows downwards, both start at 0.
template <typename Int>
struct Coord {
  Int x = 0;
  Int y = 0;
  friend constexpr bool operator==(const Coord&, const Coord&) = default;
};

using Coord32 = Coord<std::uint32_t>;
using Coord64 = Coord<std::uint64_t>;

}  // namespace loom
