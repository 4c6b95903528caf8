#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "app/bench/results.h"
#include "app/workspaces/mandelbrot/panes/method_comparison.h"
#include "app/workspaces/mandelbrot/scene/mandelbrot_stats.h"
#include "compute/mandelbrot/cost_model.h"

namespace loom::app {
namespace {

using Kind = ReportField::Kind;

std::uint64_t sum_of_levels(const MandelbrotStats& now, std::uint64_t MandelbrotLevel::*count) {
  std::uint64_t sum = 0;
  for (const MandelbrotLevel& level : now.report->levels) sum += level.*count;
  return sum;
}

constexpr ReportValue<MandelbrotStats> kPicture[] = {
    {"formula", "name of the formula that is iterated", Kind::kText},
    {"method", "exhaustive, dp or ask", Kind::kText},
    {"scheme", "sbr or mbr", Kind::kText},
    {"g", "regions of level 0 on each axis", Kind::kNumber},
    {"r", "regions into which a region splits, on each axis", Kind::kNumber},
    {"b", "B: a region splits while its side over r is above it", Kind::kNumber},
    {"dwell_limit", "largest number of iterations of an orbit", Kind::kNumber},
    {"precision", "auto, or the evaluator that was chosen", Kind::kText},
    {"center_re", "real part of the view's centre, with all digits up to 10,000", Kind::kText},
    {"center_im", "its imaginary part", Kind::kText},
    {"width", "width of the view, a decimal number of any size", Kind::kText},
    {"evaluator", "evaluator of the view: float, double, perturbed-float, perturbed-double ...",
     [](auto& now) { return std::string(name_of(now.evaluator)); }},
    {"digits_left", "decimal digits that the evaluator can still zoom in",
     [](auto& now) { return now.gauge.octaves_left * std::log10(2.0); }},
    {"ms", "milliseconds per computation at full resolution: the median of the runs",
     [](auto& now) { return now.times.samples > 0 ? std::optional(now.times.median) : std::nullopt; }},
    {"exhaustive_ms", "milliseconds of the exhaustive method in the same view, once it was benchmarked",
     [](auto& now) { return now.exhaustive_ms; }},
    {"pixels", "pixels of the picture",
     [](auto& now) { return now.report ? std::optional(now.report->pixels) : std::nullopt; }},
};

// Of a picture with a report.
constexpr ReportValue<MandelbrotStats> kCosts[] = {
    {"computed_pixels", "pixels whose orbits were started (counted)",
     [](auto& now) { return now.report->computed_pixels(); }},
    {"recomputed_pixels", "of these, computed again: the borders of regions that split",
     [](auto& now) { return bench::recomputed_pixels(*now.report); }},
    {"filled_pixels", "pixels written without an orbit",
     [](auto& now) { return bench::filled_pixels(*now.report); }},
    {"mirrored_pixels", "pixels copied across the real axis",
     [](auto& now) { return now.report->mirrored_pixels; }},
    {"work_reduction", "pixels over pixels computed", [](auto& now) { return now.report->work_reduction(); }},
    {"bytes_held", "memory allocated for dwells and tables of regions",
     [](auto& now) { return now.report->allocated_bytes; }},
    {"inside", "pixels at the dwell limit (counted)",
     [](auto& now) { return now.report->pixels - now.exterior; }},
    {"levels", "levels of regions", [](auto& now) { return now.report->levels.size(); }},
    {"regions_looked_at", "regions on all levels (counted)",
     [](auto& now) { return sum_of_levels(now, &MandelbrotLevel::regions); }},
    {"regions_filled", "of these, filled with one dwell",
     [](auto& now) { return sum_of_levels(now, &MandelbrotLevel::filled); }},
    {"regions_leaves", "of these, computed pixel by pixel",
     [](auto& now) { return sum_of_levels(now, &MandelbrotLevel::leaves); }},
    {"regions_split", "of these, split",
     [](auto& now) { return sum_of_levels(now, &MandelbrotLevel::splits); }},
};

// Of a picture with a perturbed evaluator.
constexpr ReportValue<PerturbationStats> kPerturbation[] = {
    {"orbit_length", "points of the reference orbit", [](auto& stats) { return stats.orbit_length; }},
    {"orbit_bits", "bits of the mantissas of its numbers", [](auto& stats) { return stats.bits; }},
    {"orbit_ms", "milliseconds that it took to compute",
     [](auto& stats) { return stats.orbit_milliseconds; }},
    {"orbit_reused", "whether it is that of an earlier view", [](auto& stats) { return stats.orbit_reused; }},
    {"uncertain", "pixels computed again with two doubles", [](auto& stats) { return stats.uncertain; }},
    {"undecided", "of these, those whose dwell nothing has decided",
     [](auto& stats) { return stats.undecided; }},
};

constexpr ReportValue<MandelbrotLevel> kLevel[] = {
    {"regions", "regions of one level (0 is the first)", [](auto& level) { return level.regions; }},
    {"filled", "of these, filled", [](auto& level) { return level.filled; }},
    {"leaves", "of these, leaves", [](auto& level) { return level.leaves; }},
    {"splits", "of these, split", [](auto& level) { return level.splits; }},
    {"children", "regions that these splits produced", [](auto& level) { return level.children; }},
    {"split_share", "P of the level: splits over regions",
     [](auto& level) { return level.split_fraction(); }},
    {"width", "width of its widest region, in pixels", [](auto& level) { return level.width; }},
};

constexpr ReportValue<DivergenceCounts> kDivergence[] = {
    {"steps",
     "iterations of all orbits: the sum of the dwells, without the pixels that a formula identifies as "
     "inside",
     [](auto& counts) { return counts.exhaustive.iterations; }},
    {"warps", "warps of the exhaustive launch for this picture",
     [](auto& counts) { return counts.exhaustive.warps; }},
    {"lane_steps", "lane iterations of these warps, active and idle: 32 times the longest orbit of each warp",
     [](auto& counts) {
       return counts.exhaustive.iterations + counts.exhaustive.waited + counts.exhaustive.idle;
     }},
    {"waiting", "of these, the idle fraction, from 0 to 1",
     [](auto& counts) { return counts.exhaustive.idle_fraction(); }},
    {"method_waiting", "the idle fraction of the warps of the selected method, from 0 to 1",
     [](auto& counts) { return counts.method.idle_fraction(); }},
};

constexpr ReportValue<ModelFit> kModel[] = {
    {"n", "side of a square with the same number of pixels", [](auto& fit) { return fit.problem.n; }},
    {"p", "P, the fraction of regions that split (counted)", [](auto& fit) { return fit.problem.p; }},
    {"lambda", "λ, the cost of a split", [](auto& fit) { return fit.problem.lambda; }},
    {"predicted", "the predicted ratio for the current g, r and B", [](auto& fit) { return fit.predicted; }},
};

constexpr ReportValue<MethodScore> kCompared[] = {
    {"ms", "in a comparison, milliseconds of this method: the median of the runs at full resolution",
     [](auto& score) { return score.milliseconds; }},
    {"computed_pixels", "pixels whose orbits it started (counted)",
     [](auto& score) {
       return score.report ? std::optional(score.report->computed_pixels()) : std::nullopt;
     }},
    {"pixels", "pixels of its picture",
     [](auto& score) { return score.report ? std::optional(score.report->pixels) : std::nullopt; }},
    {"launches", "its kernel launches (counted); on the CPU, parallel loops, and for DP tasks",
     [](auto& score) { return score.report ? std::optional(score.report->launches) : std::nullopt; }},
    {"regions", "regions on all levels (counted)",
     [](auto& score) { return score.report ? std::optional(count_regions(*score.report)) : std::nullopt; }},
};

/// Of the methods other than the exhaustive one.
constexpr ReportValue<MethodScore> kDifferences[] = {
    {"different", "dwells that differ from those of the exhaustive method (counted)",
     [](auto& score) { return score.different; }},
};

/// The best choice according to the model.
struct BestCut {
  CostCut cut;
  double ratio = 0;
};

constexpr ReportValue<BestCut> kBest[] = {
    {"best_g", "g of the best choice according to the model", [](auto& best) { return best.cut.g; }},
    {"best_r", "its r", [](auto& best) { return best.cut.r; }},
    {"best_b", "its B", [](auto& best) { return best.cut.b; }},
    {"best", "the predicted ratio of that choice", [](auto& best) { return best.ratio; }},
};

}  // namespace

void add_report(nlohmann::ordered_json& json, const MandelbrotStats& now) {
  add_values(json, kPicture, &now);
  if (now.report) {
    add_values(json, kCosts, &now);
    if (now.report->perturbation) add_values(json, kPerturbation, &*now.report->perturbation);
    const MandelbrotLevels& levels = now.report->levels;
    for (std::size_t i = 0; i < levels.size(); ++i)
      add_values(json[fmt::format("level{}", i)], kLevel, &levels[i]);
  }
  if (now.divergence != nullptr) add_values(json, kDivergence, now.divergence);
  json["model"] = nullptr;
  if (!now.fit) return;
  add_values(json["model"], kModel, &*now.fit);
  if (const auto cell = best_cell(now.landscape_model)) {
    const BestCut best{landscape_cut(*cell), *now.landscape_model[*cell]};
    add_values(json["model"], kBest, &best);
  }
}

void add_report(nlohmann::ordered_json& json, const MethodScore& score) {
  add_values(json, kCompared, &score);
  add_values(json, kDifferences, &score);
}

void add_mandelbrot_fields(ReportFields& fields) {
  add_fields(fields, "mandelbrot.", kPicture);
  add_fields(fields, "mandelbrot.", kCosts);
  add_fields(fields, "mandelbrot.", kPerturbation);
  add_fields(fields, "mandelbrot.level#.", kLevel);
  add_fields(fields, "mandelbrot.", kDivergence);
  add_fields(fields, "mandelbrot.model.", kModel);
  add_fields(fields, "mandelbrot.model.", kBest);
  for (const MandelbrotMethod method : kMandelbrotMethods) {
    const std::string prefix = fmt::format("mandelbrot.compared.{}.", name_of(method));
    add_fields(fields, prefix, kCompared);
    if (method != MandelbrotMethod::kExhaustive) add_fields(fields, prefix, kDifferences);
  }
}

}  // namespace loom::app
