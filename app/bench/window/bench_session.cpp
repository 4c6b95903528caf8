#include "app/bench/window/bench_session.h"

#include <algorithm>
#include <utility>

#include "app/bench/file_text.h"
#include "app/bench/results_json.h"
#include "app/plot/draw_figure.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Half of a frame at 60 Hz.
constexpr std::chrono::milliseconds kSlice{8};
/// Many entries make a figure cost more than a frame.
constexpr std::chrono::milliseconds kFigureInterval{200};

/// A selection of one value: the chosen one while it is there, else the first.
void choose_one(std::vector<std::string>& chosen, const std::vector<std::string>& have) {
  const bool is_there = chosen.size() == 1 && std::find(have.begin(), have.end(), chosen[0]) != have.end();
  if (!is_there) chosen = {have.front()};
}

}  // namespace

void BenchSession::start(const Settings& settings) {
  if (!machine_) machine_ = bench::inspect_machine();
  bench::Sampling sampling;
  sampling.rule = settings.rule;
  sampling.start = settings.start;
  const bench::Plan plan = form.plan(sampling);
  auto cases = bench::expand(plan.axes);
  bench::Results results = bench::new_results(plan, *machine_, cases.size());
  runner_.emplace(std::move(results), std::move(cases), plan.sampling);
  saved_ = 0;
  figure_.reset();
  drawn_.reset();
}

void BenchSession::advance() {
  if (runner_) runner_->run(kSlice);
}

plot::Selection BenchSession::one_subject() const {
  plot::Selection one = selection;
  const plot::Subjects subjects = plot::subjects_of(runner_->results());
  if (subjects.fractals.empty()) return one;
  choose_one(one.fractals, subjects.fractals);
  choose_one(one.workloads, subjects.workloads);
  choose_one(one.backends, subjects.backends);
  return one;
}

const plot::Figure* BenchSession::figure() {
  if (!runner_) return nullptr;
  const Drawn now{runner_->done(), kind, selection};
  const bool only_more = drawn_ && drawn_->kind == kind && drawn_->selection == selection && running();
  if (now != drawn_ && (!only_more || Clock::now() >= next_figure_)) {
    drawn_ = now;
    next_figure_ = Clock::now() + kFigureInterval;
    figure_.reset();
    figure_problem_.clear();
    try {
      figure_ = plot::make_figure(runner_->results(), kind, one_subject());
    } catch (const InputError& error) {
      figure_problem_ = error.what();
    }
  }
  return figure_ ? &*figure_ : nullptr;
}

void BenchSession::save_results(const std::filesystem::path& file, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  bench::check_may_write(file, replace, "Replace");
  bench::replace_file(file, bench::document_text(runner_->results()));
  saved_ = runner_->done();
}

void BenchSession::save_figure(const std::filesystem::path& file, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  const plot::FigureFormat format = plot::format_of(file.string());
  const plot::Figure now = plot::make_figure(runner_->results(), kind, one_subject());
  bench::check_may_write(file, replace, "Replace");
  bench::replace_file(file, plot::draw_figure(now, format));
}

void show_case(const bench::BenchCase& bench_case, Settings& settings) {
  settings.config = bench_case.config;
  settings.backend =
      bench_case.backend.kind == BackendKind::kCuda ? BackendChoice::kCuda : BackendChoice::kCpu;
  if (bench_case.backend.kind == BackendKind::kCuda) settings.device = bench_case.backend.device;
}

}  // namespace loom::app
