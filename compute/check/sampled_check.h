#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// The dwells of randomly chosen pixels compared with those of a plain loop in MPFR numbers.
struct SampledCheck {
  std::uint64_t samples = 0;
  std::uint64_t seed = 0;
  std::uint64_t different = 0;
  std::uint64_t far = 0;                ///< different by more than 1 and by more than a thousandth
  std::vector<DwellDifference> places;  ///< the first differences
  bool exact_mantissa = true;           ///< the precision has a double mantissa

  /// With a double mantissa at most one in ten thousand samples differs; with a float mantissa, which is not
  /// exact, at most one in a thousand is far from the exact dwell.
  bool ok() const { return exact_mantissa ? different * 10'000 <= samples : far * 1000 <= samples; }
};

/// The dwells of all pixels of a view of the Mandelbrot set, or of the Julia set of `julia`, by that loop,
/// row by row. In the Mandelbrot set it ends before the limit where a disc that some iterations map into
/// itself proves that the pixel is inside.
std::vector<std::uint32_t> exact_dwells(const MandelbrotView& view, std::uint32_t limit,
                                        const std::optional<JuliaPoint>& julia = {});

/// Checks the last computation of an engine at `samples` pixels that `seed` selects; a pixel may be selected
/// more than once. The loop shares no code with the evaluators; its numbers have 64 bits more than the
/// pixels' coordinates need. Throws OperationCancelled; `monitor` may be null.
SampledCheck check_samples(const MandelbrotEngine& engine, std::uint64_t samples, std::uint64_t seed,
                           std::size_t max_places, ProgressMonitor* monitor = nullptr);

}  // namespace loom
