#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/bench/mandelbrot_results.h"
#include "app/bench/mandelbrot_sweep.h"
#include "app/bench/sampler.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom::app::bench {

/// The measurement of one configuration of the Mandelbrot set, in small steps. A sample is one whole image.
class MandelbrotMeasurement {
 public:
  /// Builds the engine. Throws MachineError.
  MandelbrotMeasurement(const MandelbrotCase& bench_case, const Sampling& sampling);

  bool finished() const { return sampler_.finished(); }
  /// Computes one image. Only while not finished. Throws InputError, CapacityError where it does not fit in
  /// memory, MachineError where a launch from the device failed.
  void advance();
  /// The whole entry. Only when finished.
  MandelbrotEntry entry() const;

 private:
  MandelbrotCase case_;
  Sampler sampler_;
  std::unique_ptr<MandelbrotEngine> engine_;
  MandelbrotReport last_;
  std::vector<std::vector<double>> level_samples_;  ///< milliseconds, by level that has a time
};

/// Measures a case from beginning to end: an entry with its times, or skipped with the reason where memory
/// does not suffice, the configuration does not exist or the device could not start all children. Nothing
/// where `stop`, which is asked between samples, says so. Throws DeviceFault.
std::optional<MandelbrotEntry> measure(const MandelbrotCase& bench_case, const Sampling& sampling,
                                       const std::function<bool()>& stop);

}  // namespace loom::app::bench
