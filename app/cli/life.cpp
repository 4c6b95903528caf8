#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/bench/cell_config.h"
#include "app/bench/results.h"
#include "app/bench/sampler.h"
#include "app/cli/command.h"
#include "app/cli/options/options.h"
#include "app/cli/options/scene_options.h"
#include "app/document/scene/scene.h"
#include "app/files/fractal_file.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "app/patterns/pattern.h"
#include "app/program/lesson_check.h"
#include "app/workspaces/life/document/life_state.h"
#include "app/workspaces/mandelbrot/document/mandelbrot_state.h"
#include "compute/backend/emulation.h"
#include "compute/backend/engine_factory.h"
#include "compute/device/device.h"
#include "compute/device/energy.h"
#include "compute/distributed/process_group.h"
#include "compute/engine/fractal_engine.h"
#include "compute/engine/thread_count.h"
#include "compute/engine/work_costs.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

/// Where the initial pattern is placed.
struct PlacedPattern {
  Coord<std::int64_t> at = {};
  patterns::PlacementCounts counts = {};
  std::uint64_t lost() const { return counts.holes + counts.outside; }
};

/// What a run of a workload computed, on a fractal of two or three dimensions.
struct WorkloadRun {
  BackendSelection backend = {};
  bool emulated = false;
  std::optional<PlacedPattern> pattern = {};
  std::vector<std::string> notes = {};    ///< what was done in another way than asked, sentences
  std::optional<RandomStart> start = {};  ///< the start of the cells; empty if they came from a file
  std::string device = {};
  std::vector<int> devices = {};  ///< if there are several, or if they were named
  int ranks = 1;
  std::uint64_t steps = 0;
  std::uint64_t at_once = 1;
  std::uint64_t generation = 0;
  std::uint64_t cells = 0;
  std::uint64_t bytes = 0;
  Census census = {};
  std::vector<std::uint64_t> states = {};    ///< cells in each state of the rule
  std::optional<StepReport> last_step = {};  ///< the last call; empty without steps
  std::optional<ThreadCount> threads = {};   ///< of one generation; empty without steps
  std::optional<bench::Summary> times = {};  ///< per generation
  std::optional<EnergyUse> energy = {};      ///< per generation, if it is to be measured

  /// Sets `steps` and `at_once` from the texts of their options. Throws InputError.
  void read_steps(const std::string& steps_text, const std::string& at_once_text);

  /// Runs all steps.
  template <typename Engine, typename Work>
  void run(Engine& engine, const Work& work, bool measures_energy) {
    bench::DecimatedSamples milliseconds;
    std::optional<EnergyMeter> meter;
    if (measures_energy) {
      meter.emplace(each_device(backend));
      while (!meter->measure_idle()) {
      }
      meter->begin();
    }
    for (std::uint64_t done = 0; done < steps;) {
      const std::uint64_t count = std::min(at_once, steps - done);
      last_step = engine.run(static_cast<std::uint32_t>(count), work);
      milliseconds.add(last_step->milliseconds / static_cast<double>(count));
      done += count;
      if (meter) meter->add(count);
    }
    if (meter) energy = meter->use();
    if (last_step) times = bench::summarise(milliseconds.retained());
    if (last_step) threads = engine.count_threads();
    device = device_text(engine.backend_name());
    cells = engine.cell_count();
    census = engine.census();
    states = count_states(engine);
    states.resize(std::max<std::size_t>(states.size(), states_of(work)));
    generation = engine.generation();
    bytes = engine.allocated_bytes();
  }
};

void WorkloadRun::read_steps(const std::string& steps_text, const std::string& at_once_text) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  steps = read_whole_number("--steps", steps_text, 0, kMost);
  at_once = read_whole_number("--at-once", at_once_text, 1, kMost);
}

/// ", halo on, loop, linear": the settings of a map that has them.
std::string method_text(const MapMethod& method) {
  std::string text;
  if (method.map == MapKind::kCompact) text += method.halo ? ", halo on" : ", halo off";
  if (method.map != MapKind::kBoundingBox) {
    text += fmt::format(", {}, {}", name_of(method.arithmetic), name_of(method.intra_block));
  }
  return text;
}

