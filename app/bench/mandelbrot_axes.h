#pragma once

#include <cstdint>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/mandelbrot/mandelbrot_config.h"

namespace loom::app::bench {

/// The values that a sweep over methods of the Mandelbrot set runs through, axis by axis. Images are square
/// and show the default window; the block shape is the method's default. What a method or a backend does not
/// have (scheme, g, r, B of exhaustive; all ideas but narrow of exhaustive; two schemes on the CPU) is not
/// varied for it.
struct MandelbrotAxes {
  std::vector<std::uint32_t> sizes;  ///< n
  std::vector<MandelbrotMethod> methods;
  std::vector<RegionScheme> schemes;
  std::vector<MandelbrotIdeas> ideas;
  std::vector<std::uint32_t> gs;
  std::vector<std::uint32_t> rs;
  std::vector<std::uint32_t> bs;
  std::vector<std::uint32_t> dwell_limits;
  std::vector<Precision> precisions;
  std::vector<BackendSelection> backends;
  int repeats = 1;  ///< how often the whole sweep runs
};

}  // namespace loom::app::bench
