#include "app/workspaces/benchmark/bench_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/bench/results.h"
#include "app/files/output_file.h"
#include "app/plot/diagram_file.h"
#include "compute/core/error.h"

namespace loom::app {
namespace {

/// Half of a frame at 60 Hz.
constexpr std::chrono::milliseconds kSlice{8};
/// How long the window waits for a slice, so that rendering does not disturb short samples. A long sample
/// continues in the background.
constexpr std::chrono::milliseconds kTimeout{12};
/// With many entries, making the plot takes longer than a frame.
constexpr std::chrono::milliseconds kFigureInterval{200};

/// With more combinations of g, r and B than this, a Mandelbrot sweep shows the landscape and not lines.
constexpr std::size_t kCutsInLines = 8;

bool has_many_cuts(const bench::Axes& axes) {
  const auto* mandelbrot = std::get_if<bench::MandelbrotAxes>(&axes.of);
  if (mandelbrot == nullptr) return false;
  std::size_t cuts = 1;
  for (const char* axis : {"g", "r", "b"}) cuts *= mandelbrot->fields.at(axis).size();
  return cuts > kCutsInLines;
}

}  // namespace

std::optional<std::filesystem::path> unsaved_results_file() {
  const auto folder = state_folder();
  if (!folder) return std::nullopt;
  return *folder / "bench-results.json";
}

void BenchSession::start(const LifeRule& rule, const RandomStart& start) {
  if (!machine_) machine_ = bench::inspect_machine();
  bench::Sampling sampling;
  sampling.rule = rule;
  sampling.start = start;
  const bench::Plan plan = form.plan(sampling);
  auto cases = bench::expand(plan.axes);
  bench::Results results = bench::new_results(plan, *machine_, cases.size());
  runner_.emplace(std::move(results), std::move(cases), plan.sampling, begin_);
  cannot_continue_reason_.clear();
  saved_ = 0;
  picture_.reset();
  drawn_.reset();
  landscape_chosen = has_many_cuts(plan.axes);
  select_kind();
}

std::string BenchSession::unsaved_text() const {
  if (!unsaved()) return "";
  return fmt::format("The benchmark results ({} of {} configurations) are not saved.", runner_->done(),
                     runner_->cases().size());
}

std::string BenchSession::save(SessionFile& file) const {
  if (!unsaved()) return {};
  try {
    file.save(
        [&](const std::filesystem::path& to) { write_file(to, bench::document_text(runner_->results())); });
  } catch (const std::exception& error) {  // the program ends regardless
    return error.what();
  }
  return {};
}

void BenchSession::advance() {
  if (!runner_) return;
  // A stopped sweep does not need the engine that is being built.
  if (worker_.busy() && runner_->ended()) worker_.watch().cancel();
  if (!worker_.busy() && running()) {
    worker_.start([this](ProgressMonitor& watch) {
      try {
        runner_->work(kSlice, &watch);
      } catch (const OperationCancelled&) {  // the sweep was stopped
      }
    });
  }
  if (worker_.wait_for(kTimeout)) runner_->take();
}

std::vector<plot::Quantity> BenchSession::kinds() const {
  std::vector<plot::Quantity> kinds(plot::kQuantities.begin(), plot::kQuantities.end());
  if (of_mandelbrot()) std::erase(kinds, plot::Quantity::kUtilization);
  const auto has_energy = [](const bench::Row& row) { return row.number("joules") > 0; };
  if (!runner_ || std::ranges::none_of(runner_->results().rows, has_energy))
    std::erase(kinds, plot::Quantity::kEnergy);
  return kinds;
}

void BenchSession::select_kind() {
  const auto has = kinds();
  if (std::find(has.begin(), has.end(), kind) == has.end()) kind = has.front();
  const auto compares = [](const bench::Case& one) {
    return std::get<bench::MandelbrotCase>(one).config.method != MandelbrotMethod::kExhaustive;
  };
  const bool has_speedup = !of_mandelbrot() ||
                           !std::ranges::all_of(runner_->results().rows, bench::is_exhaustive) ||
                           std::ranges::any_of(runner_->cases(), compares);
  if (kind == plot::Quantity::kSpeedup && !has_speedup) kind = plot::Quantity::kTime;
}

std::vector<std::pair<plot::Filter, std::vector<std::string>>> BenchSession::subject_options() const {
  const bench::AxisValues subjects = plot::subjects_of(runner_->results());
  const auto have = [&](const std::string& option) {
    const auto found = subjects.find(option);
    return found == subjects.end() ? std::vector<std::string>{} : found->second;
  };
  // A plot is over the level, over n, or over the depth for one n; a landscape is over g, r and B.
  const bool of_widths = have("width").size() > 1;
  const auto has_one = [&](const plot::Filter& filter) {
    const std::string& option = filter.option;
    if (option == "fractal" || option == "workload" || option == "backend" || option == "devices")
      return true;
    if (option == "size") return shows_landscape() || of_widths;
    return shows_landscape() && option != "g" && option != "r" && option != "b";
  };
  std::vector<std::pair<plot::Filter, std::vector<std::string>>> options;
  for (const plot::Filter& filter : plot::filters(sweep_kind())) {
    if (has_one(filter)) options.emplace_back(filter, have(filter.option));
  }
  return options;
}

plot::Selection BenchSession::one_subject() const {
  plot::Selection one{.best = selection.best};
  for (const auto& [filter, have] : subject_options()) {
    if (have.empty()) continue;
    const auto chosen = selection.values.find(filter.option);
    const bool is_there = chosen != selection.values.end() && chosen->second.size() == 1 &&
                          std::ranges::find(have, chosen->second[0]) != have.end();
    one.values[filter.option] = {is_there ? chosen->second[0] : have[0]};
  }
  return one;
}

plot::Figure BenchSession::make_picture() const {
  const bench::Results& results = runner_->results();
  if (shows_landscape()) return plot::make_landscape_figure(results, one_subject());
  return plot::make_figure(results, kind, one_subject(), baseline_ ? &*baseline_ : nullptr);
}

const plot::Figure* BenchSession::figure() {
  if (!runner_) return nullptr;
  Drawn now{runner_->done(), kind, landscape_chosen, baseline_name(), selection};
  if (now == drawn_) return picture_.get();
  // If only the number of entries changed, redraw at most once per kFigureInterval.
  const std::size_t entries = std::exchange(now.entries, drawn_ ? drawn_->entries : 0);
  if (drawn_ && now == *drawn_ && running() && Clock::now() < next_figure_) return picture_.get();
  now.entries = entries;
  drawn_ = now;
  next_figure_ = Clock::now() + kFigureInterval;
  picture_.reset();
  figure_problem_.clear();
  try {
    picture_ = std::make_shared<const plot::Figure>(make_picture());
  } catch (const InputError& error) {
    figure_problem_ = error.what();
  }
  return picture_.get();
}

const bench::Case* BenchSession::case_at(const CostCut& cut) const {
  if (!runner_ || !of_mandelbrot()) return nullptr;
  for (const bench::Row* row : plot::select(runner_->results(), one_subject())) {
    const bool is_it = row->count("g") == cut.g && row->count("r") == cut.r && row->count("b") == cut.b;
    const auto number = static_cast<std::size_t>(row - runner_->results().rows.data());
    if (is_it && !is_exhaustive(*row) && number < runner_->cases().size()) return &runner_->cases()[number];
  }
  return nullptr;
}

void BenchSession::file(FileResult::What what, const std::filesystem::path& name,
                        Task<std::optional<bench::Results>>::Job work) {
  if (file_task_.running())
    throw InputError("another file is being read or written; allowed: when it is done");
  file_result_ = FileResult{what, name, {}};
  file_task_.start(std::move(work));
}

void BenchSession::save_results(const std::filesystem::path& name, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  check_may_replace(name, replace, {});
  check_can_be_written("Save", name);
  saving_ = runner_->done();
  file(FileResult::What::kResults, name,
       [name,
        results = std::make_shared<const bench::Results>(runner_->results())](const ProgressMonitor& watch) {
         write_file(name, bench::document_text(*results, &watch), &watch);
         return std::nullopt;
       });
}

void BenchSession::save_figure(const std::filesystem::path& name, bool replace) {
  if (!runner_) throw InputError("there are no results yet; allowed: after Start");
  const plot::FigureFormat format = plot::format_of(name.string());
  auto now = std::make_shared<const plot::Figure>(make_picture());
  check_may_replace(name, replace, {});
  check_can_be_written("Save", name);
  file(FileResult::What::kFigure, name, [name, format, now](const ProgressMonitor& watch) {
    write_file(name, plot::draw_figure(*now, format), &watch);
    return std::nullopt;
  });
}

void BenchSession::read(FileResult::What what, const std::filesystem::path& name) {
  std::error_code failure;
  const auto status = std::filesystem::status(name, failure);
  // Reading a pipe could block forever.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    throw InputError(name.string() + ": not a regular file; allowed: a results file of fractal-loom bench");
  file(what, name, [name](const ProgressMonitor& watch) { return bench::read_results(name, &watch); });
}

void BenchSession::open_results(const std::filesystem::path& name, const bench::AxisContext& context) {
  if (is_active()) throw InputError("a sweep is running; allowed: when it is stopped");
  read(FileResult::What::kOpened, name);
  context_ = context;
}

std::optional<BenchSession::FileResult> BenchSession::take_file_result(TaskTimeout timeout) {
  auto outcome = file_task_.poll(timeout);
  if (!outcome) return std::nullopt;
  FileResult result = *std::exchange(file_result_, std::nullopt);
  result.problem = outcome->cancelled ? "cancelled" : outcome->problem;
  if (outcome->result && result.what == FileResult::What::kResults) saved_ = saving_;
  if (!outcome->result || !*outcome->result) return result;
  bench::Results& read = **outcome->result;
  if (result.what != FileResult::What::kBaseline) {
    show(std::move(read));
  } else if (read.kind == bench::SweepKind::kMaps) {
    baseline_ = plot::Baseline{std::move(read), result.file.filename().string()};
    kind = plot::Quantity::kSpeedup;
  } else {
    result.problem = "a sweep of the Mandelbrot set; allowed: results of maps";
  }
  return result;
}

// Opened results become a stopped sweep. It can be continued if its cases are known and the same build
// measured it on this machine.
void BenchSession::show(bench::Results results) {
  if (!machine_) machine_ = bench::inspect_machine();
  cannot_continue_reason_.clear();
  std::vector<bench::Case> cases;
  bench::Sampling sampling;
  try {
    const bench::Plan plan = bench::plan_of(results, context_);
    cases = bench::expand(plan.axes);
    if (results.shards) cases = bench::select_shards(cases, *results.shards);
    sampling = plan.sampling;
    form.kind = plan.axes.kind();
    form.load(plan.axes.kind(), plan.texts);
    form.preset = plan.preset;
    form.max_seconds = static_cast<float>(sampling.max_seconds);
    form.energy = sampling.idle_watts != nullptr;
    form.check(context_);
    if (results.shards && results.shards->have.size() > 1 && results.rows.size() < results.planned)
      throw InputError(
          "it contains several shards that ended at different positions; allowed: continue each shard "
          "separately");
    if (!bench::begins_with(results, cases))
      throw InputError("its configurations do not match its settings on this machine");
  } catch (const InputError& error) {
    cases.clear();
    cannot_continue_reason_ = error.what();
  }
  const bool same_machine = results.machine.cpu == machine_->cpu &&
                            results.machine.threads == machine_->threads &&
                            results.machine.gpus == machine_->gpus;
  if (cannot_continue_reason_.empty() && !same_machine) {
    cannot_continue_reason_ = "it was measured on another machine";
    cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(results.rows.size()), cases.end());
  }
  const bool same_build =
      results.program == bench::program_version() && results.commit == bench::source_commit();
  if (cannot_continue_reason_.empty() && !same_build) {
    cannot_continue_reason_ =
        fmt::format("it was measured by another build ({}, commit {})", results.program, results.commit);
    cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(results.rows.size()), cases.end());
  }
  if (results.rows.size() == 0) {
    cannot_continue_reason_ = "it contains no configuration";
    cases.clear();
  }
  runner_.emplace(std::move(results), std::move(cases), sampling, begin_);
  saved_ = runner_->done();
  picture_.reset();
  drawn_.reset();
  select_kind();
}

}  // namespace loom::app
