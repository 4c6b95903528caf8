#include "app/mandelbrot/scene/automatic_plan.h"

#include <limits>
#include <new>

#include "compute/backend/mandelbrot_factory.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Runs of a plan that may be the fastest: on the CPU one, since they take long and the frames share its
/// cores.
std::uint32_t runs_on(BackendKind backend) {
  return backend == BackendKind::kCuda ? 3 : 1;
}

}  // namespace

bool AutomaticPlan::For::same(const For& other) const {
  const auto without_plan = [](MandelbrotConfig of) {
    of.method = MandelbrotMethod::kAsk;
    of.g = of.r = of.b = 2;
    return of;
  };
  return view == other.view && backend.same_device(other.backend) &&
         may_be_exhaustive == other.may_be_exhaustive && without_plan(config) == without_plan(other.config);
}

void AutomaticPlan::want(const For& what) {
  if (worker_.busy()) {
    if (!job_.what.same(what)) worker_.watch().cancel();
    return;
  }
  if (!is_due(what)) return;
  if (!engine_ || !engine_of_.same_device(what.backend)) {
    engine_ = make_mandelbrot_engine(what.backend);
    engine_of_ = what.backend;
  }
  job_ = {what, std::nullopt};
  PlanSearch search{.may_be_exhaustive = what.may_be_exhaustive, .runs = runs_on(what.backend.kind)};
  if (found_ && !found_->plan.exhaustive) search.first = found_->plan.cut;
  worker_.start([this, search](Watch& watch) mutable {
    search.after_each = [&watch](const CutSearch&) {
      if (watch.cancelled()) throw Cancelled();
    };
    engine_->set_watch(&watch);
    const CutSearch cuts = find_fastest_plan(*engine_, job_.what.config, job_.what.view, search);
    const auto& best = cuts.best();
    if (!best || best->time == std::numeric_limits<double>::max()) return;
    job_.found = Found{job_.what, best->plan, best->time, std::nullopt, cuts.timed().size()};
    for (const CutSearch::Timed& timed : cuts.timed()) {
      if (timed.plan.exhaustive) job_.found->exhaustive_ms = timed.time;
    }
  });
}

bool AutomaticPlan::poll(std::chrono::duration<double, std::milli> patience) {
  if (!worker_.busy()) return false;
  try {
    if (!worker_.wait_for(patience)) return false;
  } catch (const Cancelled&) {
    return false;
  } catch (const DeviceFault&) {
    throw;
  } catch (const MachineError&) {
    // The settings stay as they are.
  } catch (const std::bad_alloc&) {
  }
  done_ = job_.what;
  if (!job_.found) return false;
  found_ = job_.found;
  return true;
}

void AutomaticPlan::cancel() {
  if (!worker_.busy()) return;
  done_ = job_.what;
  worker_.watch().cancel();
}

const AutomaticPlan::Found* AutomaticPlan::found_for(const For& what) const {
  return found_ && found_->what.same(what) ? &*found_ : nullptr;
}

}  // namespace loom::app
