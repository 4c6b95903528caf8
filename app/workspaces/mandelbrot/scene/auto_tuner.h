#pragma once

#include <memory>
#include <optional>

#include "app/tasks/task.h"
#include "compute/backend/fastest_plan.h"
#include "compute/device/device.h"

namespace loom::app {

/// Finds the fastest method and parameters for the current view. Times candidates on its own engine and
/// thread while nothing else is computed.
class AutoTuner {
 public:
  /// The conditions of a search. Comparison ignores g, r, B and the method of the configuration.
  struct TuningProblem {
    MandelbrotConfig config;
    MandelbrotView view;
    BackendSelection backend;
    bool may_be_exhaustive = true;
    bool same(const TuningProblem& other) const;
  };
  /// The result of a search.
  struct TuningResult {
    TuningProblem what;
    DwellPlan plan;
    double milliseconds = 0;
    std::optional<double> exhaustive_ms;  ///< set if the exhaustive method was timed as well
    std::size_t timed = 0;                ///< number of candidates timed
  };

  /// Starts a search unless one for the same conditions is finished or running. A running search for other
  /// conditions is cancelled, and the new one starts with a later call. Throws MachineError.
  void request(const TuningProblem& what);
  /// Takes the result of a finished search; waits for it up to `timeout`. Returns true if there is a new
  /// result. Throws DeviceFault.
  bool poll(TaskTimeout timeout);
  /// Requests the end of the running search. It is not started again for the same conditions.
  void cancel();
  bool searching() const { return task_.running(); }
  /// Whether request() would start a search: none for these conditions has finished, with or without a
  /// result.
  bool needs_search(const TuningProblem& what) const { return !(searched_ && searched_->same(what)); }
  /// The last result if it is for `what`, otherwise null.
  const TuningResult* result_for(const TuningProblem& what) const;
  /// The last result for any conditions: the first guess for another view.
  const std::optional<TuningResult>& result() const { return result_; }

 private:
  std::unique_ptr<MandelbrotEngine> engine_;  ///< used by the thread while it searches
  BackendSelection engine_of_;
  std::optional<TuningProblem>
      searched_;  ///< conditions of the last finished search, with or without a result
  std::optional<TuningResult> result_;
  TuningProblem running_;                   ///< conditions of the running search
  Task<std::optional<TuningResult>> task_;  ///< last member: must end before the engine
};

}  // namespace loom::app
