#include "app/cli/mandelbrot_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/bench/results.h"
#include "app/cli/command.h"
#include "app/files/json_reader.h"

namespace loom::app {
namespace {

double fraction(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::ordered_json to_json(const Divergence& divergence) {
  return {{"warps", divergence.warps},
          {"lanes", divergence.lanes},
          {"iterations", divergence.iterations},
          {"waited", divergence.waited},
          {"idle", divergence.idle},
          {"idle_fraction", divergence.idle_fraction()}};
}

/// The first differences.
nlohmann::ordered_json to_json(std::span<const DwellDifference> places) {
  auto list = nlohmann::ordered_json::array();
  for (const DwellDifference& place : places.first(std::min(kPrintedPlaces, places.size()))) {
    list.push_back(
        {{"x", place.pixel.x}, {"y", place.pixel.y}, {"dwell", place.dwell}, {"expected", place.expected}});
  }
  return list;
}

void print_levels(const MandelbrotReport& report) {
  TextTable table({"level", "region", "regions", "filled", "leaves", "split", "P", "border pixels",
                   "leaf pixels", "filled pixels", "ms"},
                  2);
  for (std::size_t i = 0; i < report.levels.size(); ++i) {
    const MandelbrotLevel& level = report.levels[i];
    table.add({fmt::format("{}", i), fmt::format("{} x {}", level.width, level.height),
               fmt::format("{}", level.regions), fmt::format("{}", level.filled),
               fmt::format("{}", level.leaves), fmt::format("{}", level.splits),
               fmt::format("{:.3f}", level.split_fraction()), fmt::format("{}", level.border_pixels),
               fmt::format("{}", level.leaf_pixels), fmt::format("{}", level.filled_pixels),
               level.milliseconds ? fmt::format("{:.3f}", *level.milliseconds) : "-"});
  }
  fmt::print("{}", table.text());
}

}  // namespace

void print_json(const MandelbrotRun& run) {
  auto json = nlohmann::ordered_json::object();
  add_mandelbrot_config(json, run.config, run.view);
  add_devices(json, run);
  json["runs"] = run.times.samples;
  json["ms"] = {{"median", run.times.median}, {"p95", run.times.p95}, {"min", run.times.min}};
  json["parts"] = nlohmann::ordered_json::array();
  for (const MandelbrotPartitionTime& part : run.parts) {
    json["parts"].push_back(
        {{"begin_ms", part.begin}, {"end_ms", part.end}, {"ms", part.milliseconds}, {"pixels", part.pixels}});
  }
  if (run.search) {
    auto& automatic = json["automatic"] = nlohmann::ordered_json::array();
    for (const CutSearch::PlanTiming& timed : run.search->timed()) {
      const auto& [g, r, b] = timed.plan.cut;
      if (timed.plan.exhaustive) {
        automatic.push_back({{"method", "exhaustive"}, {"ms", timed.time}});
      } else {
        automatic.push_back({{"method", "ask"}, {"g", g}, {"r", r}, {"b", b}, {"ms", timed.time}});
      }
    }
  }
  add_mandelbrot_report(json, run.report);
  if (run.dwells) {
    json["hash"] = fmt::format("{:016x}", run.dwells->hash);
    json["interior_pixels"] = run.dwells->interior;
  }
  if (run.check) {
    const DwellDifferences& differences = run.check->differences;
    auto& check = json["check"];
    check["ok"] = run.check->ok();
    check["different"] = differences.count;
    check["fraction"] = fraction(differences.count, run.view.pixels());
    check["looked_at"] = differences.places.size();
    check["border_misses"] = run.check->border_misses;
    check["places"] = to_json(differences.places);
  }
  if (run.sampled) {
    const SampledCheck& sampled = *run.sampled;
    json["sampled_check"] = {{"ok", sampled.ok()},   {"samples", sampled.samples},
                             {"seed", sampled.seed}, {"different", sampled.different},
                             {"far", sampled.far},   {"places", to_json(sampled.places)}};
  }
  if (run.warp_divergence) {
    auto& divergence = json["divergence"];
    divergence["counted"] = run.warp_divergence->exact ? "as the kernels run" : "as the published form runs";
    divergence["total"] = to_json(run.warp_divergence->total());
    divergence["border"] = to_json(run.warp_divergence->border);
    divergence["pixels"] = to_json(run.warp_divergence->pixels);
  }
  if (!run.npy.empty()) json["npy"] = run.npy;
  if (!run.png.empty()) json["png"] = run.png;
  fmt::print("{}\n", json_text(json));
}

void print_text(const MandelbrotRun& run) {
  const MandelbrotConfig& config = run.config;
  const MandelbrotReport& report = run.report;
  TextTable table({"", ""});
  if (run.view.decimal) {
    const ViewDigits view = digits_of(*run.view.decimal);
    table.add({"image", fmt::format("{} x {}, centre {}, {}, width {}", run.view.width, run.view.height,
                                    view.re, view.im, view.width)});
  } else {
    table.add({"image", fmt::format("{} x {}, re {} to {}, im {} to {}", run.view.width, run.view.height,
                                    run.view.window.re_min, run.view.window.re_max, run.view.window.im_min,
                                    run.view.window.im_max)});
  }
  if (run.view.angle != 0) table.add({"angle", fmt::format("{} degrees", run.view.angle)});
  std::string method(name_of(config.method));
  if (config.method != MandelbrotMethod::kExhaustive) {
    method +=
        fmt::format("-{}, g {}, r {}, B {}, fill {}, optimizations {}", name_of(config.scheme), config.g,
                    config.r, config.b, name_of(config.fill), to_string(config.optimisations));
  }
  if (config.method == MandelbrotMethod::kExhaustive && config.optimisations.interior)
    method += ", optimization interior";
  if (run.search) method += fmt::format(" (fastest of {} timed)", run.search->timed().size());
  table.add({"set", to_string(config.set)});
  table.add({"method", method});
  table.add({"dwell", fmt::format("limit {}, {}", config.dwell_limit, name_of(config.precision))});
  if (report.perturbation) {
    const PerturbationStats& stats = *report.perturbation;
    table.add({"reference",
               fmt::format("{} iterations{} with {} bits ({} digits): {:.1f} ms; {} steps: {:.1f} ms",
                           stats.orbit_length, stats.period != 0 ? ", its period," : "", stats.bits,
                           stats.digits, stats.orbit_milliseconds, stats.steps, stats.table_milliseconds)});
    if (stats.uncertain > 0) {
      table.add({"uncertain",
                 fmt::format(
                     "{} pixels, computed again with two doubles (reference {:.1f} ms); {} of them undecided",
                     stats.uncertain, stats.exact_milliseconds, stats.undecided)});
    }
  }
  table.add({"backend",
             fmt::format("{}: {} ({})", name_of(run.backend.device.kind), run.device, run.backend.reason)});
  table.add({"time", fmt::format("median {:.4f} ms, 95th percentile {:.4f} ms, {} runs", run.times.median,
                                 run.times.p95, run.times.samples)});
  for (std::size_t i = 0; i < run.parts.size(); ++i) {
    const MandelbrotPartitionTime& part = run.parts[i];
    table.add(
        {fmt::format("part {}", i + 1), fmt::format("worked {:.4f} ms on {} pixels, done after {:.4f} ms",
                                                    part.milliseconds, part.pixels, part.end)});
  }
  table.add({"pixels", fmt::format("{}; {} computed, {} of them twice; {} filled, {} mirrored", report.pixels,
                                   report.computed_pixels(), bench::recomputed_pixels(report),
                                   bench::filled_pixels(report), report.mirrored_pixels)});
  table.add({"work reduction", fmt::format("{:.2f}", report.work_reduction())});
  const char* const launched = run.backend.device.warps                     ? "kernel launches"
                               : run.config.method == MandelbrotMethod::kDp ? "tasks"
                                                                            : "parallel loops";
  table.add({"launched", fmt::format("{} {}", report.launches, launched)});
  table.add({"memory", fmt::format("{} bytes", report.allocated_bytes)});
  if (run.dwells) {
    table.add({"hash", fmt::format("{:016x}", run.dwells->hash)});
    table.add({"interior", fmt::format("{} pixels at the limit", run.dwells->interior)});
  }
  if (run.check) {
    const DwellDifferences& differences = run.check->differences;
    table.add(
        {"check",
         fmt::format("{} pixels differ from exhaustive ({:.6f} %), {} of {} inspected are border misses",
                     differences.count, 100 * fraction(differences.count, run.view.pixels()),
                     run.check->border_misses, differences.places.size())});
  }
  if (run.sampled) {
    const SampledCheck& sampled = *run.sampled;
    table.add(
        {"sampled check",
         fmt::format("{}: {} of {} pixels differ from a plain loop in MPFR, {} by more than 1 and 0.1 %",
                     sampled.ok() ? "passed" : "failed", sampled.different, sampled.samples, sampled.far)});
  }
  if (run.warp_divergence) {
    const Divergence total = run.warp_divergence->total();
    table.add({"divergence",
               fmt::format(
                   "{} active lane-iterations, {} waiting, {} without a pixel: {:.1f} % idle (counted{})",
                   total.iterations, total.waited, total.idle, 100 * total.idle_fraction(),
                   run.warp_divergence->exact ? "" : " as without early-stop, periodicity, tiles, regroup")});
  }
  fmt::print("{}", table.text());
  if (!report.levels.empty()) print_levels(report);
  if (!run.check) return;
  const auto& places = run.check->differences.places;
  for (std::size_t i = 0; i < std::min(kPrintedPlaces, places.size()); ++i) {
    fmt::print("different: ({}, {}) has {}, exhaustive {}\n", places[i].pixel.x, places[i].pixel.y,
               places[i].dwell, places[i].expected);
  }
}

}  // namespace loom::app