void add_run(nlohmann::ordered_json& json, const WorkloadRun& run, std::uint64_t thread_blocks) {
  json["steps"] = run.steps;
  json["generation"] = run.generation;
  json["at_once"] = run.at_once;
  add_devices(json, run);
  json["cells"] = run.cells;
  json["population"] = run.census.population;
  json["states"] = run.states;
  json["hash"] = fmt::format("{:016x}", run.census.hash);
  const ThreadCount threads = run.threads.value_or(ThreadCount{});
  const auto add = [&](const char* key, std::uint64_t count) {
    json[key] = json_if(run.threads.has_value(), count);
  };
  add("tiles_launched", threads.tiles_launched);
  add("tiles_occupied", threads.tiles_occupied);
  add("tiles_empty", threads.tiles_empty());
  add("thread_blocks", thread_blocks);
  add("threads_launched", threads.threads_launched);
  add("threads_active", threads.threads_active);
  add("threads_misplaced", threads.threads_misplaced);
  json["bytes"] = run.bytes;
  json["pattern"] = nullptr;
  json["step_ms"] = {{"median", nullptr}, {"p95", nullptr}};
  if (run.times) json["step_ms"] = {{"median", run.times->median}, {"p95", run.times->p95}};
  if (run.energy) add_energy(json, *run.energy, run.cells);
}

std::string energy_text(const EnergyUse& energy, std::uint64_t cells) {
  if (!energy.problem.empty()) return "not measured: " + energy.problem;
  return fmt::format(
      "{:.4g} J per generation ({:.4g} to {:.4g} in windows of half a second), {:.4g} cells per joule; "
      "{:.1f} "
      "W, idle {:.1f} W = {:.0f} % ({})",
      energy.joules, energy.least, energy.most, static_cast<double>(cells) / energy.joules, energy.watts,
      energy.idle_watts, 100 * energy.idle_share(), energy.sensor);
}

void add_run(TextTable& table, const WorkloadRun& run, bool reduces) {
  table.add({"generations", fmt::format("{}", run.steps)});
  table.add({"population", fmt::format("{} ({:.2f} % of the cells)", run.census.population,
                                       100.0 * static_cast<double>(run.census.population) /
                                           static_cast<double>(run.cells))});
  if (run.states.size() > 2)
    table.add({"states",
               fmt::format("{} cells in state 0 to {}", fmt::join(run.states, ", "), run.states.size() - 1)});
  table.add({"hash", fmt::format("{:016x}", run.census.hash)});
  if (run.last_step && reduces) table.add({"sum", fmt::format("{}", run.last_step->sum)});
  if (run.threads) {
    const ThreadCount& threads = *run.threads;
    table.add({"tiles", fmt::format("{} per generation, {} of them with cells", threads.tiles_launched,
                                    threads.tiles_occupied)});
    table.add({"threads", fmt::format("{} launched per generation, {} active", threads.threads_launched,
                                      threads.threads_active)});
    table.add({"thread utilization",
               fmt::format("{:.2f} %",
                           100 * thread_utilization(threads.threads_active, threads.threads_launched))});
    if (threads.threads_misplaced > 0) {
      table.add(
          {"misplaced", fmt::format("{} threads process a wrong cell or a hole", threads.threads_misplaced)});
    }
  }
  table.add({"memory", fmt::format("{} bytes for cells", run.bytes)});
  if (run.times) {
    table.add({"step", fmt::format("median {:.4f} ms, 95th percentile {:.4f} ms", run.times->median,
                                   run.times->p95)});
  }
  if (run.energy) table.add({"energy", energy_text(*run.energy, run.cells)});
}

/// Of one generation.
std::uint64_t thread_blocks_of(const FractalConfig& config) {
  return planned_launch(config).thread_blocks();
}
std::uint64_t thread_blocks_of(const SolidConfig& config) {
  return solid_launch(config.method, bench::tiled(config)).blocks;
}

