#include "app/workspaces/mandelbrot/scene/auto_tuner.h"

#include <limits>
#include <new>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Runs per candidate that may be the fastest. Only one on the CPU, where runs are long and compete with
/// frames for the cores.
std::uint32_t runs_on(BackendKind backend) {
  return backend == BackendKind::kCuda ? 3 : 1;
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
  if (worker_.busy()) {
    if (!job_.what.same(what)) worker_.watch().cancel();
    return;
  }
  if (!needs_search(what)) return;
  if (!engine_ || !engine_of_.same_device(what.backend)) {
    engine_ = make_mandelbrot_engine(what.backend);
    engine_of_ = what.backend;
  }
  job_ = {what, std::nullopt};
  PlanSearchOptions search{.may_be_exhaustive = what.may_be_exhaustive, .runs = runs_on(what.backend.kind)};
  if (result_ && !result_->plan.exhaustive) search.first = result_->plan.cut;
  worker_.start([this, search](ProgressMonitor& watch) mutable {
    search.after_each = [&watch](const CutSearch&) {
      if (watch.cancelled()) throw OperationCancelled();
    };
    engine_->set_monitor(&watch);
    const CutSearch cuts = find_fastest_plan(*engine_, job_.what.config, job_.what.view, search);
    const auto& best = cuts.best();
    if (!best || best->time == std::numeric_limits<double>::max()) return;
    job_.result = TuningResult{job_.what, best->plan, best->time, std::nullopt, cuts.timed().size()};
    for (const CutSearch::PlanTiming& timed : cuts.timed()) {
      if (timed.plan.exhaustive) job_.result->exhaustive_ms = timed.time;
    }
  });
}

bool AutoTuner::poll(std::chrono::duration<double, std::milli> timeout) {
  if (!worker_.busy()) return false;
  try {
    if (!worker_.wait_for(timeout)) return false;
  } catch (const OperationCancelled&) {
    return false;
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError&) {
    // The settings stay unchanged.
  } catch (const std::bad_alloc&) {
  }
  searched_ = job_.what;
  if (!job_.result) return false;
  result_ = job_.result;
  return true;
}

void AutoTuner::cancel() {
  if (!worker_.busy()) return;
  searched_ = job_.what;
  worker_.watch().cancel();
}

const AutoTuner::TuningResult* AutoTuner::result_for(const TuningProblem& what) const {
  return result_ && result_->what.same(what) ? &*result_ : nullptr;
}

}  // namespace loom::app
