#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compute/device/device.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// The result of the Mandelbrot part of `verify`.
struct MandelbrotVerification {
  std::uint64_t passed = 0;         ///< configurations
  std::uint64_t border_misses = 0;  ///< sum over all configurations of the pixels that differ from the plain
                                    ///< loop and are explained by border filling
  std::vector<std::string> differences;  ///< the configurations that failed, each with its error
  bool ok() const { return differences.empty(); }
};

/// Computes a few views by every method, scheme and optimisation, in both precisions, on every backend.
/// Compares the exhaustive method with the plain loop on the host, pixel by pixel, and the other methods with
/// each other and with the plain loop. Deep views are compared with exact arithmetic. Only border misses may
/// differ from the plain loop.
MandelbrotVerification verify_mandelbrot(const std::vector<BackendSelection>& backends);

}  // namespace loom
