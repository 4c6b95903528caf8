#pragma once

#include <cstdint>

#include "compute/cpu/mandelbrot/dwell_batch.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/region.h"

namespace loom::cpu {

/// What was done to a region.
struct RegionOutcome {
  RegionKind kind = RegionKind::kFill;
  std::uint64_t border_pixels = 0;
  std::uint64_t leaf_pixels = 0;
  std::uint64_t filled_pixels = 0;
};

/// Mariani-Silver on one region that is not empty: computes its border; fills it where the border has one
/// dwell and the rule lets it; otherwise computes it if it is of the last level, or leaves it to be split.
/// Its pixels are units of `call`, unless it is to be split; what a cancelled call made of it is of no use.
template <typename Real>
RegionOutcome work_on_region(const MandelbrotConfig& config, const PointGrid<Real>& grid,
                             const Region& region, bool last_level, const DwellImage& image,
                             const WatchedCall& call);

/// Every pixel of a region by the plain loop, but those known not to escape if `interior`; its pixels are
/// units of `call`.
template <typename Real>
void compute_plainly(const PointGrid<Real>& grid, const Region& region, std::uint32_t limit, bool interior,
                     const DwellImage& image, const WatchedCall& call);

}  // namespace loom::cpu
