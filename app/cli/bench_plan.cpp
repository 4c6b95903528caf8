#include "app/cli/bench_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/bench/presets.h"
#include "app/bench/sweep.h"
#include "app/cli/options/device_selection.h"
#include "app/cli/options/read_number.h"
#include "app/files/fractal_file.h"
#include "compute/backend/distributed_factory.h"
#include "compute/core/error.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

/// The kind of sweep that the preset and the options select. Throws InputError if they contradict each other.
bench::SweepKind kind_of(const BenchOptions& options) {
  const std::string& of_maps = options.kind_option.at(bench::SweepKind::kMaps);
  const std::string& of_mandelbrot = options.kind_option.at(bench::SweepKind::kMandelbrot);
  const auto refuse = [](const std::string& map_option, const std::string& mandelbrot_option) {
    std::vector<std::string_view> presets;
    for (const bench::Preset& preset : bench::presets()) {
      if (preset.kind == bench::SweepKind::kMandelbrot) presets.push_back(preset.name);
    }
    throw InputError(fmt::format(
        "{} belongs to map sweeps, {} to Mandelbrot sweeps (presets {}); allowed: options of one kind",
        map_option, mandelbrot_option, fmt::join(presets, ", ")));
  };
  if (options.preset.empty()) {
    if (!of_maps.empty() && !of_mandelbrot.empty()) refuse(of_maps, of_mandelbrot);
    return of_mandelbrot.empty() ? bench::SweepKind::kMaps : bench::SweepKind::kMandelbrot;
  }
  const bench::SweepKind kind = bench::find_preset(options.preset).kind;
  const std::string by_preset = "--preset " + options.preset;
  if (kind == bench::SweepKind::kMandelbrot && !of_maps.empty()) refuse(of_maps, by_preset);
  if (kind == bench::SweepKind::kMaps && !of_mandelbrot.empty()) refuse(by_preset, of_mandelbrot);
  return kind;
}

/// Typed values override the preset, which overrides the defaults.
bench::AxisTexts selected_axes(const BenchOptions& options, bench::SweepKind kind) {
  bench::AxisTexts texts = bench::default_axes(kind);
  if (!options.preset.empty()) bench::override_texts(texts, bench::find_preset(options.preset).axes);
  bench::override_texts(texts, options.axes.at(kind));
  if (!options.backend.empty()) texts[std::string(kBackendAxis)] = options.backend;
  return texts;
}

/// Removes the values outside the typed bounds from an axis. Throws InputError if none remains.
template <typename Number>
void narrow(std::vector<Number>& values, const char* axis, const std::string& min, const std::string& max,
            std::uint64_t least, std::uint64_t most) {
  const std::string low = fmt::format("--{}-min", axis);
  const std::string high = fmt::format("--{}-max", axis);
  const std::uint64_t lowest = min.empty() ? least : read_whole_number(low, min, least, most);
  const std::uint64_t highest = max.empty() ? most : read_whole_number(high, max, least, most);
  const auto have = fmt::format("{}", fmt::join(values, ", "));
  std::erase_if(values, [&](Number value) {
    const auto number = static_cast<std::uint64_t>(value);
    return number < lowest || number > highest;
  });
  if (values.empty()) {
    throw InputError(fmt::format("{} {} and {} {} leave no {} in the sweep; allowed: some of {}", low, lowest,
                                 high, highest, axis, have));
  }
}

/// The selected devices, in the order in which configurations use them.
bench::AxisContext devices_of(const BenchOptions& options, const ProcessGroup* ranks) {
  bench::AxisContext context;
  if (!options.device_list.empty()) {
    if (options.device)
      throw InputError("--device and --device-list exclude each other; allowed: one of them");
    if (ranks != nullptr)
      throw InputError(
          "--device-list is for one process; allowed: --device, or none (each process uses one device)");
    for (const Device& one : read_devices(options.device_list, BackendChoice::kAuto))
      context.device_list.push_back(one.ordinal);
    context.device = context.device_list.front();
    return context;
  }
  if (options.device) {
    context.device =
        read_device(options.device, options.backend == "cpu" ? BackendChoice::kCpu : BackendChoice::kAuto);
  } else if (ranks != nullptr) {
    context.device = device_of_rank(*ranks);
  }
  return context;
}

