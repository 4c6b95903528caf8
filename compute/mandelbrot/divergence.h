#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom {

// Divergence of a GPU's warps. A warp iterates until the last of its 32 lanes is done: a lane whose orbit
// ends earlier idles for the remaining iterations. One iteration of the warp is one lane-iteration of each
// lane. The values are counted, not measured: they follow from the dwells and from the mapping of pixels to
// threads, so that no GPU is needed. A dwell is the number of iterations of the plain loop, except for pixels
// that the optimisation `interior` recognises, which need none.

/// Lane-iterations of one warp, of one region, or of an image.
struct Divergence {
  /// Executions of the loop by a warp: several if each lane computes several pixels.
  std::uint64_t warps = 0;
  std::uint64_t lanes = 0;       ///< lanes that had a pixel to compute
  std::uint64_t iterations = 0;  ///< iterations of these lanes: the sum of the dwells
  /// Idle iterations of these lanes: the sum of (the warp's maximum - the lane's own).
  std::uint64_t waited = 0;
  std::uint64_t idle = 0;  ///< idle iterations of lanes without a pixel
  /// The fraction of idle lane-iterations, 0..1; 0 if there are none.
  double idle_fraction() const {
    const std::uint64_t all = iterations + waited + idle;
    return all ? static_cast<double>(waited + idle) / static_cast<double>(all) : 0;
  }
  Divergence& operator+=(const Divergence& other);
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// Converts the dwells of a view to iterations: with the optimisation `interior`, pixels that are not
/// iterated become 0. Throws InputError if the dwells are not those of the view.
void make_iterations(const MandelbrotConfig& config, const MandelbrotView& view,
                     std::span<std::uint32_t> dwells);

/// An image of dwells (or of iterations, see make_iterations()), row by row without gaps.
struct DwellRows {
  std::span<const std::uint32_t> dwells;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t at(std::uint32_t x, std::uint32_t y) const {
    return dwells[static_cast<std::uint64_t>(y) * width + x];
  }
};

/// The warps of the exhaustive method: a thread block computes a rectangle of its shape, one pixel per
/// thread, and its warps are 32 consecutive threads in row-major order.
class ExhaustiveDivergence {
 public:
  /// `dwells` is only read by this call. Throws InputError if it does not have width x height values.
  ExhaustiveDivergence(const DwellRows& dwells, BlockShape block);

  const Divergence& total() const { return total_; }
  /// All warps: thread blocks row by row, and the warps within each.
  const std::vector<Divergence>& warps() const { return warps_; }
  /// The index of the warp that computes a pixel of the image.
  std::uint64_t warp_of(std::uint32_t x, std::uint32_t y) const;

 private:
  BlockShape block_;
  std::uint32_t blocks_x_ = 0;
  std::uint32_t warps_of_block_ = 0;
  std::vector<Divergence> warps_;
  Divergence total_;
};

/// The divergence of one region's thread block in computing the border, and in computing a leaf. For the
/// published form this is what the kernels do. The effects of early-stop, periodicity, tiles and regroup are
/// not included: border pixels that are not computed, orbits that end earlier, filled pixels, regrouped
/// lanes.
struct RegionDivergence {
  Divergence border;
  Divergence leaf;  ///< for leaves only
  Divergence total() const;
};
/// `region` is inside the image; `block` is the shape of its thread block. With MBR, the panels of a leaf go
/// to several thread blocks of that shape, which does not change the counts.
RegionDivergence region_divergence(const DwellRows& dwells, const MandelbrotRegion& region, BlockShape block);

/// Whether the counts are exact for a configuration: for the exhaustive method, and for other methods without
/// early-stop, periodicity, tiles and regroup.
bool divergence_is_exact(const MandelbrotConfig& config);

}  // namespace loom
