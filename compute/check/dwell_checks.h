#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// Counts the differences from the exhaustive method that border filling explains: the pixel is inside a
/// filled region, or inside a filled tile of a leaf, and has the uniform dwell of the border around it. Any
/// other difference is an error. The engine's last computation must have listed its regions.
std::uint64_t count_border_misses(const MandelbrotEngine& engine, const DwellDifferences& differences);

/// A summary of an engine's dwells.
struct DwellHash {
  /// Sum over the pixels i, row by row, of splitmix64(splitmix64(i) + dwell), modulo 2^64.
  std::uint64_t hash = 0;
  std::uint64_t interior = 0;  ///< pixels at the dwell limit
};

/// The summary of the last computation. The dwells are read a few rows at a time.
DwellHash hash_of_dwells(const MandelbrotEngine& engine);

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
