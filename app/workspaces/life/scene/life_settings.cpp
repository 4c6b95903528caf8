#include "app/workspaces/life/scene/life_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "app/exercises/exercise.h"
#include "app/explain/memory.h"
#include "app/settings/field_json.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/input_text.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/tensor_arithmetic.h"
#include "compute/solid/solid_config.h"
#include "compute/workload/larger_life.h"
#include "compute/workload/rule_text.h"

namespace loom::app {

LifeSettings default_life_settings() {
  return {.config = {.fractal = find_fractal("sierpinski-gasket"),
                     .level = 9,
                     .tile_size = 16,
                     .method = fastest_method(MapKind::kLambda)}};
}

std::string_view changed_setting(const LifeSettings& before, const LifeSettings& after) {
  const auto names = changed_undo_names(life_fields(), before, after);
  if (names.empty()) return {};
  // A new fractal or level also changes tile size and method.
  const bool is_first = names.front() == "fractal" || names.front() == "level";
  return names.size() == 1 || is_first ? names.front() : "several settings";
}

const char* name_of(PaneContent shows) {
  return value_for<PaneContent::kMapMetrics>(
      {"cells", "threads", "memory", "steps", "unfold", "timeline", "lens", "race", "metrics"}, shows);
}

namespace {

using LifeRow = FieldOf<LifeSettings>;

constexpr int kHighestLevel = 63;  // k is at least 2, and k^r must fit in 64 bits

constexpr Field<LifeSettings> fractal_field() {
  Field<LifeSettings> field = LifeRow::other<kMember<&LifeSettings::config, &FractalConfig::fractal>>(
      {.label = "fractal", .undo = "fractal", .in_lesson = true});
  field.copy = [](const LifeSettings& from, LifeSettings& to) {
    to.config.fractal = from.config.fractal;
    to.from_file = from.from_file;
  };
  return field;
}

constexpr Field<LifeSettings> panes_field() {
  Field<LifeSettings> field =
      LifeRow::other<&LifeSettings::secondary_panes>({.label = "panes", .undo = "panes", .in_lesson = true});
  field.copy = [](const LifeSettings& from, LifeSettings& to) {
    to.secondary_panes = from.secondary_panes;
    to.compared = from.compared;
  };
  return field;
}

constexpr Field<LifeSettings> devices_field() {
  Field<LifeSettings> field =
      LifeRow::other<&LifeSettings::devices>({.label = "devices", .undo = "devices", .in_lesson = true});
  // A new method may not allow several devices, which then change with it.
  field.equal = [](const LifeSettings& a, const LifeSettings& b) {
    return a.devices == b.devices || a.config.method != b.config.method;
  };
  return field;
}

constexpr FieldInfo kWorkloadInfo{.key = "workload",
                                  .option = "workload",
                                  .label = "workload",
                                  .purpose = "What every thread does with its cell",
                                  .undo = "workload",
                                  .in_lesson = true};
constexpr FieldInfo kReductionInfo{.key = "reduction",
                                   .option = "reduction",
                                   .label = "reduction",
                                   .purpose = "How a reduction sums",
                                   .undo = "workload"};
constexpr FieldInfo kRuleInfo{
    .key = "rule",
    .option = "rule",
    .label = "rule",
    .purpose =
        "Rule of life: B3/S23, b3s23, 23/3 or a name such as Conway; with the "
        "number of states as B2/S345/C4; Larger than Life as R5,C0,M1,S34..58,B34..45,NM",
    .undo = "rule",
    .in_lesson = true};
constexpr FieldInfo kSeedInfo{.key = "seed",
                              .option = "seed",
                              .label = "seed",
                              .purpose = "Seed of the random start",
                              .undo = "random start",
                              .highest = std::numeric_limits<std::uint64_t>::max()};
constexpr FieldInfo kDensityInfo{.key = "density",
                                 .option = "density",
                                 .label = "density",
                                 .purpose = "Fraction of cells alive at the start",
                                 .undo = "random start",
                                 .highest = 1};

constexpr Field<LifeSettings> reduction_field() {
  Field<LifeSettings> field = LifeRow::choice<&LifeSettings::reduction, kReductionMethods>(kReductionInfo);
  field.applies = [](const LifeSettings& settings) { return settings.workload == Workload::kReduction; };
  field.applies_with = "--workload reduction";
  return field;
}

constexpr auto kLifeRule = static_cast<std::string (*)(LifeRule)>(to_string);

constexpr Field<LifeSettings> rule_field() {
  Field<LifeSettings> field = LifeRow::text<&LifeSettings::rule, parse_rule, kLifeRule>(kRuleInfo);
  field.applies = [](const LifeSettings& settings) { return settings.workload == Workload::kLife; };
  field.applies_with = "--workload life";
  return field;
}

constexpr std::array kLifeFields = {
    fractal_field(),
    LifeRow::whole<kMember<&LifeSettings::config, &FractalConfig::level>>({.key = "level",
                                                                           .option = "level",
                                                                           .label = "level",
                                                                           .undo = "level",
                                                                           .in_lesson = true,
                                                                           .highest = kHighestLevel}),
    LifeRow::whole<kMember<&LifeSettings::config, &FractalConfig::tile_size>>({.key = "block",
                                                                               .option = "block",
                                                                               .label = "tile size",
                                                                               .undo = "tile size",
                                                                               .in_lesson = true,
                                                                               .lowest = 1,
                                                                               .highest = 1024}),
    LifeRow::other<kMember<&LifeSettings::config, &FractalConfig::method>>({.undo = "thread map"}),
    devices_field(),
    panes_field(),
    LifeRow::choice<&LifeSettings::workload, kWorkloads>(kWorkloadInfo),
    reduction_field(),
    rule_field(),
    LifeRow::whole<kMember<&LifeSettings::start, &RandomStart::seed>>(kSeedInfo),
    LifeRow::real<kMember<&LifeSettings::start, &RandomStart::density>>(kDensityInfo),
    LifeRow::whole<&LifeSettings::generations_per_frame>(
        {.key = "generations_per_frame", .undo = "speed", .lowest = 1, .highest = kMaxGenerationsPerFrame}),
    LifeRow::whole<&LifeSettings::ms_per_generation>(
        {.key = "ms_per_generation", .undo = "speed", .highest = kMaxMsPerGeneration}),
    LifeRow::on_off<&LifeSettings::playing>({.key = "playing"}),
    LifeRow::on_off<&LifeSettings::cell_grid>({.key = "cell_grid", .undo = "grids"}),
    LifeRow::on_off<&LifeSettings::tile_grid>({.key = "block_grid", .undo = "grids"}),
    LifeRow::on_off<&LifeSettings::square_points>({.key = "square_points", .undo = "square points"}),
    LifeRow::on_off<&LifeSettings::show_ages>({.key = "show_ages", .undo = "ages and trails"}),
    LifeRow::other<&LifeSettings::show_code>({.undo = "custom map"}),
    LifeRow::on_off<&LifeSettings::edit_cells>({.key = "edit_cells"}),
    LifeRow::whole<&LifeSettings::brush_state>(
        {.key = "brush_state", .undo = "brush", .lowest = 1, .highest = LifeRule::kMaxStates - 1}),
    LifeRow::on_off<&LifeSettings::show_thread>({.key = "show_thread", .undo = "thread panel"}),
    LifeRow::whole<&LifeSettings::neighbour>({.key = "neighbour", .undo = "thread panel", .highest = 7}),
    LifeRow::choice<kMember<&LifeSettings::colouring, &explain::Colouring::by>, explain::kColourings>(
        {.key = "colour_by", .label = "colouring", .undo = "colours"}),
    LifeRow::whole<kMember<&LifeSettings::colouring, &explain::Colouring::level>>(
        {.key = "colour_level", .undo = "colours", .lowest = 1, .highest = kHighestLevel}),
};

constexpr std::array kWorkFields = {
    FieldOf<Work>::choice<&Work::workload, kWorkloads>(kWorkloadInfo),
    FieldOf<Work>::choice<&Work::reduction, kReductionMethods>(kReductionInfo),
    FieldOf<Work>::text<&Work::rule, parse_rule, kLifeRule>(kRuleInfo),
};

constexpr std::array kStartFields = {
    FieldOf<RandomStart>::whole<&RandomStart::seed>(kSeedInfo),
    FieldOf<RandomStart>::real<&RandomStart::density>(kDensityInfo),
};

}  // namespace

std::span<const Field<LifeSettings>> life_fields() {
  return kLifeFields;
}

std::span<const Field<Work>> work_fields() {
  return kWorkFields;
}

std::span<const Field<RandomStart>> start_fields() {
  return kStartFields;
}

void set_level(FractalConfig& config, int level) {
  // Not limited by free memory: that is checked when the engine is built.
  config.level = std::clamp(level, 0, highest_level(config.fractal));
  config.tile_size = nearest_tile_size(config.fractal, config.level, config.tile_size);
  keep_method_valid(config);
}

namespace {

double points_of(const NbbFractal& fractal, int level) {
  return static_cast<double>(fractal.width(level)) * static_cast<double>(fractal.height(level));
}
double points_of(const SolidFractal& fractal, int level) {
  return static_cast<double>(volume(fractal.size(level)));
}

}  // namespace

template <typename Fractal>
int start_level(const Fractal& fractal, int highest) {
  constexpr double kMaxPoints = 1 << 20;
  int level = std::min(highest, fractal.max_level());
  while (level > 0 && points_of(fractal, level) > kMaxPoints) --level;
  return level;
}
template int start_level(const NbbFractal&, int);
template int start_level(const SolidFractal&, int);

std::optional<int> set_fractal(FractalConfig& config, const NbbFractal& fractal) {
  const int before = config.level;
  config.fractal = fractal;
  set_level(config, start_level(fractal, before));
  return config.level < before ? std::optional(config.level) : std::nullopt;
}

void set_map(FractalConfig& config, MapKind map) {
  config.method.map = map;
  keep_method_valid(config);
}

template <typename Config>
void set_tile_size(Config& config, std::uint32_t block) {
  config.tile_size = block;
  keep_method_valid(config);
}
template void set_tile_size(FractalConfig&, std::uint32_t);
template void set_tile_size(SolidConfig&, std::uint32_t);

template <typename Config>
void step_tile_size(Config& config, int direction) {
  const auto blocks = allowed_tile_sizes(config.fractal, config.level);
  const auto there = std::ranges::find(blocks, config.tile_size) - blocks.begin() + direction;
  if (there >= 0 && there < std::ssize(blocks))
    set_tile_size(config, blocks[static_cast<std::size_t>(there)]);
}
template void step_tile_size(FractalConfig&, int);
template void step_tile_size(SolidConfig&, int);

template <typename Config>
void next_arithmetic(Config& config) {
  if (config.method.map == MapKind::kBoundingBox) return;
  const auto tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
  MapMethod next = config.method;
  next.tiles = 0;
  do {
    next.arithmetic = next_choice(kMapArithmetics, next.arithmetic);
  } while (!is_exact(next.arithmetic) || !method_problem(next, tiled).empty());
  config.method.arithmetic = next.arithmetic;
  keep_method_valid(config);
}
template void next_arithmetic(FractalConfig&);
template void next_arithmetic(SolidConfig&);

template <typename Config>
void next_intra_block(Config& config) {
  if (config.method.map == MapKind::kBoundingBox) return;
  config.method.intra_block = next_choice(kIntraBlocks, config.method.intra_block);
  keep_method_valid(config);
}
template void next_intra_block(FractalConfig&);
template void next_intra_block(SolidConfig&);

void next_slow_motion(LifeSettings& settings) {
  static constexpr std::array<std::uint32_t, 4> kSpeeds = {0, 250, 1000, kMaxMsPerGeneration};
  const auto slower =
      std::ranges::find_if(kSpeeds, [&](std::uint32_t ms) { return ms > settings.ms_per_generation; });
  settings.ms_per_generation = slower == kSpeeds.end() ? 0 : *slower;
}

void next_workload(LifeSettings& settings) {
  settings.workload = next_choice(kWorkloads, settings.workload);
}

void set_teaching_example(LifeSettings& settings) {
  constexpr std::uint64_t kWideEnough = 16;
  constexpr std::uint32_t kBlock = 4;
  FractalConfig& config = settings.config;
  int level = 0;
  while (level < config.fractal.max_level() && config.fractal.width(level) < kWideEnough) ++level;
  set_level(config, level);
  set_tile_size(config, nearest_tile_size(config.fractal, level, kBlock));
  settings.cell_grid = settings.tile_grid = true;
  settings.generations_per_frame = 1;
  settings.playing = false;
}

void begin_exercise(LifeSettings& settings, std::string_view name) {
  settings.show_code = true;
  if (settings.map_code != nullptr && settings.map_code->exercise == name) return;
  settings.map_code = std::make_shared<const MapCode>(MapCode{{}, std::string(name)});
  show_first_case(settings.config, find_exercise(std::string(name)));
}

void show_first_case(FractalConfig& config, const Exercise& exercise) {
  config.fractal = exercise.cases.front().fractal;
  set_level(config, exercise.cases.front().level);
}

bool is_in_exercise(const LifeSettings& settings) {
  return settings.show_code && settings.map_code != nullptr && !settings.map_code->exercise.empty();
}

void measure_maps(LifeEdit& edit) {
  edit.commands.measure_maps = true;
  open_metrics(edit.shell.settings);
}

bool uses_several_devices(const LifeSettings& settings) {
  return settings.devices > 1 || std::ranges::any_of(settings.secondary_panes, [](const PaneSpec& spec) {
           return spec.shows == PaneContent::kCells && spec.devices > 1;
         });
}

std::string_view no_colouring_reason(const LifeSettings& settings, explain::ColourBy by) {
  if (by == explain::ColourBy::kState) return {};
  if (by == explain::ColourBy::kDevice)
    return uses_several_devices(settings) ? std::string_view() : "All cells are on one device";
  if (!explain::has_tiles(settings.config)) return explain::kByteStorageOnly;
  if (by == explain::ColourBy::kOrientation && settings.config.fractal.kind() != LevelKind::kTurned)
    return "No replica of this fractal is turned";
  if (by == explain::ColourBy::kWorker && !settings.colouring.workers)
    return "No launch of this method was captured. Press Q, or Capture again in its pane";
  return {};
}

std::string no_devices_reason(const FractalConfig& config, std::size_t devices, std::size_t there,
                              const Device& device) {
  if (devices <= 1) return {};
  if (config.method.map != MapKind::kCompact) return "Several devices require the compact map (3)";
  if (devices > there) return missing_devices_reason(devices, there, device);
  return partition_problem(config, devices);
}

std::string clamp_devices(LifeSettings& settings, std::size_t there, const Device& device) {
  std::string message;
  if (settings.devices > there) {
    message = fmt::format("The scene needs {}; this machine has {}", devices_text(settings.devices, device),
                          there == 1 ? devices_text(1, device) : fmt::format("{}", there));
    settings.devices = static_cast<std::uint32_t>(there);
  }
  while (settings.devices > 1 && !no_devices_reason(settings.config, settings.devices, there, device).empty())
    --settings.devices;
  if (settings.colouring.by == explain::ColourBy::kDevice && !uses_several_devices(settings))
    settings.colouring.by = explain::ColourBy::kState;
  return message;
}

std::string fp16_limits(const FractalConfig& config) {
  const auto of_lambda = first_wrong_level(config.fractal, MapDirection::kLambda);
  const auto of_nu = first_wrong_level(config.fractal, MapDirection::kNu);
  std::string text;
  if (of_lambda) text = fmt::format("λ is wrong from tile level {} on", *of_lambda);
  if (of_nu && of_lambda) return text + fmt::format(", ν from {}", *of_nu);
  return of_nu ? fmt::format("ν is wrong from tile level {} on", *of_nu) : text;
}

std::string inexact_reason(const FractalConfig& config) {
  if (config.method.map == MapKind::kBoundingBox || is_exact(config.method.arithmetic)) return {};
  const int level = make_tiled_fractal(config.fractal, config.level, config.tile_size).coarse_level;
  const auto is_wrong = [&](MapDirection direction) {
    const auto first = first_wrong_level(config.fractal, direction);
    return first && level >= *first;
  };
  const bool lambda = is_wrong(MapDirection::kLambda);
  const bool nu = config.method.map == MapKind::kCompact && is_wrong(MapDirection::kNu);
  if (!lambda && !nu) return {};
  return fmt::format("Wrong picture: at tile level {}, the weights of tensor-fp16 for {} do not fit FP16",
                     level,
                     lambda && nu ? "λ and ν"
                     : lambda     ? "λ"
                                  : "ν");
}

std::string fit_rule(LifeSettings& settings) {
  const Work work = settings.work();
  FractalConfig& config = settings.config;
  std::string message;
  if (const std::string why = distributed_work_problem(work);
      !why.empty() && uses_several_devices(settings)) {
    settings.devices = 1;
    for (PaneSpec& pane : settings.secondary_panes) pane.devices = 1;
    message = "One device: " + why;
  }
  const auto keep_counting = [&](MapMethod& method) {
    if (!work.rule.is_larger() ||
        (method.counting != Counting::kBits && method.counting != Counting::kTensor))
      return;
    const TiledFractal tiled = make_tiled_fractal(config.fractal, config.level, config.tile_size);
    if (counts_rows(method, tiled, work.rule.larger)) return;  // in every frame: no copy, which allocates
    FractalConfig counted = config;
    counted.method = method;
    counted.method.storage = CellStorage::kBytes;
    const std::string why = work_problem(counted, work);
    message = "Counting auto: " + why.substr(0, why.find(';'));
    method.counting = Counting::kAuto;
  };
  keep_counting(config.method);
  for (PaneSpec& pane : settings.secondary_panes) keep_counting(pane.method);
  // In every frame, so without a copy of the configuration, which allocates.
  const auto keep_storage = [&](MapMethod& method) {
    std::swap(config.method, method);
    const std::string why =
        config.method.storage == CellStorage::kBits ? work_problem(config, work) : std::string();
    std::swap(config.method, method);
    if (why.empty()) return;
    method.storage = CellStorage::kBytes;
    message = "Byte storage: " + why.substr(0, why.find(';'));
  };
  for (PaneSpec& pane : settings.secondary_panes) keep_storage(pane.method);
  const CellStorage storage = config.method.storage;
  keep_storage(config.method);
  if (config.method.storage != storage) keep_method_valid(config);
  while (!work_problem(config, work).empty() && config.tile_size > 1) {
    config.tile_size = nearest_tile_size(config.fractal, config.level, config.tile_size - 1);
    keep_method_valid(config);
  }
  return message;
}

}  // namespace loom::app