std::string tile_text(const TiledFractal& tiled) {
  return fmt::format("{} x {}", tiled.rho_x, tiled.rho_y);
}
std::string tile_text(const TiledSolid& tiled) {
  return fmt::format("{} x {} x {}", tiled.rho.x, tiled.rho.y, tiled.rho.z);
}

template <int kDimensions>
void print_json(const WorkloadRun& run, const FractalConfigOf<kDimensions>& config,
                const WorkOf<kDimensions>& work) {
  auto json = nlohmann::ordered_json::object();
  bench::add_config(json, config);
  json["counting"] = nullptr;
  if constexpr (kDimensions == 2) {
    if (work.workload == Workload::kLife && work.rule.is_larger())
      json["counting"] = name_of(
          counting_of(config.method, make_tiled_fractal(config.fractal, config.level, config.tile_size),
                      work.rule.larger, !run.backend.device.on_host));
  }
  const bool reduces = work.workload == Workload::kReduction;
  json["workload"] = name_of(work.workload);
  json["reduction"] = json_if(reduces, name_of(work.reduction));
  json["sum"] = json_if(reduces && run.last_step, run.last_step.value_or(StepReport{}).sum);
  json["emulated"] = run.emulated;
  json["rule"] = to_string(work.rule);
  const RandomStart start = run.start.value_or(RandomStart{});
  json["seed"] = json_if(run.start.has_value(), start.seed);
  json["density"] = json_if(run.start.has_value(), start.density);
  add_run(json, run, thread_blocks_of(config));
  if (const auto& pattern = run.pattern)
    json["pattern"] = {
        {"placed", pattern->counts.cells}, {"lost", pattern->lost()}, {"at", {pattern->at.x, pattern->at.y}}};
  json["notes"] = run.notes;
  fmt::print("{}\n", json_text(json));
}

template <int kDimensions>
void print_text(const WorkloadRun& run, const FractalConfigOf<kDimensions>& config,
                const WorkOf<kDimensions>& work) {
  TextTable table({"", ""});
  const auto sides = bench::size_of(config);
  table.add({"fractal", fmt::format("{}, level {}: {} cells in {}", config.fractal.name(), config.level,
                                    run.cells, fmt::join(std::span(sides).first(kDimensions), " x "))});
  table.add({"map", fmt::format("{}, tile {}{}", name_of(config.method.map), tile_text(bench::tiled(config)),
                                method_text(config.method))});
  const bool reduces = work.workload == Workload::kReduction;
  std::string work_text(name_of(work.workload));
  if (kDimensions == 2 && reduces) work_text += fmt::format(" by {}", name_of(work.reduction));
  table.add({"work", work_text});
  const std::string start = !run.start ? "cells from the file"
                            : run.start->density == 0
                                ? "all cells dead"
                                : fmt::format("seed {}, density {}", run.start->seed, run.start->density);
  table.add({"rule", fmt::format("{}, {}", to_string(work.rule), start)});
  if (run.pattern) {
    table.add({"pattern", fmt::format("{} cells placed at {},{}, {} lost", run.pattern->counts.cells,
                                      run.pattern->at.x, run.pattern->at.y, run.pattern->lost())});
  }
  table.add({"backend", fmt::format("{}: {} ({}){}", name_of(run.backend.device.kind), run.device,
                                    run.backend.reason, run.emulated ? ", emulated" : "")});
  add_run(table, run, reduces);
  fmt::print("{}", table.text());
}

struct LifeOptions {
  SceneOptions scene;
  std::string steps = "100";
  std::optional<std::string> save;
  std::string at_once = "1";
  std::optional<std::string> pattern;
  std::optional<std::string> at;
  std::optional<std::string> devices;
  std::vector<std::string> shares;
  bool energy = false;
};

