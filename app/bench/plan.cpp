#include "app/bench/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>
#include <variant>

#include "app/bench/cell_config.h"
#include "app/files/fractal_file.h"
#include "app/files/json_reader.h"
#include "app/files/output_file.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app::bench {
namespace {

constexpr std::uint64_t kMaxOrdinal = 1 << 20;

std::string key_of(std::string_view name) {
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

void add_limits(nlohmann::ordered_json& json, const Sampling& sampling) {
  if (sampling.rounds_per_call > 0) json["at_once"] = sampling.rounds_per_call;
  json["max_samples"] = sampling.max_samples;
  json["max_seconds"] = sampling.max_seconds;
  json["target_noise"] = sampling.target_noise;
  if (sampling.idle_watts) json["energy"] = true;
  const auto variable = [](const char* name) {
    const char* const text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  json["omp_wait_policy"] = variable("OMP_WAIT_POLICY");
  json["omp_num_threads"] = variable("OMP_NUM_THREADS");
}

/// Adds the number of processes, or the devices if there are several.
void add_sharing(nlohmann::ordered_json& json, const MapAxes& meant) {
  if (meant.processes) json["ranks"] = meant.devices.front();
  if (!meant.processes && *std::max_element(meant.devices.begin(), meant.devices.end()) > 1)
    json["device_list"] = meant.device_list;
}

/// Adds the definitions of custom fractals, because their names do not identify them.
void add_custom_fractals(nlohmann::ordered_json&, const MandelbrotAxes&) {}
void add_custom_fractals(nlohmann::ordered_json& json, const MapAxes& meant) {
  auto own = nlohmann::ordered_json::array();
  for (const NbbFractal& fractal : meant.fractals) {
    if (std::find(built_in_fractals().begin(), built_in_fractals().end(), fractal) ==
        built_in_fractals().end())
      own.push_back(fractal_text({fractal}));
  }
  if (!own.empty()) json["own_fractals"] = std::move(own);
}

/// Replaces texts of axes by the values in use: options may have narrowed them, and a file may contain a
/// fractal.
void add_narrowed(nlohmann::ordered_json& axes, const MapAxes& meant) {
  axes["fractal"] = nlohmann::ordered_json::array();
  for (const NbbFractal& fractal : meant.fractals) axes["fractal"].push_back(fractal.name());
  axes["level"] = fmt::format("{}", fmt::join(meant.levels, ","));
}

void add_narrowed(nlohmann::ordered_json& axes, const MandelbrotAxes& meant) {
  axes["size"] = fmt::format("{}", fmt::join(meant.sizes, ","));
}

nlohmann::ordered_json settings_json(const Plan& plan) {
  auto json = nlohmann::ordered_json::object();
  json["preset"] = plan.preset;
  auto& axes = json["axes"] = nlohmann::ordered_json::object();
  for (const AxisField& field : axis_fields(plan.axes.kind())) {
    const auto text = plan.texts.find(field.name);
    axes[key_of(field.name)] = text == plan.texts.end() ? "" : text->second;
  }
  std::visit([&](const auto& meant) { add_narrowed(axes, meant); }, plan.axes.of);
  std::visit([&](const auto& meant) { add_custom_fractals(json, meant); }, plan.axes.of);
  json["repeats"] = plan.axes.repeats;
  if (plan.axes.kind() == SweepKind::kMaps) {
    json["rule"] = to_string(plan.sampling.rule);
    json["seed"] = plan.sampling.start.seed;
    json["density"] = plan.sampling.start.density;
    json["clock"] = plan.sampling.wall_clock ? kWallClock : kEngineClock;
    add_sharing(json, std::get<MapAxes>(plan.axes.of));
  }
  add_limits(json, plan.sampling);
  return json;
}

/// The context with the device list of the settings, if they have one.
AxisContext with_list(AxisContext context, const JsonReader& json) {
  if (!json.has("device_list")) return context;
  context.device_list.clear();
  for (const auto& one : json.array("device_list")) {
    if (!one.is_number_integer() || one.get<std::uint64_t>() > kMaxOrdinal)
      throw InputError("settings.device_list is not a list of devices");
    context.device_list.push_back(one.get<int>());
  }
  return context;
}

}  // namespace

Results new_results(const Plan& plan, Machine machine, std::uint64_t configurations) {
  Results results(plan.axes.kind());
  results.program = program_version();
  results.commit = source_commit();
  results.date = utc_now();
  results.machine = std::move(machine);
  results.settings = settings_json(plan);
  results.planned = configurations;
  if (plan.shard) {
    results.shards = one_shard(*plan.shard, configurations);
    results.planned = total_shard_size(*results.shards);
  }
  return results;
}

Plan plan_of(const Results& results, const AxisContext& context) {
  const JsonReader json(results.settings, "settings");
  if (json.has("ranks")) throw InputError("it was measured by processes of mpirun");
  const JsonReader axes = json.object("axes");
  Plan plan{.preset = json.text("preset")};
  for (const AxisField& field : axis_fields(results.kind)) {
    const std::string key = key_of(field.name);
    // Older files lack the axes of sets in space.
    const bool is_later = field.name == "space" || field.name == "order";
    if (is_later && !axes.has(key.c_str())) {
      plan.texts[field.name] = field.default_text;
      continue;
    }
    const auto& value = axes.any(key.c_str());
    if (!value.is_array()) {
      plan.texts[field.name] = axes.text(key.c_str());
      continue;
    }
    std::vector<std::string> names;
    for (const auto& one : value) {
      if (!one.is_string()) throw InputError("settings.axes." + key + " is not a list of texts");
      names.push_back(one.get<std::string>());
    }
    plan.texts[field.name] = fmt::format("{}", fmt::join(names, ","));
  }
  plan.axes = parse_axes(results.kind, plan.texts, with_list(context, json));
  nlohmann::ordered_json own = nlohmann::ordered_json::object();
  std::visit([&](const auto& meant) { add_custom_fractals(own, meant); }, plan.axes.of);
  if (json.has("own_fractals") && own != nlohmann::ordered_json{{"own_fractals", json.any("own_fractals")}})
    throw InputError("its custom fractal differs from the current one");
  plan.axes.repeats = json.whole<int>("repeats");
  if (results.kind == SweepKind::kMaps) {
    plan.sampling.rule = parse_rule(json.text("rule"));
    plan.sampling.start = {json.whole<std::uint64_t>("seed"), json.number("density")};
    plan.sampling.wall_clock = json.has("clock") && json.text("clock") == kWallClock;
  }
  if (json.has("at_once"))
    plan.sampling.rounds_per_call = json.whole<decltype(plan.sampling.rounds_per_call)>("at_once");
  plan.sampling.max_samples = json.whole<decltype(plan.sampling.max_samples)>("max_samples");
  plan.sampling.max_seconds = json.number("max_seconds");
  plan.sampling.target_noise = json.number("target_noise");
  if (json.has("energy") && json.yes_no("energy")) plan.sampling.measure_energy();
  return plan;
}

bool begins_with(const Results& results, const std::vector<Case>& cases) {
  return std::ranges::equal(
      results.rows, std::span(cases).first(std::min(results.rows.size(), cases.size())),
      [](const Row& row, const Case& one) { return same_configuration(row, describe(one)); });
}

std::string results_name(const Results& results) {
  std::string time = results.date;
  std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
  const auto named = results.settings.find("preset");
  const bool has_name = named != results.settings.end() && named->is_string();
  const auto preset = has_name ? named->get<std::string>() : std::string();
  std::string part;
  if (const auto& shards = results.shards; shards && !shards->whole()) {
    part = shards->have.size() == 1 ? fmt::format("-shard-{}-of-{}", shards->have.front(), shards->of)
                                    : fmt::format("-{}-of-{}-shards", shards->have.size(), shards->of);
  }
  return plain_file_name(fmt::format("bench-{}-{}{}", preset.empty() ? "sweep" : preset, time, part)) +
         ".json";
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"paper-lambda",
       "Bounding box and lambda in its fastest form: gasket, levels 0 to 16, tile sizes 1 to 32; single "
       "write, reduction and life",
       SweepKind::kMaps,
       {{"level", "0..16"}, {"map", "bounding-box,lambda"}, {"workload", "all"}}},
      {"paper-tensor",
       "Arithmetic of lambda: gasket, levels 0 to 16, tile sizes 1 to 32; loop, shuffle, table and the three "
       "tensor-core variants; single write, reduction by warps and by tensor cores, and life",
       SweepKind::kMaps,
       {{"level", "0..16"},
        {"map", "lambda"},
        {"arithmetic", "loop,shuffle,table,tensor-1,tensor-2,tensor-3"},
        {"workload", "all"},
        {"reduction", "all"}}},
      {"paper-compact",
       "Bounding box, lambda and compact, with and without tensor cores: gasket, levels 0 to 20, tile sizes "
       "1 to 32, life; loop, table and tensor (lambda: tensor-1)",
       SweepKind::kMaps,
       {{"level", "0..20"}, {"map", "all"}, {"arithmetic", "loop,table,tensor,tensor-1"}}},
      {"scaling",
       "Bit planes on one CUDA device up to all: gasket, levels 16 to 25, life, wall-clock time",
       SweepKind::kMaps,
       {{"level", "16..25"}, {"map", "compact"}, {"storage", "bits"}, {"block", "16"}, {"devices", "all"}}},
      {"paper-mandelbrot",
       "Exhaustive, DP and ASK with SBR and MBR, published form and all optimizations: n 1024 to 65536, "
       "window [-1.5, 0.5] x [-1, 1], dwell limit 512, g 32, r 2, B 32",
       SweepKind::kMandelbrot,
       {{"size", "1024..65536"}, {"scheme", "all"}, {"ideas", "none,all"}}},
      {"paper-landscape",
       "ASK-SBR in the published form over g, r and B (powers of two from 2 to 1024 with g r B up to n), and "
       "exhaustive: n 4096",
       SweepKind::kMandelbrot,
       {{"size", "4096"},
        {"method", "exhaustive,ask"},
        {"ideas", "none"},
        {"g", "2..1024"},
        {"r", "2..1024"},
        {"b", "2..1024"}}},
      {"deep-zoom",
       "Evaluators of the dwell against the depth: exhaustive, n 1024, dwell limit 4096, around the point i, "
       "whose surroundings look alike at every depth; widths 1e-2 to 1e-1000",
       SweepKind::kMandelbrot,
       {{"method", "exhaustive"},
        {"center", "0,1"},
        {"width", "1e-2,1e-4,1e-7,1e-10,1e-20,1e-30,1e-100,1e-280,1e-600,1e-1000"},
        {"dwell", "4096"},
        {"precision", "float,double,perturbed-float,perturbed-double,perturbed-wide-float,perturbed-wide"}}},
  };
  return all;
}

