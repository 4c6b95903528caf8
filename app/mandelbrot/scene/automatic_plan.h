#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "app/shell/worker.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_plan.h"

namespace loom::app {

/// Finds the fastest way to compute the view that is shown, by timing a few on an engine and a thread of its
/// own while nothing else is computed.
class AutomaticPlan {
 public:
  /// What a plan is for. g, r, B and the method of the configuration are left out of a comparison.
  struct For {
    MandelbrotConfig config;
    MandelbrotView view;
    BackendSelection backend;
    bool may_be_exhaustive = true;
    bool same(const For& other) const;
  };
  /// What was found.
  struct Found {
    For what;
    DwellPlan plan;
    double milliseconds = 0;
    std::optional<double> exhaustive_ms;  ///< where it was timed too
    std::size_t timed = 0;                ///< plans
  };

  /// Begins a search unless one for the same was made or is under way; one for something else is cancelled,
  /// and begun with a later call. Throws MachineError.
  void want(const For& what);
  /// Takes a search that has ended; waits for it at most so long. True where something new was found. Throws
  /// DeviceFault.
  bool poll(std::chrono::duration<double, std::milli> patience);
  /// Wishes an end to the search under way. It is not made again for the same.
  void cancel();
  bool searching() const { return worker_.busy(); }
  /// Whether want() would search: nothing was searched for it, found or not.
  bool is_due(const For& what) const { return !(done_ && done_->same(what)); }
  /// For what was searched last, if it was for `what`.
  const Found* found_for(const For& what) const;
  /// What was found last, for whatever: the first guess for another view.
  const std::optional<Found>& found() const { return found_; }

 private:
  std::unique_ptr<MandelbrotEngine> engine_;  ///< the thread's while it searches
  BackendSelection engine_of_;
  std::optional<For> done_;  ///< searched, whether anything came of it or not
  std::optional<Found> found_;
  struct Job {
    For what;
    std::optional<Found> found;
  } job_;

  Worker worker_;  ///< last: ends before what it works on goes
};

}  // namespace loom::app
