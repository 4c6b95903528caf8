#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "app/bench/sweep.h"
#include "compute/engine/fractal_engine.h"

namespace loom::app::bench {

/// The measurement of one configuration, in small steps, so that a window can stay responsive beside it
/// (when it is done, Sampler says).
class Measurement {
 public:
  /// Builds and fills the engine. Throws CapacityError where it does not fit in memory, MachineError.
  Measurement(const MapCase& bench_case, const Sampling& sampling);

  bool finished() const { return sampler_.finished(); }
  /// Runs one sample, or one step of the warm-up. Only while not finished.
  void advance();
  /// The whole entry, for which the threads are counted: takes about as long as one sample. Only when
  /// finished.
  Entry entry() const;

 private:
  Entry entry_;
  Work work_;
  Sampler sampler_;
  std::unique_ptr<FractalEngine> engine_;
  StepReport last_;
};

/// Measures a case from beginning to end: an entry with its times, or skipped with the reason where memory
/// does not suffice or the combination does not exist. Nothing where `stop`, which is asked between samples,
/// says so.
std::optional<Entry> measure(const MapCase& bench_case, const Sampling& sampling,
                             const std::function<bool()>& stop);

}  // namespace loom::app::bench