/// Runs a workload on a three-dimensional fractal and prints the result, in the form of the subcommand life.
/// Returns the exit status.
int run_solid_life(const LifeOptions& options, const SolidFile& solid) {
  const SceneOptions& scene = options.scene;
  const SolidSettings settings = solid_settings(scene, solid);
  WorkloadRun run{.backend = solid_backend(scene), .start = settings.start};
  run.read_steps(options.steps, options.at_once);
  const auto engine = make_fractal_engine(settings.config, run.backend);
  engine->reset(settings.start);
  run.run(*engine, settings.work, options.energy);
  scene.json ? print_json(run, settings.config, settings.work)
             : print_text(run, settings.config, settings.work);
  return 0;
}

struct LifeResult : WorkloadRun {
  Settings settings;
};

Coord<std::int64_t> read_place(const std::string& text) {
  std::string_view rest = text;
  const auto place = patterns::take_place(rest);
  if (!place || !rest.empty()) throw bad_value("--at", text, "X,Y with two whole numbers");
  return *place;
}

/// The pattern's fractal, level and rule apply unless an option overrides them.
SceneOptions with_target_field(SceneOptions options, const patterns::Pattern& pattern) {
  if (options.open) throw InputError("--pattern and --open exclude each other; allowed: one of them");
  if (typed_value(options.life, "seed") && !typed_value(options.life, "density"))
    throw InputError(
        "--seed requires --density with --pattern, which starts on dead cells; allowed: both, or neither");
  const bool has_rule = typed_value(options.life, "workload").value_or("life") == "life";
  if (pattern.rule && has_rule && !typed_value(options.life, "rule"))
    options.life["rule"] = to_string(*pattern.rule);
  const auto target = patterns::target_field_of(pattern);
  if (target && !options.fractal && !options.fractal_file && !options.level) {
    options.fractal = target->fractal;
    options.level = std::to_string(target->level);
  }
  return options;
}

/// A pattern whose own position is outside the field is placed in its middle; `notes` says so, and what is
/// lost.
PlacedPattern placed(const patterns::Pattern& pattern, const FractalConfig& config,
                     const std::optional<std::string>& typed_at, std::vector<std::string>& notes) {
  const patterns::FractalField field(config.fractal, config.level);
  PlacedPattern result{.at = typed_at ? read_place(*typed_at) : pattern.at.value_or(Coord<std::int64_t>{})};
  const auto count = [&] {
    result.counts = {};
    field.count(pattern, result.at, 0, pattern.cells.size(), result.counts);
  };
  count();
  if (!typed_at && result.counts.outside > 0 && pattern.width <= field.width() &&
      pattern.height <= field.height()) {
    result.at = {static_cast<std::int64_t>((field.width() - pattern.width) / 2),
                 static_cast<std::int64_t>((field.height() - pattern.height) / 2)};
    notes.push_back(
        fmt::format("The position {},{} of the pattern is outside: it is placed in the middle, at {},{}.",
                    pattern.at->x, pattern.at->y, result.at.x, result.at.y));
    count();
  }
  if (result.lost() > 0)
    notes.push_back(fmt::format("{} of {} cells of the pattern are lost: {} on holes, {} outside.",
                                result.lost(), pattern.cells.size(), result.counts.holes,
                                result.counts.outside));
  if (!pattern.note.empty()) notes.push_back(pattern.note);
  return result;
}

/// Saves the engine's cells together with the rest of `scene`.
void save(const std::string& file, scene::Scene scene, const Settings& settings, const FractalEngine& engine,
          const CellSource& cells) {
  LifeState& state = edit_state<LifeState>(scene);
  state.cells = saved_cells(engine, cells);
  state.settings = settings;
  state.settings.playing = false;  // scenes open paused
  scene::save_file(file, scene);
}

/// The input of a run, before any memory is allocated for it.
struct LifeProblem {
  LifeResult result;
  std::optional<scene::Scene> opened = {};
  std::optional<patterns::Pattern> pattern = {};
  std::vector<Device> devices = {};        ///< several or named devices; empty: only result.backend
  std::vector<std::uint32_t> shares = {};  ///< weight of each device; empty: equal partitions
};

