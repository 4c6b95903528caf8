#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// What the Mandelbrot part of `verify` found.
struct MandelbrotVerification {
  std::uint64_t passed = 0;         ///< configurations
  std::uint64_t border_misses = 0;  ///< pixels that differ from the plain loop, explained, of all of them
  std::vector<std::string> differences;  ///< configurations that failed, each with what is wrong
  bool ok() const { return differences.empty(); }
};

/// Computes a few views by every method, scheme and idea, in both precisions, on every backend, and compares:
/// exhaustive with the plain loop on the host, pixel by pixel; the others with each other, pixel by pixel,
/// and with the plain loop, from which they may differ by border misses alone.
MandelbrotVerification verify_mandelbrot(const std::vector<BackendSelection>& backends);

}  // namespace loom
