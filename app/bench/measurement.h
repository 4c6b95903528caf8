#pragma once

#include <cstdint>
#include <memory>

#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "compute/engine/watch.h"
#include "compute/split/ranks.h"

namespace loom::app::bench {

/// The measurement of one configuration of either kind, in small steps, so that a window can stay responsive
/// beside it. When it is done, Sampler says.
class Measurement {
 public:
  virtual ~Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  bool finished() const { return sampler_.finished(); }
  /// Runs one sample, or one step of the warm-up. Only while not finished. Throws InputError, CapacityError
  /// where it does not fit in memory, MachineError.
  void advance();
  /// The whole entry; for one of a map the threads are counted, which takes about as long as a sample. Only
  /// when finished.
  virtual Entry entry() const = 0;

 protected:
  /// What some rounds took by the engine's clock.
  struct Rounds {
    double milliseconds = 0;
    std::uint64_t count = 0;
  };

  explicit Measurement(const Sampling& sampling, std::uint32_t largest_batch = Sampler::kLargestBatch)
      : sampler_(sampling, largest_batch) {}

  /// Runs so many rounds.
  virtual Rounds run(std::uint32_t rounds) = 0;
  /// Where processes measure together, what the first one's clocks say becomes what all decide by.
  virtual void agree(double& /*milliseconds*/, double& /*elapsed_ms*/) const {}
  /// The last run was a sample.
  virtual void sampled() {}

  const Sampler& sampler() const { return sampler_; }
  Timing timing() const { return {sampler_.summary(), sampler_.limited()}; }

 private:
  Sampler sampler_;
};

/// Builds and fills what a case needs. Throws InputError for a combination that does not exist, CapacityError
/// where it does not fit in memory, MachineError, Cancelled.
std::unique_ptr<Measurement> begin_measurement(const Case& one, const Sampling& sampling,
                                               Watch* watch = nullptr);

/// Likewise, of a case of maps whose cells the processes of a run share; all of them make the same calls.
/// What goes wrong in one alone, after all have begun, is a DeviceFault: the others wait for it in vain.
std::unique_ptr<Measurement> begin_shared_measurement(const Case& one, const Sampling& sampling,
                                                      const Ranks& ranks);

}  // namespace loom::app::bench
