#include "app/workspaces/mandelbrot/mandelbrot_report_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/bench/mandelbrot_results.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app {
namespace {

void add_levels(nlohmann::ordered_json& json, const MandelbrotReport& report) {
  MandelbrotLevel sum;
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const MandelbrotLevel& level = report.levels[i];
    sum.regions += level.regions;
    sum.filled += level.filled;
    sum.leaves += level.leaves;
    sum.splits += level.splits;
    json[fmt::format("level{}", i)] = {{"regions", level.regions},   {"filled", level.filled},
                                       {"leaves", level.leaves},     {"splits", level.splits},
                                       {"children", level.children}, {"split_share", level.split_fraction()},
                                       {"width", level.width}};
  }
  json["levels"] = report.levels.size();
  json["regions_looked_at"] = sum.regions;
  json["regions_filled"] = sum.filled;
  json["regions_leaves"] = sum.leaves;
  json["regions_split"] = sum.splits;
}

nlohmann::ordered_json model(const MandelbrotStats& now) {
  if (!now.fit) return nullptr;
  const ModelFit& fit = *now.fit;
  nlohmann::ordered_json json{{"n", fit.problem.n}, {"p", fit.problem.p}, {"lambda", fit.problem.lambda}};
  json["predicted"] = nullptr;
  if (fit.predicted) json["predicted"] = *fit.predicted;
  if (const auto best = best_cell(now.landscape_model)) {
    const CostCut cut = landscape_cut(*best);
    json["best_g"] = cut.g;
    json["best_r"] = cut.r;
    json["best_b"] = cut.b;
    json["best"] = *now.landscape_model[*best];
  }
  return json;
}

}  // namespace

void add_report(nlohmann::ordered_json& json, const MandelbrotStats& now) {
  json["ms"] = nullptr;
  if (now.times.samples > 0) json["ms"] = now.times.median;
  json["exhaustive_ms"] = nullptr;
  if (now.exhaustive_ms) json["exhaustive_ms"] = *now.exhaustive_ms;
  json["pixels"] = nullptr;
  if (now.report) {
    json["pixels"] = now.report->pixels;
    json["computed_pixels"] = now.report->computed_pixels();
    // Counted, not derived from the other numbers: later levels compute some borders again.
    json["filled_pixels"] = bench::filled_pixels(*now.report);
    json["work_reduction"] = now.report->work_reduction();
    json["bytes_held"] = now.report->allocated_bytes;
    json["inside"] = now.report->pixels - now.exterior;
    add_levels(json, *now.report);
  }
  if (now.divergence != nullptr) {
    const Divergence& all = now.divergence->exhaustive;
    json["steps"] = all.iterations;
    json["warps"] = all.warps;
    json["lane_steps"] = all.iterations + all.waited + all.idle;
    json["waiting"] = 1 - all.efficiency();
    json["method_waiting"] = 1 - now.divergence->method.efficiency();
  }
  json["model"] = model(now);
}

}  // namespace loom::app
