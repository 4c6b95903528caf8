#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/measurement.h"
#include "app/bench/remaining_time.h"
#include "app/bench/results.h"
#include "app/bench/sweep.h"

namespace loom::app::bench {

/// Measures a sweep in slices: case after case, each sample by sample. A case that cannot be measured becomes
/// an entry with the reason. A slice has two halves, so that a background thread can do the long one while
/// the window shows, pauses or stops the sweep.
class SweepRunner {
 public:
  enum class Status { kRunning, kPaused, kStopped, kDone };

  /// Creates the measurement of a case; throws as begin_measurement.
  using Begin = std::function<std::unique_ptr<Measurement>(const Case& one, const Sampling& sampling,
                                                           ProgressMonitor* watch)>;

  /// `results` has no entries, or those of the first cases; then the sweep is in the state stopped. Without
  /// cases it is done at once. Throws InputError for an invalid case.
  SweepRunner(Results results, std::vector<Case> cases, const Sampling& sampling,
              Begin begin = begin_measurement);

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
  /// Entry i is of case i.
  const Results& results() const { return results_; }
  const std::vector<Case>& cases() const { return cases_; }
  std::size_t done() const { return results_.size(); }
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
  std::optional<Entry> finished_;             ///< set by work(), taken by take()
  std::size_t skipped_ = 0;
  Clock::time_point since_;  ///< start of the case, or of its part after a pause
  double seconds_ = 0;       ///< seconds of the case before `since_`
};

/// "running", "paused", "stopped", "done".
std::string_view name_of(SweepRunner::Status status);

}  // namespace loom::app::bench
