#include "app/bench/window/bench_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/bench/results_json.h"
#include "app/files/output_file.h"
#include "app/plot/draw_figure.h"
#include "app/plot/mandelbrot_figure.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Half of a frame at 60 Hz.
constexpr std::chrono::milliseconds kSlice{8};
/// How long the window waits for a slice, whose last sample may be a long one: a short one is not disturbed
/// by the frame.
constexpr std::chrono::milliseconds kPatience{12};
/// Many entries make a figure cost more than a frame.
constexpr std::chrono::milliseconds kFigureInterval{200};

/// Lines of a Mandelbrot sweep with more cuts than this are no figure; the landscape is.
constexpr std::size_t kCutsInLines = 8;

/// A selection of one value: the chosen one while it is there, else the first.
template <typename Value>
void choose_one(std::vector<Value>& chosen, const std::vector<Value>& have) {
  if (have.empty()) return;
  const bool is_there = chosen.size() == 1 && std::find(have.begin(), have.end(), chosen[0]) != have.end();
  if (!is_there) chosen = {have.front()};
}

bool has_many_cuts(const bench::Axes& axes) {
  const auto* mandelbrot = std::get_if<bench::MandelbrotAxes>(&axes.of);
  if (mandelbrot == nullptr) return false;
  return mandelbrot->gs.size() * mandelbrot->rs.size() * mandelbrot->bs.size() > kCutsInLines;
}

}  // namespace

void BenchSession::start(const LifeRule& rule, const RandomStart& start) {
  if (!machine_) machine_ = bench::inspect_machine();
  bench::Sampling sampling;
  sampling.rule = rule;
  sampling.start = start;
  const bench::Plan plan = form.plan(sampling);
  auto cases = bench::expand(plan.axes);
  bench::Results results = bench::new_results(plan, *machine_, cases.size());
  runner_.emplace(std::move(results), std::move(cases), plan.sampling, begin_);
  saved_ = 0;
  picture_.reset();
  drawn_.reset();
  landscape_chosen = has_many_cuts(plan.axes);
  const auto has = kinds();
  if (std::find(has.begin(), has.end(), kind) == has.end()) kind = has.front();
}

std::string BenchSession::unsaved_text() const {
  if (!unsaved()) return "";
  return fmt::format("The Bench panel's results ({} of {} configurations) are not saved.", runner_->done(),
                     runner_->cases().size());
}

void BenchSession::advance() {
  if (!runner_) return;
  if (!worker_.busy() && running()) worker_.start([this](Watch&) { runner_->work(kSlice); });
  if (worker_.wait_for(kPatience)) runner_->take();
}

std::vector<plot::Kind> BenchSession::kinds() const {
  std::vector<plot::Kind> kinds(plot::kKinds.begin(), plot::kKinds.end());
  if (of_mandelbrot()) std::erase(kinds, plot::Kind::kEfficiency);
  return kinds;
}

plot::Selection BenchSession::one_subject() const {
  plot::Selection one = selection;
  const plot::Subjects subjects = plot::subjects_of(runner_->results());
  choose_one(one.fractals, subjects.fractals);
  choose_one(one.workloads, subjects.workloads);
  choose_one(one.backends, subjects.backends);
  return one;
}

plot::MandelbrotSelection BenchSession::one_mandelbrot_subject() const {
  const plot::MandelbrotSubjects subjects = plot::mandelbrot_subjects_of(runner_->results());
  plot::MandelbrotSelection one;
  one.backends = mandelbrot_selection.backends;
  choose_one(one.backends, subjects.backends);
  if (!shows_landscape()) return one;
  one = {.methods = mandelbrot_selection.methods,
         .schemes = mandelbrot_selection.schemes,
         .ideas = mandelbrot_selection.ideas,
         .sizes = mandelbrot_selection.sizes,
         .backends = one.backends};
  choose_one(one.methods, subjects.methods);
  choose_one(one.schemes, subjects.schemes);
  choose_one(one.ideas, subjects.ideas);
  choose_one(one.sizes, subjects.sizes);
  return one;
}

BenchSession::Picture BenchSession::make_picture() const {
  const bench::Results& results = runner_->results();
  if (!of_mandelbrot()) return plot::make_figure(results, kind, one_subject());
  if (shows_landscape()) return plot::make_landscape_figure(results, one_mandelbrot_subject());
  return plot::make_figure(results, kind, one_mandelbrot_subject());
}

void BenchSession::redraw() {
  if (!runner_) return;
  Drawn now{runner_->done(), kind, landscape_chosen, selection, mandelbrot_selection};
  if (now == drawn_) return;
  // With nothing but more entries there is time.
  const std::size_t entries = std::exchange(now.entries, drawn_ ? drawn_->entries : 0);
  if (drawn_ && now == *drawn_ && running() && Clock::now() < next_figure_) return;
  now.entries = entries;
  drawn_ = now;
  next_figure_ = Clock::now() + kFigureInterval;
  picture_.reset();
  figure_problem_.clear();
  try {
    picture_ = make_picture();
  } catch (const InputError& error) {
    figure_problem_ = error.what();
  }
}

const plot::Figure* BenchSession::figure() {
  redraw();
  return picture_ ? std::get_if<plot::Figure>(&*picture_) : nullptr;
}

const plot::LandscapeFigure* BenchSession::landscape() {
  redraw();
  return picture_ ? std::get_if<plot::LandscapeFigure>(&*picture_) : nullptr;
}

const bench::Case* BenchSession::case_at(const CostCut& cut) const {
  if (!runner_ || !of_mandelbrot()) return nullptr;
  const plot::SelectedDwells selected = plot::select(runner_->results(), one_mandelbrot_subject());
  for (const bench::MandelbrotEntry* entry : selected.entries) {
    const MandelbrotConfig& config = entry->config;
    const bool is_it = config.method != MandelbrotMethod::kExhaustive && config.g == cut.g &&
                       config.r == cut.r && config.b == cut.b;
    if (is_it) return &runner_->cases()[static_cast<std::size_t>(entry - runner_->results().dwells().data())];
  }
  return nullptr;
}

void BenchSession::save_results(const std::filesystem::path& file, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  check_may_replace(file, replace, "Replace");
  write_file(file, bench::document_text(runner_->results()));
  saved_ = runner_->done();
}

void BenchSession::save_figure(const std::filesystem::path& file, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  const plot::FigureFormat format = plot::format_of(file.string());
  const Picture now = make_picture();
  check_may_replace(file, replace, "Replace");
  const auto* landscape = std::get_if<plot::LandscapeFigure>(&now);
  write_file(file, landscape != nullptr ? plot::draw_landscape(*landscape, format)
                                        : plot::draw_figure(std::get<plot::Figure>(now), format));
}

}  // namespace loom::app