/// Lets all processes of the run share each configuration.
void share_among(bench::Axes& axes, const ProcessGroup& ranks) {
  auto* const maps = std::get_if<bench::MapAxes>(&axes.of);
  if (maps == nullptr)
    throw InputError("Mandelbrot sweeps run in one process; allowed with mpirun: map sweeps");
  maps->devices = {ranks.count()};
  maps->device_list.clear();
  maps->processes = true;
}

bench::Axes make_axes(const BenchOptions& options, bench::SweepKind kind, const bench::AxisTexts& texts,
                      const ProcessGroup* ranks) {
  if (ranks != nullptr && !options.axes.at(bench::SweepKind::kMaps).at("devices").empty())
    throw InputError(
        "--devices is for one process; allowed with mpirun: none (each process uses one device)");
  bench::Axes axes = bench::parse_axes(kind, texts, devices_of(options, ranks));
  if (ranks != nullptr) share_among(axes, *ranks);
  if (auto* maps = std::get_if<bench::MapAxes>(&axes.of)) {
    if (!options.fractal_file.empty()) {
      if (!options.axes.at(kind).at("fractal").empty()) {
        throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
      }
      maps->fractals = {read_fractal_file(options.fractal_file).fractal};
    }
    narrow(maps->levels, "level", options.level_min, options.level_max, 0, 63);
  }
  if (auto* mandelbrot = std::get_if<bench::MandelbrotAxes>(&axes.of)) {
    narrow(mandelbrot->sizes, "size", options.size_min, options.size_max, 1, 1 << 20);
  }
  axes.repeats = static_cast<int>(read_whole_number("--repeats", options.repeats, 1, 1'000'000));
  return axes;
}

bench::Sampling make_sampling(const BenchOptions& options, bool is_distributed) {
  bench::Sampling sampling;
  if (options.clock == bench::kEngineClock && is_distributed) {
    throw InputError("--clock engine: several devices have no common clock; allowed here: wall");
  }
  if (!options.clock.empty() && options.clock != bench::kEngineClock && options.clock != bench::kWallClock) {
    throw InputError(fmt::format("--clock: '{}' is not allowed; allowed: engine, wall", options.clock));
  }
  if (!options.rounds_per_call.empty()) {
    sampling.rounds_per_call = static_cast<std::uint32_t>(
        read_whole_number("--at-once", options.rounds_per_call, 1, bench::Sampler::kLargestBatch));
  }
  if (is_distributed || options.clock == bench::kWallClock) sampling.use_distributed_timing();
  sampling.max_samples =
      static_cast<std::uint32_t>(read_whole_number("--max-samples", options.max_samples, 1, 1'000'000));
  sampling.max_seconds = read_real_number("--max-seconds", options.max_seconds, 0.001, 86'400);
  sampling.rule = parse_rule(options.rule);
  sampling.start.seed =
      read_whole_number("--seed", options.seed, 0, std::numeric_limits<std::uint64_t>::max());
  sampling.start.density = read_real_number("--density", options.density, 0, 1);
  return sampling;
}

}  // namespace

bench::Plan make_bench_plan(const BenchOptions& options, const ProcessGroup* ranks) {
  const bench::SweepKind kind = kind_of(options);
  bench::Plan plan;
  plan.preset = options.preset;
  if (!options.shard.empty()) plan.shard = bench::parse_shard(options.shard);
  plan.texts = selected_axes(options, kind);
  plan.axes = make_axes(options, kind, plan.texts, ranks);
  plan.sampling = make_sampling(options, bench::is_distributed(plan.axes));
  return plan;
}

}  // namespace loom::app
