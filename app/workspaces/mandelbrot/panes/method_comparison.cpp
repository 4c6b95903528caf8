#include "app/workspaces/mandelbrot/panes/method_comparison.h"

#include <utility>

namespace loom::app {
namespace {

constexpr std::size_t kMaxDifferingPlaces = 20000;

}  // namespace

void MethodComparison::set_active(MandelbrotMethod method) {
  if (active_ == method) return;
  differences_ = {};
  auto& own = panes_[index_of(method)];
  if (active_) panes_[index_of(*active_)] = std::move(own);
  own.reset();
  active_ = method;
  for (const MandelbrotMethod other : kMandelbrotMethods) {
    auto& pane = panes_[index_of(other)];
    if (other != method && !pane) pane = std::make_unique<MethodPane>(services_);
  }
}

bool MethodComparison::busy() const {
  bool busy = false;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) { busy = busy || pane.runner().busy(); });
  return busy;
}

bool MethodComparison::is_behind(const DwellRequest& active) const {
  bool behind = false;
  each_pane([&](MandelbrotMethod method, const MethodPane& pane) {
    behind = behind || pane.is_behind(MethodPane::request_for(active, method));
  });
  return behind;
}

bool MethodComparison::is_done(const DwellRequest& active) const {
  bool done = true;
  each_pane([&](MandelbrotMethod method, const MethodPane& pane) {
    done = done && pane.is_done(MethodPane::request_for(active, method));
  });
  return done;
}

bool MethodComparison::is_sampling() const {
  bool sampling = false;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) { sampling = sampling || pane.is_sampling(); });
  return sampling;
}

// A pane at work goes on alone; then those without a picture of the request; then the others in order.
void MethodComparison::advance(const DwellRequest& active, const BackendSelection& backend,
                               TaskTimeout timeout) {
  const bool at_work = busy();
  bool worked = false;
  const auto pass = [&](const auto& wanted) {
    each_pane([&](MandelbrotMethod method, MethodPane& pane) {
      const DwellRequest request = MethodPane::request_for(active, method);
      if (worked || !wanted(pane, request)) return;
      worked = pane.advance(request, backend, timeout);
      if (pane.take_new_picture()) differences_ = {};
    });
  };
  pass([](const MethodPane& pane, const DwellRequest&) { return pane.runner().busy(); });
  if (at_work) return;
  pass([](const MethodPane& pane, const DwellRequest& request) { return pane.is_behind(request); });
  pass([](const MethodPane&, const DwellRequest&) { return true; });
}

void MethodComparison::follow_samples(const MandelbrotSettings& settings, const ComplexView& view,
                                      glm::ivec2 picture, bool may_begin) {
  each_pane([&](MandelbrotMethod, MethodPane& pane) {
    pane.follow_samples(settings, view, picture, may_begin);
    may_begin = may_begin && !pane.is_sampling();
  });
}

void MethodComparison::cancel() {
  each_pane([](MandelbrotMethod, MethodPane& pane) { pane.cancel(); });
}

void MethodComparison::compare(const DwellRunner& active, const DwellRequest& request) {
  const auto runner_of = [&](MandelbrotMethod method) -> const DwellRunner* {
    const auto& pane = panes_[index_of(method)];
    const DwellRunner* const runner = pane ? &pane->runner() : &active;
    const bool current = runner->has_picture() && runner->divisor() == 1 && !runner->busy() &&
                         MethodPane::request_for(request, method).same_picture(runner->request());
    return current ? runner : nullptr;
  };
  const DwellRunner* const exhaustive = runner_of(MandelbrotMethod::kExhaustive);
  if (exhaustive == nullptr) return;
  for (const MandelbrotMethod method : {MandelbrotMethod::kDp, MandelbrotMethod::kAsk}) {
    auto& counted = differences_[index_of(method)];
    const DwellRunner* const runner = runner_of(method);
    if (counted || runner == nullptr) continue;
    counted = count_different_dwells(runner->engine(), exhaustive->engine(), kMaxDifferingPlaces);
  }
}

MethodScores MethodComparison::scores(const DwellRunner& active) const {
  MethodScores scores;
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    MethodScore& score = scores[index_of(method)];
    const auto& pane = panes_[index_of(method)];
    const DwellRunner& runner = pane ? pane->runner() : active;
    score.method = method;
    if (pane) score.problem = pane->problem();
    if (const auto& counted = differences_[index_of(method)]) score.different = counted->count;
    // After a change of the active method, a pane still has the report of the previous one.
    if (!runner.report() || runner.request().config.method != method) continue;
    score.report = &*runner.report();
    const StageStats times = runner.times();
    score.runs = times.samples;
    if (times.samples > 0) score.milliseconds = times.median;
  }
  return scores;
}

std::optional<double> MethodComparison::exhaustive_ms(const DwellRequest& active) const {
  const auto& pane = panes_[index_of(MandelbrotMethod::kExhaustive)];
  const DwellRequest request = MethodPane::request_for(active, MandelbrotMethod::kExhaustive);
  if (!pane || !request.same_picture(pane->runner().request())) return std::nullopt;
  return pane->runner().exhaustive_ms();
}

Progress MethodComparison::progress() const {
  Progress progress;
  each_pane([&](MandelbrotMethod, const MethodPane& pane) {
    if (pane.runner().busy()) progress = pane.runner().progress();
  });
  return progress;
}

}  // namespace loom::app