std::vector<std::uint32_t> read_shares(const std::vector<std::string>& words, std::size_t devices) {
  constexpr std::uint64_t kMaxWeight = 1000;
  std::vector<std::uint32_t> shares;
  for (const std::string& word : words)
    shares.push_back(read_whole_number<std::uint32_t>("--shares", word, 1, kMaxWeight));
  if (!shares.empty() && shares.size() != devices) {
    throw InputError(fmt::format("--shares has {} number{} for {} devices; allowed: one number per device",
                                 shares.size(), shares.size() == 1 ? "" : "s", devices));
  }
  return shares;
}

/// `ranks`: the processes that run together; null: only this one.
LifeProblem prepare(const LifeOptions& options, const ProcessGroup* ranks) {
  if (options.save && ranks != nullptr)
    throw InputError("--save runs in one process; allowed: without mpirun");
  if (options.save) check_can_be_written("--save", *options.save);
  std::optional<scene::Scene> opened = open_scene(options.scene);
  std::optional<patterns::Pattern> pattern;
  if (options.pattern) pattern = patterns::find_pattern(*options.pattern);
  LifeProblem problem{.result = {{},
                                 pattern  ? with_target_field(options.scene, *pattern).settings()
                                 : opened ? options.scene.settings_over(state_of<LifeState>(*opened).settings)
                                          : options.scene.settings()}};
  LifeResult& result = problem.result;
  result.read_steps(options.steps, options.at_once);
  const Settings& settings = result.settings;
  if (ranks != nullptr) result.ranks = ranks->count();
  const DeviceSelection chosen = select_devices(settings.backend, settings.device,
                                                options.scene.device.has_value(), options.devices, ranks);
  result.backend = chosen.backend;
  result.devices = chosen.numbers();
  problem.devices = chosen.several;
  problem.shares = read_shares(options.shares, problem.devices.size());
  problem.opened = std::move(opened);
  if (pattern) result.pattern = placed(*pattern, settings.config, options.at, result.notes);
  if (names_bounds(typed_value(options.scene.life, "rule").value_or("")))
    result.notes.emplace_back(kBoundsNote);
  problem.pattern = std::move(pattern);
  return problem;
}

std::unique_ptr<FractalEngine> make_engine(const LifeProblem& problem, const ProcessGroup* ranks) {
  const FractalConfig& config = problem.result.settings.config;
  if (ranks != nullptr) return make_distributed_engine(config, problem.result.backend.device, *ranks);
  if (!problem.devices.empty()) return make_distributed_engine(config, problem.devices, problem.shares);
  return make_fractal_engine(config, problem.result.backend);
}

LifeResult play(LifeProblem problem, std::unique_ptr<FractalEngine> engine, const LifeOptions& options,
                const ProcessGroup* ranks) {
  LifeResult& result = problem.result;
  const Settings& settings = result.settings;
  scene::Scene scene = problem.opened.value_or(scene::Scene{});
  LifeState& state = edit_state<LifeState>(scene);
  if (!problem.opened) {
    state = LifeState(settings, CellSource(settings.start, settings.work()));
    edit_state<MandelbrotState>(scene);
  }
  // A pattern is placed on dead cells, or on a random start if one is requested.
  if (problem.pattern && !state.cells.bits() && !typed_value(options.scene.life, "density")) {
    state.cells =
        CellSource(RandomStart{state.cells.start().seed, 0}, state.cells.work(), state.cells.generation());
  }
  engine->wait_for_compilation();
  CellSource cells;
  make_cells(*engine, cells, state.cells);
  if (!cells.bits()) result.start = cells.start();
  if (result.pattern) {
    const patterns::FractalField field(settings.config.fractal, settings.config.level);
    cells.edit(field.placed_cells(*problem.pattern, result.pattern->at));
    engine->edit(cells.edits());
  }
  result.run(*engine, settings.work(), options.energy);
  cells.run(result.steps, settings.work());
  result.emulated = is_emulated(result.backend.device, settings.config, settings.work());
  if (ranks != nullptr) ranks->sum({&result.bytes, 1});
  if (options.save) save(*options.save, std::move(scene), settings, *engine, cells);
  return std::move(result);
}

