#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/bench/mandelbrot_json.h"
#include "app/bench/statistics.h"
#include "app/cli/command.h"
#include "app/cli/dwell_image.h"
#include "app/cli/engine_text.h"
#include "app/cli/first_error.h"
#include "app/cli/omp_wait_policy.h"
#include "app/cli/on_all_ranks.h"
#include "app/cli/options/mandelbrot_options.h"
#include "app/cli/options/output_option.h"
#include "app/cli/options/picture_options.h"
#include "app/cli/options/read_number.h"
#include "app/cli/standard_streams.h"
#include "app/cli/text_table.h"
#include "app/files/npy_file.h"
#include "app/files/output_file.h"
#include "app/text/json_text.h"
#include "compute/backend/fastest_plan.h"
#include "compute/backend/mandelbrot_factory.h"
#include "compute/check/border_misses.h"
#include "compute/check/dwell_hash.h"
#include "compute/check/sampled_check.h"
#include "compute/cpu/available_memory.h"
#include "compute/mandelbrot/divergence.h"
#include "compute/mandelbrot/mandelbrot_memory.h"
#include "compute/perturbation/nucleus.h"

namespace loom::app {
namespace {

struct Options {
  MandelbrotOptions dwells;
  std::optional<std::string> palette;
  std::string runs = "1";
  std::string npy;
  std::string png;
  std::string check_samples;
  std::string seed = "1";
  bool find_nucleus = false;
  bool check = false;
  bool hash = false;
  bool automatic = false;
  bool divergence = false;
  bool json = false;
};

/// Maximum number of differences that are examined individually; more are only counted.
constexpr std::size_t kMaxPlaces = 100000;
/// Maximum number of differences that are printed.
constexpr std::size_t kPrintedPlaces = 100;

struct Check {
  DwellDifferences differences;
  std::uint64_t border_misses = 0;  ///< among the examined differences
  /// Whether every examined difference is a border miss.
  bool ok() const { return border_misses == differences.places.size(); }
};

/// Lane-iterations of the warps of a GPU, whether or not there is one.
struct DivergenceReport {
  bool exact = false;
  Divergence border;  ///< of all regions; zero with the exhaustive method
  Divergence pixels;  ///< of leaves, or of the whole image
  Divergence total() const {
    Divergence sum = border;
    sum += pixels;
    return sum;
  }
};

struct Result {
  MandelbrotConfig config;
  MandelbrotView view;
  BackendSelection backend;
  std::string device;
  std::vector<int> devices;  ///< if there are several, or if they were named
  int ranks = 1;
  MandelbrotReport report;                     ///< of the last run
  std::vector<MandelbrotPartitionTime> parts;  ///< of the last run, if there are several
  bench::Summary times;
  DwellHash dwells;                 ///< with --hash
  std::optional<CutSearch> search;  ///< with --automatic
  std::optional<Check> check;
  std::optional<SampledCheck> sampled;  ///< with --check-samples
  std::optional<DivergenceReport> warp_divergence;
  bool npy_written = false;
  bool png_written = false;
  FirstError failure;  ///< error of writing them
};

DivergenceReport measure_divergence(MandelbrotEngine& engine, const MandelbrotConfig& config,
                                    const MandelbrotView& view) {
  // Computed again to list the regions; the report stays that of a run without the list.
  engine.compute(config, view, MandelbrotEngine::Regions::kList);
  std::vector<std::uint32_t> held(view.pixels());
  engine.read_dwells(0, held);
  make_iterations(config, view, held);
  const DwellRows dwells{held, view.width, view.height};
  DivergenceReport warp_divergence{.exact = divergence_is_exact(config), .border = {}, .pixels = {}};
  if (config.method == MandelbrotMethod::kExhaustive) {
    warp_divergence.pixels = ExhaustiveDivergence(dwells, config.block).total();
    return warp_divergence;
  }
  for (const MandelbrotRegion& region : engine.regions()) {
    const RegionDivergence found = region_divergence(dwells, region, config.block);
    warp_divergence.border += found.border;
    warp_divergence.pixels += found.leaf;
  }
  return warp_divergence;
}

/// Checks the memory for image and divergence count, which is needed only after the computation. The engine
/// checks its own memory.
void check_memory(const Options& options, const Result& result, const MandelbrotSettings& look) {
  const bool on_host = result.backend.device.on_host;
  const std::uint64_t image = on_host ? bytes_needed(result.config, result.view, options.divergence) : 0;
  constexpr std::uint64_t kOfDwell = 32;  // histograms of threads, and a colour
  const std::uint64_t beside = bytes_per_pixel(look.colouring, look.samples_per_axis) * result.view.pixels() +
                               kOfDwell * result.config.dwell_limit;
  if (!options.png.empty()) cpu::check_available(image + beside, "--png");
  if (options.divergence) cpu::check_available(image + 6 * result.view.pixels(), "--divergence");
}

/// The input of a run, before any memory is allocated for it.
struct Plan {
  Result result;
  std::vector<Device> devices;  ///< several or named devices; empty: only result.backend
  std::uint64_t runs = 1;
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  ShellSettings shell;
  MandelbrotSettings look;
};

/// `ranks`: the processes that compute together, of which the first writes; null: only this one.
Plan prepare(const Options& options, const ProcessGroup* ranks) {
  Plan plan;
  Result& result = plan.result;
  const DeviceSelection chosen = options.dwells.selected_devices(ranks);
  result.backend = chosen.backend;
  result.devices = chosen.numbers();
  if (ranks != nullptr) result.ranks = ranks->count();
  plan.devices = chosen.several;
  result.config = options.dwells.config(result.backend.device);
  result.view = options.dwells.image();
  plan.runs = read_whole_number("--runs", options.runs, 1, 100000);
  if (!options.check_samples.empty())
    plan.samples = read_whole_number("--check-samples", options.check_samples, 1, 1'000'000'000);
  plan.seed = read_whole_number("--seed", options.seed, 0, std::numeric_limits<std::int64_t>::max());
  const bool writes = ranks == nullptr || ranks->rank() == 0;
  if (writes && !options.npy.empty()) check_can_be_written("--npy", options.npy);
  if (writes && !options.png.empty()) check_can_be_written("--png", options.png);
  if (!options.png.empty()) check_image_size(result.view);
  plan.look = options.dwells.colours();
  choose_palette(plan.shell, plan.look, options.palette);
  if (writes) check_memory(options, result, plan.look);
  check_different_files({{"--npy", options.npy}, {"--png", options.png}});
  return plan;
}

std::unique_ptr<MandelbrotEngine> make_engine(const Plan& plan) {
  if (!plan.devices.empty()) return make_mandelbrot_engine(plan.devices);
  return make_mandelbrot_engine(plan.result.backend);
}

Result compute(Plan plan, MandelbrotEngine& engine, const Options& options) {
  Result& result = plan.result;
  result.device = device_text(engine.backend_name());
  if (options.automatic) {
    result.search = find_fastest_plan(engine, result.config, result.view,
                                      {.first = {result.config.g, result.config.r, result.config.b}});
    result.config = with_plan(result.config, result.search->best()->plan);
  }
  std::vector<double> milliseconds;
  for (std::uint64_t run = 0; run < plan.runs; ++run) {
    result.report = engine.compute(result.config, result.view);
    milliseconds.push_back(result.report.milliseconds);
    const auto parts = engine.partition_times();
    result.parts.assign(parts.begin(), parts.end());
  }
  result.times = bench::summarise(milliseconds);
  result.config.precision = engine.config().precision;
  if (plan.samples > 0) result.sampled = check_samples(engine, plan.samples, plan.seed, kPrintedPlaces);
  if (options.check) {
    // Computed again to list the regions; the report stays that of a run without the list.
    engine.compute(result.config, result.view, MandelbrotEngine::Regions::kList);
    result.check.emplace();
    result.check->differences = engine.count_differences(kMaxPlaces);
    result.check->border_misses = count_border_misses(engine, result.check->differences);
  }
  if (options.hash) result.dwells = hash_of_dwells(engine);
  if (options.divergence) result.warp_divergence = measure_divergence(engine, result.config, result.view);
  if (!options.npy.empty()) {
    const auto read = [&](std::uint32_t first_row, std::span<std::uint32_t> rows) {
      engine.read_dwells(first_row, rows);
    };
    result.npy_written =
        result.failure.try_run([&] { write_npy(options.npy, result.view.width, result.view.height, read); });
  }
  if (!options.png.empty()) {
    const render::Palette& palette = palette_or_first(plan.shell.custom_palettes, plan.look.palette);
    result.png_written = result.failure.try_run([&] {
      write_dwell_image(options.png, engine, palette, plan.look.dwell_colouring(),
                        plan.look.samples_per_axis);
    });
  }
  return std::move(result);
}

double fraction(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

nlohmann::ordered_json to_json(const Divergence& divergence) {
  return {
      {"warps", divergence.warps},   {"lanes", divergence.lanes}, {"iterations", divergence.iterations},
      {"waited", divergence.waited}, {"idle", divergence.idle},   {"efficiency", divergence.efficiency()}};
}

void print_json(const Result& result, const Options& options) {
  nlohmann::ordered_json json;
  add_mandelbrot_config(json, result.config, result.view);
  json["backend"] = name_of(result.backend.device.kind);
  json["backend_reason"] = result.backend.reason;
  json["device"] = result.device;
  json["devices"] = nullptr;
  if (!result.devices.empty()) json["devices"] = result.devices;
  json["ranks"] = result.ranks;
  json["runs"] = result.times.samples;
  json["ms"] = {{"median", result.times.median}, {"p95", result.times.p95}, {"min", result.times.min}};
  json["parts"] = nlohmann::ordered_json::array();
  for (const MandelbrotPartitionTime& part : result.parts) {
    json["parts"].push_back(
        {{"begin_ms", part.begin}, {"end_ms", part.end}, {"ms", part.milliseconds}, {"pixels", part.pixels}});
  }
  if (result.search) {
    auto& automatic = json["automatic"] = nlohmann::ordered_json::array();
    for (const CutSearch::PlanTiming& timed : result.search->timed()) {
      const auto& [g, r, b] = timed.plan.cut;
      if (timed.plan.exhaustive) {
        automatic.push_back({{"method", "exhaustive"}, {"ms", timed.time}});
      } else {
        automatic.push_back({{"method", "ask"}, {"g", g}, {"r", r}, {"b", b}, {"ms", timed.time}});
      }
    }
  }
  add_mandelbrot_report(json, result.report);
  if (options.hash) {
    json["hash"] = fmt::format("{:016x}", result.dwells.hash);
    json["interior_pixels"] = result.dwells.interior;
  }
  if (result.check) {
    const DwellDifferences& differences = result.check->differences;
    auto& check = json["check"];
    check["ok"] = result.check->ok();
    check["different"] = differences.count;
    check["fraction"] = fraction(differences.count, result.view.pixels());
    check["looked_at"] = differences.places.size();
    check["border_misses"] = result.check->border_misses;
    check["places"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < std::min(kPrintedPlaces, differences.places.size()); ++i) {
      const DwellDifference& place = differences.places[i];
      check["places"].push_back(
          {{"x", place.pixel.x}, {"y", place.pixel.y}, {"dwell", place.dwell}, {"expected", place.expected}});
    }
  }
  if (result.sampled) {
    const SampledCheck& sampled = *result.sampled;
    auto& check = json["sampled_check"];
    check = {{"ok", sampled.ok()},
             {"samples", sampled.samples},
             {"seed", sampled.seed},
             {"different", sampled.different},
             {"far", sampled.far}};
    check["places"] = nlohmann::ordered_json::array();
    for (const DwellDifference& place : sampled.places) {
      check["places"].push_back(
          {{"x", place.pixel.x}, {"y", place.pixel.y}, {"dwell", place.dwell}, {"expected", place.expected}});
    }
  }
  if (result.warp_divergence) {
    auto& divergence = json["divergence"];
    divergence["counted"] =
        result.warp_divergence->exact ? "as the kernels run" : "as the published form runs";
    divergence["total"] = to_json(result.warp_divergence->total());
    divergence["border"] = to_json(result.warp_divergence->border);
    divergence["pixels"] = to_json(result.warp_divergence->pixels);
  }
  if (result.npy_written) json["npy"] = options.npy;
  if (result.png_written) json["png"] = options.png;
  fmt::print("{}\n", json_text(json));
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

void print_text(const Result& result, const Options& options) {
  const MandelbrotConfig& config = result.config;
  const MandelbrotReport& report = result.report;
  TextTable table({"", ""});
  if (result.view.decimal) {
    const DecimalView& view = *result.view.decimal;
    table.add({"image", fmt::format("{} x {}, centre {}, {}, width {}", result.view.width, result.view.height,
                                    view.re, view.im, view.width)});
  } else {
    table.add({"image", fmt::format("{} x {}, re {} to {}, im {} to {}", result.view.width,
                                    result.view.height, result.view.window.re_min, result.view.window.re_max,
                                    result.view.window.im_min, result.view.window.im_max)});
  }
  std::string method(name_of(config.method));
  if (config.method != MandelbrotMethod::kExhaustive) {
    method +=
        fmt::format("-{}, g {}, r {}, B {}, fill {}, optimizations {}", name_of(config.scheme), config.g,
                    config.r, config.b, name_of(config.fill), to_string(config.optimisations));
  }
  if (config.method == MandelbrotMethod::kExhaustive && config.optimisations.interior)
    method += ", optimization interior";
  if (result.search) method += fmt::format(" (fastest of {} timed)", result.search->timed().size());
  table.add({"method", method});
  table.add({"dwell", fmt::format("limit {}, {}", config.dwell_limit, name_of(config.precision))});
  if (report.perturbation) {
    const PerturbationStats& stats = *report.perturbation;
    table.add({"reference",
               fmt::format("{} iterations{} with {} bits ({} digits): {:.1f} ms; {} linear steps: {:.1f} ms",
                           stats.orbit_length, stats.period != 0 ? ", its period," : "", stats.bits,
                           stats.digits, stats.orbit_milliseconds, stats.steps, stats.table_milliseconds)});
  }
  table.add({"backend", fmt::format("{}: {} ({})", name_of(result.backend.device.kind), result.device,
                                    result.backend.reason)});
  table.add({"time", fmt::format("median {:.4f} ms, 95th percentile {:.4f} ms, {} runs", result.times.median,
                                 result.times.p95, result.times.samples)});
  for (std::size_t i = 0; i < result.parts.size(); ++i) {
    const MandelbrotPartitionTime& part = result.parts[i];
    table.add(
        {fmt::format("part {}", i + 1), fmt::format("worked {:.4f} ms on {} pixels, done after {:.4f} ms",
                                                    part.milliseconds, part.pixels, part.end)});
  }
  table.add({"computed", fmt::format("{} of {} pixels, work reduction {:.2f}", report.computed_pixels(),
                                     report.pixels, report.work_reduction())});
  const char* const launched = result.backend.device.warps                     ? "kernel launches"
                               : result.config.method == MandelbrotMethod::kDp ? "tasks"
                                                                               : "parallel loops";
  table.add({"launched", fmt::format("{} {}", report.launches, launched)});
  table.add({"memory", fmt::format("{} bytes", report.allocated_bytes)});
  if (options.hash) {
    table.add({"hash", fmt::format("{:016x}", result.dwells.hash)});
    table.add({"interior", fmt::format("{} pixels at the limit", result.dwells.interior)});
  }
  if (result.check) {
    const DwellDifferences& differences = result.check->differences;
    table.add(
        {"check",
         fmt::format("{} pixels differ from exhaustive ({:.6f} %), {} of {} inspected are border misses",
                     differences.count, 100 * fraction(differences.count, result.view.pixels()),
                     result.check->border_misses, differences.places.size())});
  }
  if (result.sampled) {
    const SampledCheck& sampled = *result.sampled;
    table.add(
        {"sampled check",
         fmt::format("{}: {} of {} pixels differ from a plain loop in MPFR, {} by more than 1 and 0.1 %",
                     sampled.ok() ? "passed" : "failed", sampled.different, sampled.samples, sampled.far)});
  }
  if (result.warp_divergence) {
    const Divergence total = result.warp_divergence->total();
    table.add(
        {"divergence",
         fmt::format(
             "{} active lane-iterations, {} idle (waiting), {} idle (no pixel): utilization {:.1f} % "
             "(counted{})",
             total.iterations, total.waited, total.idle, 100 * total.efficiency(),
             result.warp_divergence->exact ? "" : " as without early-stop, periodicity, tiles, regroup")});
  }
  fmt::print("{}", table.text());
  if (!report.levels.empty()) print_levels(report);
  if (!result.check) return;
  const auto& places = result.check->differences.places;
  for (std::size_t i = 0; i < std::min(kPrintedPlaces, places.size()); ++i) {
    fmt::print("different: ({}, {}) has {}, exhaustive {}\n", places[i].pixel.x, places[i].pixel.y,
               places[i].dwell, places[i].expected);
  }
}

/// Returns the exit status.
int compute_and_print(Plan plan, MandelbrotEngine& engine, const Options& options) {
  const Result result = compute(std::move(plan), engine, options);
  options.json ? print_json(result, options) : print_text(result, options);
  result.failure.rethrow();
  const bool differs = (result.check && !result.check->ok()) || (result.sampled && !result.sampled->ok());
  return differs ? 1 : 0;
}

/// The first process computes, prints and writes; the others execute its commands and end with its status.
int compute_on_all_ranks(const Options& options, const ProcessGroup& ranks) {
  Plan plan = make_on_all_ranks(ranks, [&] { return prepare(options, &ranks); });
  auto engine = make_mandelbrot_engine(plan.result.backend.device, ranks);
  int status = 0;
  FirstError failure;
  if (ranks.rank() == 0) {
    failure.try_run([&] {
      status = compute_and_print(std::move(plan), *engine, options);
      flush_standard_output();
    });
    engine.reset();
  } else {
    try {
      engine->execute_commands();
    } catch (const std::exception& error) {  // the first process would wait for this one forever
      abort_all_ranks(ranks, error.what());
    }
  }
  make_on_all_ranks(ranks, [&] {
    failure.rethrow();
    return true;
  });
  ranks.broadcast(std::as_writable_bytes(std::span(&status, 1)));
  return status;
}

/// Returns the exit status: 1 if there is no nucleus in the view.
int print_nucleus(const Options& options) {
  if (!options.dwells.center)
    throw InputError("--find-nucleus needs a view; allowed: with --center and --width");
  const MandelbrotView view = options.dwells.image();
  const std::uint32_t most = options.dwells.config(Device{}).dwell_limit;
  const auto nucleus =
      find_nucleus(*view.decimal, view.width, view.height, most, cpu::available_memory(), ProgressScope());
  if (options.json) {
    nlohmann::ordered_json json;
    json["found"] = nucleus.has_value();
    if (nucleus) {
      json["re"] = nucleus->re;
      json["im"] = nucleus->im;
      json["period"] = nucleus->period;
      json["size"] = nucleus->size;
      json["newton_steps"] = nucleus->newton_steps;
    }
    fmt::print("{}\n", json_text(json));
  } else if (nucleus) {
    TextTable table({"", ""});
    table.add({"period", fmt::format("{}", nucleus->period)});
    table.add({"size", nucleus->size});
    table.add({"re", nucleus->re});
    table.add({"im", nucleus->im});
    fmt::print("{}", table.text());
  } else {
    fmt::print("no nucleus with a period up to {} in this view\n", most);
  }
  return nucleus ? 0 : 1;
}

int run(const Options& options) {
  if (options.find_nucleus) return print_nucleus(options);
  if (const ProcessGroup* const ranks = ProcessGroup::join()) return compute_on_all_ranks(options, *ranks);
  set_passive_omp_wait();
  Plan plan = prepare(options, nullptr);
  const auto engine = make_engine(plan);
  return compute_and_print(std::move(plan), *engine, options);
}

}  // namespace

void add_mandelbrot(CLI::App& root, Action& chosen) {
  auto options = std::make_shared<Options>();
  CLI::App* command = root.add_subcommand(
      "mandelbrot", "Compute the Mandelbrot set's dwells without a window: exhaustive, DP or ASK");
  add_mandelbrot_options(*command, options->dwells);
  command
      ->add_option("--devices", options->dwells.devices,
                   "Distribute the rows over these CUDA devices: a comma list of numbers, or all; with "
                   "--backend cpu, over that number of CPU partitions")
      ->type_name("N,N,...");
  command->add_option("--runs", options->runs, "Number of computations; the median time is printed")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--npy", options->npy, "Write the dwells as a NumPy array (H, W), uint32")
      ->type_name("FILE")
      ->check(output_name());
  command->add_option("--png", options->png, "Write an image, sides up to 16384")
      ->type_name("FILE")
      ->check(output_name());
  command
      ->add_option("--palette", options->palette,
                   "Image: name of a palette (an unknown name prints the list), or a .gpl, .map or .cpt file")
      ->type_name("NAME|FILE");
  add_dwell_colour_options(*command, options->dwells, "Image: ");
  command->add_flag("--check", options->check,
                    "Compare every pixel with the exhaustive method; exit status 1 if a pixel differs that "
                    "is not a border miss");
  command
      ->add_option(
          "--check-samples", options->check_samples,
          "Compare this number of random pixels with a plain loop in MPFR numbers; exit status 1 if more "
          "than one in 10000 differs, or, with a float mantissa, more than one in 1000 by more than 1 and "
          "0.1 %")
      ->type_name("N");
  command->add_option("--seed", options->seed, "Seed of the random pixels")
      ->type_name("N")
      ->capture_default_str();
  command->add_flag(
      "--find-nucleus", options->find_nucleus,
      "Find the minibrot of lowest period in the view instead of computing it: its centre, its period, "
      "up to the dwell limit, and an estimate of its size; exit status 1 if there is none");
  command->add_flag("--automatic", options->automatic,
                    "Choose the method (exhaustive or ask), g, r and B by timing several of them first");
  command->add_flag("--divergence", options->divergence,
                    "Compute the warp divergence of a GPU from the dwells");
  command->add_flag("--hash", options->hash,
                    "Print a hash of all dwells and the number of pixels at the limit");
  command->add_flag("--json", options->json, "Print one JSON object and nothing else on standard output");
  command->callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace loom::app
