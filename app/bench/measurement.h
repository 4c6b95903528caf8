#pragma once

#include <cstdint>
#include <memory>

#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app::bench {

/// The measurement of one configuration, in small steps, so that a window stays responsive. Sampler decides
/// when it is finished.
class Measurement {
 public:
  virtual ~Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  bool finished() const { return sampler_.finished(); }
  /// Runs one sample, or one step of the warm-up. Only while not finished. Throws InputError, CapacityError
  /// (not enough memory), MachineError.
  void advance();
  /// The finished entry. For a map it counts the threads, which takes about as long as a sample. Only when
  /// finished.
  virtual Entry entry() const = 0;

 protected:
  /// The time of a number of rounds by the engine's clock.
  struct Rounds {
    double milliseconds = 0;
    std::uint64_t count = 0;
    double preparation_ms = 0;  ///< of the call, not part of the time: a reference orbit
  };

  explicit Measurement(const Sampling& sampling, std::uint32_t largest_batch = Sampler::kLargestBatch)
      : sampler_(sampling, largest_batch) {}

  /// Runs this number of rounds.
  virtual Rounds run(std::uint32_t rounds) = 0;
  /// With several processes, replaces the times by those of the first process, so that all make the same
  /// decisions.
  virtual void agree(double& /*milliseconds*/, double& /*elapsed_ms*/) const {}
  /// Called after a run that was a sample.
  virtual void on_sample() {}

  const Sampler& sampler() const { return sampler_; }
  Timing timing() const { return {sampler_.summary(), sampler_.limited()}; }

 private:
  Sampler sampler_;
};

/// Creates the engine of a case. Throws InputError for an invalid combination, CapacityError if memory is not
/// sufficient, MachineError, OperationCancelled.
std::unique_ptr<Measurement> begin_measurement(const Case& one, const Sampling& sampling,
                                               ProgressMonitor* watch = nullptr);

/// The same for a map case whose cells are shared by the processes of a run; all processes make the same
/// calls. A failure in only one process after all have started is a DeviceFault, because the others wait for
/// it.
std::unique_ptr<Measurement> begin_distributed_measurement(const Case& one, const Sampling& sampling,
                                                           const ProcessGroup& ranks);

}  // namespace loom::app::bench
