#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/timing.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// What was measured of one configuration of the Mandelbrot set. Times are of one image.
struct MandelbrotMeasured : Timing {
  /// Counts of one image; times, of levels too, are medians of the samples.
  MandelbrotReport report;
  friend bool operator==(const MandelbrotMeasured&, const MandelbrotMeasured&) = default;
};

/// One configuration of the Mandelbrot set in a results file.
struct MandelbrotEntry : EntryOrigin {
  MandelbrotConfig config;
  MandelbrotView view;
  std::optional<MandelbrotMeasured> measured = {};
  friend bool operator==(const MandelbrotEntry&, const MandelbrotEntry&) = default;
};

/// The entry of a case, not yet measured.
MandelbrotEntry describe(const MandelbrotCase& one);

/// The configuration in words: "n 1024, ask-sbr, g 32, r 2, B 32, ideas all".
std::string long_text(const MandelbrotEntry& entry);

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
