#include "app/workspaces/mandelbrot/scene/auto_tuner.h"

#include <limits>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Runs per candidate that may be the fastest. Only one on the host, where runs are long and compete with
/// frames for the cores.
std::uint32_t runs_on(const Device& device) {
  return device.on_host ? 1 : 3;
}

}  // namespace

bool AutoTuner::TuningProblem::same(const TuningProblem& other) const {
  const auto without_plan = [](MandelbrotConfig of) {
    of.method = MandelbrotMethod::kAsk;
    of.g = of.r = of.b = 2;
    return of;
  };
  return view == other.view && backend.same_device(other.backend) &&
         may_be_exhaustive == other.may_be_exhaustive && without_plan(config) == without_plan(other.config);
}

void AutoTuner::request(const TuningProblem& what) {
  if (task_.running()) {
    if (!running_.same(what)) task_.cancel();
    return;
  }
  if (!needs_search(what)) return;
  if (!engine_ || !engine_of_.same_device(what.backend)) {
    engine_ = make_mandelbrot_engine(what.backend);
    engine_of_ = what.backend;
  }
  running_ = what;
  PlanSearchOptions search{.may_be_exhaustive = what.may_be_exhaustive, .runs = runs_on(what.backend.device)};
  if (result_ && !result_->plan.exhaustive) search.first = result_->plan.cut;
  task_.start([this, what, search](ProgressMonitor& watch) mutable -> std::optional<TuningResult> {
    search.after_each = [&watch](const CutSearch&) {
      if (watch.cancelled()) throw OperationCancelled();
    };
    engine_->set_monitor(&watch);
    const CutSearch cuts = find_fastest_plan(*engine_, what.config, what.view, search);
    const auto& best = cuts.best();
    if (!best || best->time == std::numeric_limits<double>::max()) return std::nullopt;
    TuningResult result{what, best->plan, best->time, std::nullopt, cuts.timed().size()};
    for (const CutSearch::PlanTiming& timed : cuts.timed()) {
      if (timed.plan.exhaustive) result.exhaustive_ms = timed.time;
    }
    return result;
  });
}

bool AutoTuner::poll(TaskTimeout timeout) {
  auto outcome = task_.poll(timeout);
  if (!outcome || outcome->cancelled) return false;
  searched_ = running_;
  // After a failure the settings stay as they are.
  if (!outcome->result || !*outcome->result) return false;
  result_ = std::move(*outcome->result);
  return true;
}

void AutoTuner::cancel() {
  if (!task_.running()) return;
  searched_ = running_;
  task_.cancel();
}

const AutoTuner::TuningResult* AutoTuner::result_for(const TuningProblem& what) const {
  return result_ && result_->what.same(what) ? &*result_ : nullptr;
}

}  // namespace loom::app