const Preset& find_preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw InputError(fmt::format("unknown preset '{}'; allowed: {}", name, fmt::join(names, ", ")));
}

void SweepForm::load(const Preset& chosen) {
  load(chosen.kind, chosen.axes);
  preset = chosen.name;
}

void SweepForm::load(SweepKind chosen_kind, const AxisTexts& chosen) {
  preset.clear();
  kind = chosen_kind;
  texts = default_axes(kind);
  override_texts(texts, chosen);
  confirmed = false;
}

void SweepForm::check(const AxisContext& context, std::uint64_t limit) {
  problems.clear();
  problem.clear();
  cases = 0;
  too_many = false;
  axes = empty_axes(kind);
  for (const AxisField& field : axis_fields(kind)) {
    std::string& wrong = problems.emplace_back();
    try {
      field.read(texts[field.name], context, axes);
    } catch (const InputError& error) {
      wrong = error.what();
    } catch (const MachineError& error) {
      wrong = error.what();
    }
  }
  const auto is_wrong = [](const std::string& text) { return !text.empty(); };
  if (std::any_of(problems.begin(), problems.end(), is_wrong)) return;
  try {
    cases = count_cases(axes);
    if (cases == 0)
      problem = "no level of this sweep has such a tile size; allowed: tile size 1 at any level";
    check_sweep_size(cases, true);
  } catch (const InputError& error) {
    problem = error.what();
    cases = 0;
  }
  too_many = cases > limit;
}

