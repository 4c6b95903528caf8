#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "app/bench/sweep.h"
#include "compute/device/energy.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/progress_monitor.h"

namespace loom::app::bench {

/// The measurement of one configuration, in small steps, so that a window stays responsive. Sampler decides
/// when its time is known. Then its energy is measured, if that is wanted: rounds of about 50 ms per call,
/// for a quarter of a second to warm up and then for as many windows as the meter needs.
class Measurement {
 public:
  virtual ~Measurement() = default;
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;

  bool finished() const { return sampler_.finished() && !(meter_ && needs_energy()); }
  /// Runs one sample, or one step of the warm-up. Only while not finished. Throws InputError, CapacityError
  /// (not enough memory), MachineError.
  void advance();
  /// The finished row. For a map it counts the threads, which takes about as long as a sample. Only when
  /// finished.
  virtual Row row() const = 0;

 protected:
  /// The time of a number of rounds by the engine's clock.
  struct Rounds {
    double milliseconds = 0;
    std::uint64_t count = 0;
    double preparation_ms = 0;  ///< of the call, not part of the time: a reference orbit
  };

  /// `devices`: those that compute.
  Measurement(const Sampling& sampling, const std::vector<Device>& devices,
              std::uint32_t largest_batch = Sampler::kLargestBatch);

  /// Runs this number of rounds.
  virtual Rounds run(std::uint32_t rounds) = 0;
  /// With several processes, replaces the times by those of the first process, so that all make the same
  /// decisions.
  virtual void agree(double& /*milliseconds*/, double& /*elapsed_ms*/) const {}
  /// Called after a run that was a sample.
  virtual void on_sample() {}

  const Sampler& sampler() const { return sampler_; }
  /// Sets the times, and the energy if it was measured.
  void set_measured(Row& row) const;

 private:
  bool needs_energy() const { return meter_->problem().empty() && !meter_->finished(); }
  void advance_energy();

  Sampler sampler_;
  std::uint32_t rounds_per_call_;
  std::shared_ptr<std::map<std::string, double>> idle_watts_;
  std::optional<EnergyMeter> meter_;
  double warm_ms_ = 0;  ///< of rounds before the energy is measured
};

/// Creates the engine of a case. `ranks`: the processes of a run that share the cells of a map case; all make
/// the same calls, and a failure in only one of them after all have started is a DeviceFault, because the
/// others wait for it. Null: this process alone. Throws InputError for an invalid combination, CapacityError
/// if memory is not sufficient, MachineError, OperationCancelled.
std::unique_ptr<Measurement> begin_measurement(const Case& one, const Sampling& sampling,
                                               ProgressMonitor* watch = nullptr,
                                               const ProcessGroup* ranks = nullptr);

/// Estimates the remaining time of a sweep. The weight of a case is the sampling time expected from its
/// amount of work (threads, pixels) at the speed of earlier cases, within the limits; the ratio of actual
/// times to weights corrects the rest.
class RemainingTime {
 public:
  RemainingTime(const std::vector<Case>& cases, const Sampling& sampling);

  /// Records the next case: `seconds` in total, `median_ms` per round, empty if it was skipped.
  void add(std::optional<double> median_ms, double seconds);
  double seconds() const;

 private:
  double weight(double work) const;

  std::vector<double> work_;  ///< work of a generation (threads) or image (pixels), per case
  Sampling sampling_;
  std::size_t done_ = 0;
  double taken_ = 0;
  double weight_taken_ = 0;
  double ms_per_work_ = 1e-6;  ///< of the last case with enough work to outweigh its launch cost
};

/// Measures a sweep in slices: case after case, each sample by sample. A case that cannot be measured becomes
/// an entry with the reason. A slice has two halves, so that a background thread can do the long one while
/// the window shows, pauses or stops the sweep.
class SweepRunner {
 public:
  enum class Status { kRunning, kPaused, kStopped, kDone };

  /// Creates the measurement of a case; throws as begin_measurement.
  using Begin = std::function<std::unique_ptr<Measurement>(const Case& one, const Sampling& sampling,
                                                           ProgressMonitor* watch)>;

  static std::unique_ptr<Measurement> begin_alone(const Case& one, const Sampling& sampling,
                                                  ProgressMonitor* watch) {
    return begin_measurement(one, sampling, watch);
  }

  /// `results` has no entries, or those of the first cases; then the sweep is in the state stopped. Without
  /// cases it is done at once. Throws InputError for an invalid case.
  SweepRunner(Results results, std::vector<Case> cases, const Sampling& sampling, Begin begin = begin_alone);

  using Clock = std::chrono::steady_clock;

  /// Measures for about `budget`: as many steps (creating an engine, one sample) as start within it, at least
  /// one. Does nothing unless running. Throws DeviceFault, after which the device state is lost.
  void run(Clock::duration budget);

  /// The long half of a slice: steps of one case, as many as start within `budget`, at least one. It changes
  /// nothing that other calls except take() read, so a background thread may call it. Throws DeviceFault, and
  /// OperationCancelled before a step and while an engine is built. A sample is not interrupted: polling
  /// would change what it measures.
  void work(Clock::duration budget, ProgressMonitor* watch = nullptr);
  /// The short half, after work() has returned: adds a finished entry to the results.
  void take();

  /// Pauses and keeps the current configuration.
  void pause();
  void resume();
  /// Continues a stopped sweep that has cases left.
  void continue_sweep();
  bool can_continue() const { return status_ == Status::kStopped && done() < cases_.size(); }
  /// Stops the sweep. The entries stay, and the results are marked as interrupted; the next take() drops the
  /// current configuration and its memory.
  void stop();

  Status status() const { return status_; }
  bool ended() const { return status_ == Status::kStopped || status_ == Status::kDone; }
  /// Row i is of case i.
  const Results& results() const { return results_; }
  const std::vector<Case>& cases() const { return cases_; }
  std::size_t done() const { return results_.rows.size(); }
  std::size_t skipped() const { return skipped_; }
  /// Estimated remaining wall-clock seconds.
  double seconds_left() const { return remaining_time_.seconds(); }

 private:
  void step(ProgressMonitor* watch);
  void skip(const std::string& reason);

  Results results_;
  std::vector<Case> cases_;
  Sampling sampling_;
  Begin begin_;
  RemainingTime remaining_time_;
  Status status_ = Status::kRunning;
  std::unique_ptr<Measurement> measurement_;  ///< measurement of case done(), changed by work()
  std::optional<Row> finished_;               ///< set by work(), taken by take()
  std::size_t skipped_ = 0;
  Clock::time_point since_;  ///< start of the case, or of its part after a pause
  double seconds_ = 0;       ///< seconds of the case before `since_`
};

/// "running", "paused", "stopped", "done".
std::string_view name_of(SweepRunner::Status status);

/// "42 s", "3:07 min", "1:05 h".
std::string duration_text(double seconds);

}  // namespace loom::app::bench
