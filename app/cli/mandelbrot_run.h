#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/bench/sampler.h"
#include "app/cli/command.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_plan.h"
#include "compute/check/dwell_checks.h"
#include "compute/mandelbrot/divergence.h"

namespace loom::app {

/// Maximum number of differences that are printed.
inline constexpr std::size_t kPrintedPlaces = 100;

/// The differences from the exhaustive image.
struct ExhaustiveCheck {
  DwellDifferences differences;
  std::uint64_t border_misses = 0;  ///< among the examined differences
  /// Whether every examined difference is a border miss.
  bool ok() const { return border_misses == differences.places.size(); }
};

/// Lane-iterations of the warps of a GPU, whether or not there is one.
struct DivergenceReport {
  bool exact = false;
  Divergence border;  ///< of all regions; zero with the exhaustive method
  Divergence pixels;  ///< of leaves, or of the whole image
  Divergence total() const {
    Divergence sum = border;
    sum += pixels;
    return sum;
  }
};

/// What `mandelbrot` computed and checked.
struct MandelbrotRun {
  MandelbrotConfig config;
  MandelbrotView view;
  BackendSelection backend;
  std::string device;
  std::vector<int> devices;  ///< if there are several, or if they were named
  int ranks = 1;
  MandelbrotReport report;                     ///< of the last run
  std::vector<MandelbrotPartitionTime> parts;  ///< of the last run, if there are several
  bench::Summary times;
  std::optional<DwellHash> dwells;  ///< with --hash
  std::optional<CutSearch> search;  ///< with --automatic
  std::optional<ExhaustiveCheck> check;
  std::optional<SampledCheck> sampled;  ///< with --check-samples
  std::optional<DivergenceReport> warp_divergence;
  std::string npy;  ///< files that were written; empty: none
  std::string png;
  FirstError failure;  ///< error of writing them
};

/// Prints a run as one JSON object, or as text: a table, the levels, and differences.
void print_json(const MandelbrotRun& run);
void print_text(const MandelbrotRun& run);

}  // namespace loom::app
