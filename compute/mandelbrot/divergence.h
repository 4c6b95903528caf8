#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom {

// What the lanes of a GPU's warps wait for each other. A warp iterates until the last of its 32 lanes is
// done: a lane whose orbit ends earlier waits for the rest, one iteration of the warp being one
// lane-iteration of each lane. Counted, not measured: from the dwells and from which thread computes which
// pixel, so that no GPU is needed; a dwell is the number of iterations that the plain loop takes, but of a
// pixel that the idea `interior` knows: that takes none.

/// Lane-iterations of one warp, of one region, or of an image.
struct Divergence {
  std::uint64_t warps = 0;       ///< runs of the loop by a warp: several where it takes several pixels a lane
  std::uint64_t lanes = 0;       ///< that had a pixel to compute
  std::uint64_t iterations = 0;  ///< that these lanes did: the sum of the dwells
  std::uint64_t waited = 0;      ///< that these lanes waited: the sum of (the warp's most - its own)
  std::uint64_t idle = 0;        ///< that lanes without a pixel were there for nothing
  /// The share of all lane-iterations that did something, 0..1; 1 where there are none.
  double efficiency() const {
    const std::uint64_t all = iterations + waited + idle;
    return all ? static_cast<double>(iterations) / static_cast<double>(all) : 1;
  }
  Divergence& operator+=(const Divergence& other);
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// Makes the dwells of a view iterations: with the idea `interior`, 0 for the pixels that are not iterated.
/// Throws InputError where these are not the view's dwells.
void make_iterations(const MandelbrotConfig& config, const MandelbrotView& view,
                     std::span<std::uint32_t> dwells);

/// An image of dwells (iterations: make_iterations()), row by row without gaps.
struct DwellRows {
  std::span<const std::uint32_t> dwells;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return dwells[static_cast<std::uint64_t>(y) * width + x];
  }
};

/// The warps of the exhaustive method: a block of threads computes a rectangle of its shape, a thread a
/// pixel, and its warps are 32 threads each row by row.
class ExhaustiveDivergence {
 public:
  /// `dwells` is only read here. Throws InputError where it is not width x height dwells.
  ExhaustiveDivergence(const DwellRows& dwells, BlockShape block);

  const Divergence& total() const { return total_; }
  /// By number: blocks row by row, and the warps within them.
  const std::vector<Divergence>& warps() const { return warps_; }
  /// The warp that computes a pixel of the image.
  std::uint64_t warp_of(std::uint32_t x, std::uint32_t y) const;

 private:
  BlockShape block_;
  std::uint32_t blocks_x_ = 0;
  std::uint32_t warps_of_block_ = 0;
  std::vector<Divergence> warps_;
  Divergence total_;
};

/// What one region's thread block waited in computing the border, and in computing a leaf. With the published
/// form this is what the kernels do. What early-stop, periodicity, tiles and regroup change of it is left
/// out: border pixels not computed, orbits ended sooner, pixels filled, lanes gathered anew.
struct RegionDivergence {
  Divergence border;
  Divergence leaf;  ///< of a leaf alone
  Divergence total() const;
};
/// `region` lies in the image; `block` is the shape of its thread block. With the scheme MBR the panels of a
/// leaf go to several thread blocks of that shape, which changes no count.
RegionDivergence region_divergence(const DwellRows& dwells, const MandelbrotRegion& region, BlockShape block);

/// Whether a configuration's kernels do what the counts say: the exhaustive method, and others without
/// early-stop, periodicity, tiles and regroup.
bool divergence_is_exact(const MandelbrotConfig& config);

}  // namespace loom
