#include "app/plot/caption.h"

#include <fmt/format.h>

#include <algorithm>

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

/// How far the medians can be trusted.
std::string noise_text(const std::vector<const bench::Entry*>& entries) {
  double noise = 0;
  std::size_t limited = 0;
  std::size_t single = 0;
  for (const bench::Entry* entry : entries) {
    const bench::Measured& measured = *entry->measured;
    noise = std::max(noise, measured.milliseconds.noise.value_or(0));
    if (measured.limited) ++limited;
    if (!measured.milliseconds.noise) ++single;
  }
  std::string text = fmt::format(
      " Medians of a generation; {} of {} configurations ended at a limit, standard error of the mean up to "
      "{:.2g}\u00a0%",
      limited, entries.size(), 100 * noise);
  if (single > 0) text += fmt::format(" and unknown for {} single samples", single);
  return text + ".";
}

}  // namespace

std::string caption_of(const bench::Results& results, const std::vector<const bench::Entry*>& entries) {
  const bench::Entry& first = *entries.front();
  std::string text = first.workload;
  if (first.workload == "life") {
    text += fmt::format(" ({}, density {})", setting(results, "rule"), setting(results, "density"));
  }
  const bool on_gpu = first.backend == "cuda";
  text += fmt::format(", {} backend: {}.", first.backend,
                      on_gpu ? gpu_text(results.machine, first.device) : cpu_text(results.machine));
  text += noise_text(entries);
  text += fmt::format(" {}, commit {}, {}.", results.program, results.commit, results.date.substr(0, 10));
  if (results.interrupted) text += " The sweep was interrupted.";
  return text;
}

}  // namespace loom::app::plot