std::string SweepForm::first_problem() const {
  for (const std::string& wrong : problems) {
    if (!wrong.empty()) return wrong;
  }
  if (!problem.empty()) return problem;
  if (too_many && !confirmed)
    return fmt::format("the sweep has {} configurations and is not confirmed", cases);
  return "";
}

Plan SweepForm::plan(Sampling sampling) const {
  sampling.max_seconds = static_cast<double>(max_seconds);
  if (energy) sampling.measure_energy();
  if (is_distributed(axes)) sampling.use_distributed_timing();
  return {preset, texts, axes, sampling};
}

namespace {

/// The levels of a sweep around a level. From a side of about 200 points on, at which a map's work outweighs
/// the cost of its launch: those from there to squares of 2^26 points, and to the level itself. A fractal
/// that is never so wide: all up to the level.
std::pair<int, int> levels_around(const NbbFractal& fractal, int level) {
  constexpr std::uint64_t kSide = 200;
  constexpr std::uint64_t kPoints = 1u << 26;
  const auto points = [&](int of) { return fractal.width(of) * fractal.height(of); };
  int first = 0;
  while (first < fractal.max_level() && fractal.width(first) < kSide) ++first;
  if (fractal.width(first) < kSide) return {0, level};
  int last = first;
  while (last < fractal.max_level() && points(last + 1) <= kPoints) ++last;
  return {first, std::max(last, level)};
}

}  // namespace

AxisTexts axes_around(const FractalConfig& config, std::string_view backend) {
  AxisTexts texts;
  texts["fractal"] = config.fractal.name();
  const auto [first, last] = levels_around(config.fractal, config.level);
  texts["level"] = first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
  texts["map"] = "all";
  // Fields are read as those of a compact map, because a map that lacks a field has no text for it. Numbers
  // of tiles are left out: one that is valid for a map may be invalid for another.
  // A map that lacks a value gets its own one beside it: tensor of the compact map for tensor-1 of lambda.
  const TiledFractal tiled_fractal = tiled(config);
  for (const MethodField& field : method_fields()) {
    if (field.form == FieldForm::kWhole || field.option == "map") continue;
    std::vector<std::string> values;
    for (const MapKind map : {MapKind::kCompact, MapKind::kLambda}) {
      MapMethod method = config.method;
      method.map = map;
      method = nearest_valid(method, tiled_fractal);
      const auto text = field.text(method);
      if (text && std::ranges::find(values, *text) == values.end()) values.push_back(*text);
    }
    if (!values.empty()) texts[std::string(field.option)] = fmt::format("{}", fmt::join(values, ","));
  }
  texts["backend"] = backend;
  return texts;
}

}  // namespace loom::app::bench
