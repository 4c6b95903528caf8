#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/bench/entry.h"
#include "app/bench/mandelbrot_sweep.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::app::bench {

/// The measurement of one Mandelbrot configuration. Times are per image.
struct MandelbrotResult : Timing {
  /// Counts per image; times, including those of levels, are medians of the samples.
  MandelbrotReport report;
  friend bool operator==(const MandelbrotResult&, const MandelbrotResult&) = default;
};

struct MandelbrotSetup {
  MandelbrotConfig config;
  MandelbrotView view;
  friend bool operator==(const MandelbrotSetup&, const MandelbrotSetup&) = default;
};

/// One configuration of the Mandelbrot set in a results file.
using MandelbrotEntry = EntryOf<MandelbrotSetup, MandelbrotResult>;

/// The entry of a case, not yet measured.
MandelbrotEntry describe(const MandelbrotCase& one);

/// The configuration in words: "n 1024, ask-sbr, g 32, r 2, B 32, ideas all"; of a decimal view
/// also precision and width.
std::string long_text(const MandelbrotEntry& entry);

/// "exhaustive", "ask-sbr".
std::string method_text(const MandelbrotConfig& config);
/// "g 32, r 2, B 32".
std::string cut_text(const MandelbrotConfig& config);

/// The width of a view in the complex plane, decimal.
std::string width_text(const MandelbrotView& view);

/// -log10 of the width.
double depth_of(const MandelbrotView& view);

/// Number of pixels written without being computed.
std::uint64_t filled_pixels(const MandelbrotReport& report);
/// Number of computed pixels that were computed before: the next level processes the border of a region that
/// splits. All pixels are the computed ones without these, the filled and the mirrored ones.
std::uint64_t recomputed_pixels(const MandelbrotReport& report);

/// P over the whole image: the fraction of regions that split, among those that could (all levels except the
/// last). Empty if there are none.
std::optional<double> split_fraction(const MandelbrotReport& report);

}  // namespace loom::app::bench
