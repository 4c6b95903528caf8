#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "compute/engine/mandelbrot_engine.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app {

/// Regions on all levels.
std::uint64_t count_regions(const MandelbrotReport& report);

/// One method in a comparison, for one picture.
struct MethodScore {
  MandelbrotMethod method = MandelbrotMethod::kExhaustive;
  std::optional<double> milliseconds = {};  ///< median of the runs at full resolution
  std::size_t runs = 0;
  const MandelbrotReport* report = nullptr;  ///< null before the full resolution
  /// Number of dwells that differ from those of the exhaustive method; empty while not counted.
  std::optional<std::uint64_t> different = {};
  std::string_view problem = {};  ///< why there is no picture
};
using MethodScores = std::array<MethodScore, kMandelbrotMethods.size()>;  ///< by MandelbrotMethod

/// The pixels of the same view whose dwells differ in two engines; `places` has the first `max_places`. Both
/// engines must have finished an image of the same size.
DwellDifferences count_different_dwells(const MandelbrotEngine& engine, const MandelbrotEngine& reference,
                                        std::size_t max_places);

}  // namespace loom::app