/// Runs as one of several processes; empty in all but the first. An error before the run ends all processes
/// and is reported once; a later error of one process aborts all.
std::optional<LifeResult> run_on_all_ranks(const LifeOptions& options, const ProcessGroup& ranks) {
  LifeProblem problem = make_on_all_ranks(ranks, [&] { return prepare(options, &ranks); });
  auto engine = make_engine(problem, &ranks);
  try {
    LifeResult result = play(std::move(problem), std::move(engine), options, &ranks);
    return ranks.rank() == 0 ? std::optional(std::move(result)) : std::nullopt;
  } catch (const std::exception& error) {
    abort_all_ranks(ranks, error.what());
  }
}

int play_and_report(const LifeOptions& options) {
  const std::optional<SolidFile> solid = selected_solid(options.scene);
  require_effect(*options.scene.command, {{"--pattern --at --open --save --devices --shares", !solid,
                                           "with a two-dimensional fractal"},
                                          {"--at", options.pattern.has_value(), "with --pattern"},
                                          {"--shares", options.devices.has_value(), "with --devices"}});
  if (solid) {
    if (ProcessGroup::join() != nullptr)
      throw InputError("three-dimensional fractals run in one process; allowed: without mpirun");
    return run_solid_life(options, *solid);
  }
  std::optional<LifeResult> result;
  if (const ProcessGroup* const ranks = ProcessGroup::join()) {
    if (options.energy)
      throw InputError("--energy measures the devices of one process; allowed: without mpirun");
    result = run_on_all_ranks(options, *ranks);
  } else {
    LifeProblem problem = prepare(options, nullptr);
    auto engine = make_engine(problem, nullptr);
    result = play(std::move(problem), std::move(engine), options, nullptr);
  }
  if (!result) return 0;
  const FractalConfig& config = result->settings.config;
  const Work work = result->settings.work();
  options.scene.json ? print_json(*result, config, work) : print_text(*result, config, work);
  flush_standard_output();
  for (const std::string& note : result->notes) print_note(note);
  return 0;
}

}  // namespace

Action add_life(CLI::App& command) {
  auto options = std::make_shared<LifeOptions>();
  command.description("Run a workload (the game of life by default) without a window and print the result");
  add_scene_options(command, options->scene, kHeadlessOptions | SceneOptionGroup::kOpen);
  add_text(command, "--steps", options->steps, "N", "Generations, writes or sums to run");
  add_output_file(command, "--save", options->save, "Save the scene to this file (.loom) at the end");
  add_text(command, "--pattern", options->pattern, "FILE|NAME",
           "Start with this pattern on dead cells: a file (.rle, .cells, .lif) or a bundled pattern, "
           "with the fractal, level and rule that it names, else B3/S23; an unknown name prints the list");
  add_text(command, "--at", options->at, "X,Y",
           "Position of the upper left corner of the pattern (by default from its file, or the middle if "
           "that is outside; else 0,0)");
  add_text(command, "--at-once", options->at_once, "N",
           "Generations per call of the engine; times are per generation");
  command.add_flag(
      "--energy", options->energy,
      "Measure joules per generation, on a GPU by NVML's energy counter, on the CPU by RAPL, after "
      "4 s of idle power. The steps must take 2 s. Sensors see the whole device, in steps of up "
      "to 100 ms");
  add_text(command, "--devices", options->devices, "N,N,...",
           "Distribute the cells over these CUDA devices (requires --map compact): a comma list of "
           "numbers, or all; with --backend cpu, over that number of CPU partitions");
  add_text(command, "--shares", options->shares, "N,N,...",
           "Relative sizes of the partitions of --devices, as a comma list: 5,4 puts five ninths on "
           "the first (equal by default)")
      .delimiter(',');
  return [options] { return play_and_report(*options); };
}

}  // namespace loom::app
