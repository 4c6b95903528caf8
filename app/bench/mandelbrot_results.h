#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/statistics.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// What was measured of one configuration of the Mandelbrot set.
struct MandelbrotMeasured {
  Summary milliseconds;  ///< of one image
  bool limited = false;  ///< a limit ended the sampling before the noise was low enough
  /// Counts of one image; times, of levels too, are medians of the samples.
  MandelbrotReport report;
  friend bool operator==(const MandelbrotMeasured&, const MandelbrotMeasured&) = default;
};

/// One configuration of the Mandelbrot set in a results file.
struct MandelbrotEntry {
  MandelbrotConfig config;
  MandelbrotView view;
  std::string backend;
  int device = 0;  ///< CUDA ordinal; 0 on the CPU
  int repeat = 0;
  std::optional<MandelbrotMeasured> measured = {};
  std::string skipped = {};  ///< why it was not measured; empty where it was
  friend bool operator==(const MandelbrotEntry&, const MandelbrotEntry&) = default;
};

/// The entry of a case, not yet measured.
MandelbrotEntry describe(const MandelbrotCase& bench_case);

/// "exhaustive", "ask-sbr".
std::string method_text(const MandelbrotConfig& config);
/// "g 32, r 2, B 32".
std::string cut_text(const MandelbrotConfig& config);

/// The median; none where it was skipped.
std::optional<double> median_ms(const MandelbrotEntry& entry);

/// Pixels written without computing.
std::uint64_t filled_pixels(const MandelbrotReport& report);

/// P over the whole image: of all regions that could split (those of every level but the last), the share
/// that did. None where there are no such regions.
std::optional<double> split_fraction(const MandelbrotReport& report);

}  // namespace loom::app::bench
