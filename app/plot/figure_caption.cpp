#include "app/plot/figure_caption.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "app/bench/merge.h"
#include "app/bench/plan.h"

namespace loom::app::plot {
namespace {

std::string setting(const bench::Results& results, const char* key) {
  const bool is_there = results.settings.is_object() && results.settings.contains(key);
  if (!is_there) return "";
  const auto& value = results.settings[key];
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string cpu_text(const bench::Machine& machine) {
  const std::string name = machine.cpu.empty() ? "unnamed CPU" : machine.cpu;
  return fmt::format("{}, {} threads", name, machine.threads);
}

std::string gpu_text(const bench::Machine& machine, int device) {
  for (const bench::Gpu& gpu : machine.gpus) {
    if (gpu.device == device) {
      return fmt::format("{}, {} multiprocessors, CUDA {} (driver {})", gpu.name, gpu.multiprocessors,
                         machine.cuda_runtime, machine.cuda_driver);
    }
  }
  return "unnamed GPU";
}

/// The noise of the medians.
template <typename Entry>
std::string noise_text(const std::vector<const Entry*>& entries, std::string_view round) {
  double noise = 0;
  std::size_t limited = 0;
  std::size_t single = 0;
  for (const Entry* entry : entries) {
    const auto& measured = *entry->measured;
    noise = std::max(noise, measured.milliseconds.noise.value_or(0));
    if (measured.limited) ++limited;
    if (!measured.milliseconds.noise) ++single;
  }
  std::string text = fmt::format(
      " Medians {}; {} of {} configurations reached a limit, standard error of the mean up to "
      "{:.2g}\u00a0%",
      round, limited, entries.size(), 100 * noise);
  if (single > 0) text += fmt::format(" and unknown for {} single samples", single);
  return text + ".";
}

std::string device_text(const bench::Results& results, const std::string& backend, int device) {
  const bool on_gpu = backend == "cuda";
  return fmt::format("{} backend: {}.", backend,
                     on_gpu ? gpu_text(results.machine, device) : cpu_text(results.machine));
}

/// The shards of a divided sweep that the results contain.
std::string gaps_or_all(const bench::Results& results) {
  const std::string gaps = gaps_text(results);
  return gaps.empty() ? fmt::format("all {}", results.shards->of) : gaps;
}

/// Program, commit, date, clock, and whether the sweep is complete.
std::string origin_text(const bench::Results& results) {
  std::string text =
      fmt::format(" {}, commit {}, {}.", results.program, results.commit, results.date.substr(0, 10));
  if (results.shards) text += fmt::format(" Measured in shards: {}.", gaps_or_all(results));
  if (setting(results, "clock") == bench::kWallClock) text += " Wall-clock times, from the call to its end.";
  if (!setting(results, "ranks").empty()) text += " Each device belongs to one process (mpirun).";
  if (results.interrupted) text += " The sweep was interrupted.";
  return text;
}

}  // namespace

std::string caption_of(const bench::Results& results, const std::vector<const bench::MapEntry*>& entries) {
  const bench::MapEntry& first = *entries.front();
  std::string text = first.workload;
  if (first.workload == "life") {
    text += fmt::format(" ({}, density {})", setting(results, "rule"), setting(results, "density"));
  }
  return text + ", " + device_text(results, first.backend, first.device) +
         noise_text(entries, "per generation") + origin_text(results);
}

std::string caption_of(const bench::Results& results,
                       const std::vector<const bench::MandelbrotEntry*>& entries) {
  const bench::MandelbrotEntry& first = *entries.front();
  const ComplexWindow& window = first.view.window;
  std::string text =
      fmt::format("Window [{}, {}] × [{}, {}]", window.re_min, window.re_max, window.im_min, window.im_max);
  if (const auto& decimal = first.view.decimal) {
    constexpr int kDigits = 12;
    text = fmt::format("Centre {}, {}", shortened_decimal(decimal->re, kDigits),
                       shortened_decimal(decimal->im, kDigits));
  }
  text += fmt::format(", dwell limit {}, ", first.config.dwell_limit);
  const auto is_other = [&](const bench::MandelbrotEntry* entry) {
    return entry->config.precision != first.config.precision;
  };
  if (std::ranges::none_of(entries, is_other)) text += fmt::format("{}, ", name_of(first.config.precision));
  return text + device_text(results, first.backend, first.device) + noise_text(entries, "per image") +
         origin_text(results);
}

}  // namespace loom::app::plot
