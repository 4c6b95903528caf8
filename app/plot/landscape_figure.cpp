#include "app/plot/landscape_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "app/bench/statistics.h"
#include "app/plot/figure_caption.h"
#include "app/plot/lambda_fit.h"
#include "compute/core/error.h"

namespace loom::app::plot {
namespace {

using bench::MandelbrotEntry;

/// Median of the repeats by (r, g, B), the order of panels.
using Times = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, double>;

Times times_of(const MandelbrotEntries& entries) {
  std::map<Times::key_type, std::vector<double>> samples;
  for (const MandelbrotEntry* entry : entries) {
    const MandelbrotConfig& config = entry->config;
    samples[{config.r, config.g, config.b}].push_back(entry->measured->milliseconds.median);
  }
  Times times;
  for (const auto& [key, values] : samples) times[key] = bench::summarise(values).median;
  return times;
}

std::string text_of(const CostCut& cut) {
  return fmt::format("g {}, r {}, B {}", cut.g, cut.r, cut.b);
}

double ms_at(const Times& times, const CostCut& cut) {
  return times.at({cut.r, cut.g, cut.b});
}

/// P over all entries: the fraction of regions that split, among those that could.
double pooled_split_fraction(const MandelbrotEntries& entries) {
  double regions = 0;
  double splits = 0;
  for (const MandelbrotEntry* entry : entries) {
    const auto& levels = entry->measured->report.levels;
    for (std::size_t i = 0; i + 1 < levels.size(); ++i) {
      regions += static_cast<double>(levels[i].regions);
      splits += static_cast<double>(levels[i].splits);
    }
  }
  return regions > 0 ? splits / regions : 0;
}

/// Fits the cost model to the times. The notes state the result, or why there is no model.
void add_model(LandscapeFigure& landscape, const bench::Results& results, const SelectedDwells& selected,
               const Times& times) {
  const MandelbrotEntry& first = *selected.entries.front();
  const double exhaustive = exhaustive_ms(selected.exhaustive, first);
  if (exhaustive <= 0) {
    landscape.notes.emplace_back("No model: the results contain no exhaustive time to fit λ.");
    return;
  }
  const auto processors = processors_of(results.machine, first.backend == "cuda", first.device);
  if (!processors) {
    landscape.notes.emplace_back("No model: the results do not name the GPU.");
    return;
  }
  CostProblem problem;
  problem.n = first.view.width;
  problem.dwell = first.config.dwell_limit;
  problem.p = pooled_split_fraction(selected.entries);
  problem.q = processors->q;
  problem.c = processors->c;
  std::vector<MeasuredCut> cuts;
  for (const auto& [key, ms] : times) {
    const auto [r, g, b] = key;
    if (ms > 0) cuts.push_back({{g, r, b}, exhaustive / ms});
  }
  const bool sbr = first.config.scheme == RegionScheme::kSbr;
  const auto fit = fit_lambda(sbr ? CostRatio::kSbrSpeedup : CostRatio::kMbrSpeedup, problem, cuts);
  if (!fit) {
    landscape.notes.emplace_back("No model: no measured g, r and B gives it a level.");
    return;
  }
  landscape.marked = fit->optimum.cut;
  landscape.notes.push_back(
      fmt::format("Dashed frame: optimum of the cost model: {}, predicted {:.2f}× exhaustive, "
                  "measured {:.4g} ms, {:.2f}×. Model: P {:.3f} (measured), λ {:.3g} (fitted), A {:.0f}, q "
                  "{:.0f}, c {:.0f}.",
                  text_of(fit->optimum.cut), fit->optimum.value, ms_at(times, fit->optimum.cut),
                  exhaustive / ms_at(times, fit->optimum.cut), fit->problem.p, fit->problem.lambda,
                  fit->problem.dwell, fit->problem.q, fit->problem.c));
}

void add_panels(LandscapeFigure& landscape, const Times& times) {
  std::set<std::uint32_t> gs;
  std::set<std::uint32_t> bs;
  for (const auto& [key, ms] : times) {
    const auto [r, g, b] = key;
    gs.insert(g);
    bs.insert(b);
    if (landscape.panels.empty() || landscape.panels.back().r != r) landscape.panels.push_back({r, {}});
    landscape.panels.back().cells.push_back({g, b, ms});
    if (landscape.best == 0 || ms < landscape.best) {
      landscape.best = ms;
      landscape.optimum = {g, r, b};
    }
    landscape.worst = std::max(landscape.worst, ms);
  }
  landscape.gs.assign(gs.begin(), gs.end());
  landscape.bs.assign(bs.begin(), bs.end());
}

}  // namespace

LandscapeFigure make_landscape_figure(const bench::Results& results, const MandelbrotSelection& selection) {
  SelectedDwells selected = select(results, selection);
  check_devices(selected.entries);
  check_one_view(selected.entries);
  std::erase_if(selected.entries, [](const MandelbrotEntry* entry) {
    return entry->config.method == MandelbrotMethod::kExhaustive;
  });
  if (selected.entries.empty()) {
    throw InputError("exhaustive has no landscape; allowed: results with dp or ask");
  }
  check_one(selected.entries, "n", "--size",
            [](const MandelbrotEntry& e) { return fmt::format("{}", e.view.width); });
  check_one(selected.entries, "method", "--method and --scheme",
            [](const MandelbrotEntry& e) { return bench::method_text(e.config); });
  check_one(selected.entries, "set of optimizations", "--ideas",
            [](const MandelbrotEntry& e) { return to_string(e.config.optimisations); });

  const MandelbrotEntry& first = *selected.entries.front();
  LandscapeFigure landscape;
  landscape.title =
      fmt::format("Mandelbrot set, n = {}: {} over g, r and B, optimizations {}", first.view.width,
                  bench::method_text(first.config), to_string(first.config.optimisations));
  landscape.value_name = "milliseconds per image";
  const Times times = times_of(selected.entries);
  add_panels(landscape, times);
  std::string note =
      fmt::format("Solid frame: measured optimum: {}, {:.4g} ms", text_of(landscape.optimum), landscape.best);
  const double exhaustive = exhaustive_ms(selected.exhaustive, first);
  if (exhaustive > 0 && landscape.best > 0) {
    note += fmt::format(", {:.2f}× exhaustive ({:.4g} ms)", exhaustive / landscape.best, exhaustive);
  }
  landscape.notes.push_back(note + ".");
  add_model(landscape, results, selected, times);
  landscape.caption = caption_of(results, selected.entries);
  return landscape;
}

}  // namespace loom::app::plot
