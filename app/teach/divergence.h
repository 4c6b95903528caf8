#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app::teach {

/// How long the warps of an exhaustive launch are at work on a picture, by its dwells. A warp goes on until
/// the longest orbit of its lanes has ended; the others wait. Counted from the picture, so that it says what
/// any launch of this block shape does, on a GPU or not. Exact.
struct Divergence {
  std::uint64_t warps = 0;
  std::uint64_t steps = 0;       ///< of all orbits: the sum of the dwells
  std::uint64_t lane_steps = 0;  ///< 32 times the longest orbit of each warp
  /// The share of lane_steps in which lanes wait, those outside of the picture among them; 0 without warps.
  double waiting() const;
};

/// Copies row y of the picture, as many dwells as the span holds.
using ReadDwellRow = std::function<void(std::uint32_t y, std::span<std::uint32_t> row)>;

/// Threads are numbered in a block row by row, 32 to a warp, and block rows lie one below the other, as the
/// exhaustive kernel has them. `block`: its threads are a multiple of 32.
Divergence divergence_of(std::uint32_t width, std::uint32_t height, BlockShape block,
                         const ReadDwellRow& read);

}  // namespace loom::app::teach
