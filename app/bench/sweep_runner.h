#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/bench/measurement.h"
#include "app/bench/results.h"
#include "app/bench/sweep.h"
#include "app/bench/time_left.h"

namespace loom::app::bench {

/// A sweep of either kind that is measured in slices: one case after the other, each sample by sample. What
/// cannot be measured is an entry that says why. A slice has two halves, so that a window can have the long
/// one done by another thread and show, pause or stop the sweep meanwhile.
class SweepRunner {
 public:
  enum class Status { kRunning, kPaused, kStopped, kDone };

  /// How the measurement of a case begins; throws as begin_measurement does.
  using Begin =
      std::function<std::unique_ptr<Measurement>(const Case& one, const Sampling& sampling, Watch* watch)>;

  /// `results` is everything but the entries, of the kind of the cases, or has the entries of the first
  /// cases: then it stands as a sweep does that was stopped there. No cases: done at once. Throws InputError
  /// for a case that is not valid by itself.
  SweepRunner(Results results, std::vector<Case> cases, const Sampling& sampling,
              Begin begin = begin_measurement);

  using Clock = std::chrono::steady_clock;

  /// Measures for about `budget`: as many steps (building an engine, one sample) as begin within it, at least
  /// one. Nothing unless it is running. Throws DeviceFault, after which nothing of the device is left.
  void run(Clock::duration budget);

  /// The long half of a slice: steps of one case, as many as begin within `budget`, at least one. It changes
  /// nothing that the other calls read but take(), so another thread may do it. Throws DeviceFault, and
  /// Cancelled before a step and while an engine is built; a sample runs to its end, since one that polls
  /// would be another one.
  void work(Clock::duration budget, Watch* watch = nullptr);
  /// The short half, when work() has ended: an entry that it finished joins the results.
  void take();

  /// Keeps the configuration that is under way.
  void pause();
  void resume();
  /// After a stop, where cases are left.
  void go_on();
  bool can_go_on() const { return status_ == Status::kStopped && done() < cases_.size(); }
  /// Ends the sweep. The entries stay, and the results say so; the next take() drops the configuration that
  /// is under way, with its memory.
  void stop();

  Status status() const { return status_; }
  bool ended() const { return status_ == Status::kStopped || status_ == Status::kDone; }
  /// Entry i is of case i.
  const Results& results() const { return results_; }
  const std::vector<Case>& cases() const { return cases_; }
  std::size_t done() const { return results_.size(); }
  std::size_t skipped() const { return skipped_; }
  /// A guess, by the clock on the wall.
  double seconds_left() const { return time_left_.seconds(); }

 private:
  void step(Watch* watch);
  void skip(const std::string& reason);

  Results results_;
  std::vector<Case> cases_;
  Sampling sampling_;
  Begin begin_;
  TimeLeft time_left_;
  Status status_ = Status::kRunning;
  std::unique_ptr<Measurement> measurement_;  ///< of case done(); what work() changes is this
  std::optional<Entry> finished_;             ///< and this, which take() takes
  std::size_t skipped_ = 0;
  Clock::time_point since_;  ///< when the case, or its part after a pause, began
  double seconds_ = 0;       ///< of the case before that
};

/// "running", "paused", "stopped", "done".
std::string_view name_of(SweepRunner::Status status);

}  // namespace loom::app::bench
