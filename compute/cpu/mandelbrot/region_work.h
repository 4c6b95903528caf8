#pragma once

#include <cstdint>

#include "compute/cpu/mandelbrot/dwell_batch.h"
#include "compute/mandelbrot/mandelbrot_config.h"
#include "compute/mandelbrot/mandelbrot_report.h"
#include "compute/mandelbrot/region.h"

namespace loom::cpu {

/// The outcome of one region, with its counts.
struct RegionOutcome {
  RegionKind kind = RegionKind::kFill;
  std::uint64_t border_pixels = 0;
  std::uint64_t leaf_pixels = 0;
  std::uint64_t filled_pixels = 0;
};

/// Mariani-Silver on one region that is not empty: computes its border and fills the region if the border has
/// one dwell and the rule allows it; otherwise computes it on the last level, or leaves it to be split. Its
/// pixels are units of `call`, unless it is split. The result is meaningless if the call is cancelled.
template <typename Evaluator, typename Dwell>
RegionOutcome work_on_region(const MandelbrotConfig& config, const Evaluator& grid, const Region& region,
                             bool last_level, const DwellImage<Dwell>& image, const ProgressScope& call);

/// Computes every pixel of a region by the plain loop, except, if `interior`, those known not to escape. Its
/// pixels are units of `call`.
template <typename Evaluator, typename Dwell>
void compute_plainly(const Evaluator& grid, const Region& region, std::uint32_t limit, bool interior,
                     const DwellImage<Dwell>& image, const ProgressScope& call);

}  // namespace loom::cpu
