#include "app/cli/options/scene_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/bench/cell_config.h"
#include "app/exercises/exercise.h"
#include "app/files/fractal_file.h"
#include "app/text/text.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::string_view kUnderCursor = "cursor";

/// Throws for a level beyond the fractal's coordinates. If its cells would need more than 2^64 - 1 bytes, the
/// error is the one for too little memory. `place`: "FILE:LINE: " of the generators that limit the level;
/// otherwise empty.
[[noreturn]] void refuse_level(const Settings& settings, std::string_view text, double level,
                               std::string_view place) {
  const NbbFractal& fractal = settings.config.fractal;
  const MapMethod& method = settings.config.method;
  const int highest = highest_level(settings.config.fractal);
  if (!fractal.repeats()) {
    throw InputError(
        fmt::format("{}--level {}: the list of levels of {} has {} and does not repeat; allowed: 0 to {}",
                    place, text, fractal.name(), highest, highest));
  }
  const NbbShape& shape = fractal.shape();
  const bool compact = method.map == MapKind::kCompact;
  // Two generations, of a byte or a bit per cell or point.
  const double log_of_bytes = level * std::log2(compact ? shape.k : shape.s_x * shape.s_y) +
                              (method.storage == CellStorage::kBits ? -2 : 1);
  if (!fractal.is_uniform() || log_of_bytes <= 64) {
    throw InputError(
        fmt::format("{}--level {}: the width, the height or the number of cells of {} exceeds {}; allowed: 0 "
                    "to {}",
                    place, text, fractal.name(), fractal.is_uniform() ? "64 bits" : "2^62", highest));
  }
  const std::uint64_t free_bytes = bytes_free(select_backend(settings.backend, settings.device));
  FractalConfig config = settings.config;
  config.level = highest;
  constexpr auto kEndless = std::numeric_limits<std::uint64_t>::max();
  throw CapacityError(
      fmt::format("level {} of {} on the {} map needs {}, but only {} are free; the largest level that fits "
                  "is {}",
                  text, fractal.name(), name_of(method.map), describe_bytes(kEndless),
                  describe_bytes(free_bytes), largest_level(config, free_bytes)),
      kEndless, free_bytes);
}

int read_level(const Settings& settings, std::string_view text, std::string_view place) {
  const int highest = highest_level(settings.config.fractal);
  const bool is_whole = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_whole) throw bad_value("--level", text, fmt::format("a whole number from 0 to {}", highest));
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error != std::errc{}) level = std::numeric_limits<int>::max();
  if (level > highest) refuse_level(settings, text, level, place);
  return level;
}

bool is_workload(const FieldInfo& field) {
  return field.option == "workload" || field.option == "reduction";
}
bool is_life(const FieldInfo& field) {
  return field.option == "rule" || field.option == "seed" || field.option == "density";
}

/// Reads the point whose thread is explained, one number for each dimension; nothing for the one under the
/// cursor.
template <int kDimensions>
std::optional<std::vector<std::uint64_t>> read_thread(const std::string& text,
                                                      const FractalConfigOf<kDimensions>& config) {
  if (text == kUnderCursor) return std::nullopt;
  const auto sides = bench::size_of(config);
  std::vector<std::uint64_t> point;
  try {
    const auto words = split_words(text, ",");
    if (words.size() != kDimensions || std::ranges::count(text, ',') + 1 != kDimensions)
      throw InputError("another number of numbers");
    for (std::size_t axis = 0; axis < kDimensions; ++axis)
      point.push_back(read_whole_number("--thread", words[axis], 0, sides[axis] - 1));
    return point;
  } catch (const InputError&) {
    throw bad_value(
        "--thread", text,
        fmt::format("X,Y{} with X from 0 to {}{} Y from 0 to {}{}, or {}", kDimensions == 3 ? ",Z" : "",
                    sides[0] - 1, kDimensions == 3 ? "," : " and", sides[1] - 1,
                    kDimensions == 3 ? fmt::format(" and Z from 0 to {}", sides[2] - 1) : "", kUnderCursor));
  }
}

void read_colouring(Settings& settings, const std::string& text) {
  const std::size_t colon = text.find(':');
  settings.colouring.by = explain::parse_colour_by(text.substr(0, colon));
  const bool of_level = explain::has_level(settings.colouring.by);
  const int levels = settings.config.level;
  if (of_level != (colon != std::string::npos)) {
    throw bad_value(
        "--colour-by", text,
        fmt::format("replica:1 to replica:{0}, orientation:1 to orientation:{0}, the others without a number",
                    levels));
  }
  if (!of_level) return;
  settings.colouring.level =
      static_cast<int>(read_whole_number("--colour-by " + text.substr(0, colon), text.substr(colon + 1), 1,
                                         static_cast<std::uint64_t>(std::max(levels, 1))));
}

/// Sets the devices over which cells are distributed; the first of them does all other work. Returns their
/// number.
std::uint32_t read_named_devices(Settings& settings, const std::string& text, bool device_typed) {
  if (device_typed) throw InputError("--device and --devices exclude each other; allowed: one of them");
  const std::vector<Device> devices = read_devices(text, settings.backend);
  const auto count = static_cast<std::uint32_t>(devices.size());
  if (devices.front().kind == BackendKind::kCpu) return count;
  settings.device = devices.front().ordinal;
  settings.named_devices.clear();
  for (const Device& one : devices) settings.named_devices.push_back(one.ordinal);
  return count;
}

/// Why the cells cannot be distributed over the devices; empty if they can, or if there is one device.
std::string no_distribution_reason(const Settings& settings) {
  if (settings.devices == 1) return {};
  const std::string why = distributed_work_problem(settings.work());
  return why.empty() ? partition_problem(settings.config, settings.devices) : why;
}

/// The typed value of a field of the method; empty for "auto".
std::optional<std::string> chosen_value(const SceneOptions& options, const MethodField& field) {
  const std::optional<std::string>& typed = typed_value(options.method, field.option);
  return field.has_auto && typed == kAutoWord ? std::nullopt : typed;
}

/// Throws InputError if a typed field of the method has no effect on this map and storage.
void require_method_effect(TypedFields typed, const MapMethod& method) {
  // The bounding box has one thread per point of a tile by nature.
  const bool has_sub_box = method.map == MapKind::kBoundingBox && method.storage == CellStorage::kBytes;
  if (has_sub_box && typed_value(typed, "intra-block") == "sub-box") typed.erase("intra-block");
  require_effect(typed, method_fields(), method);
}

/// Sets the typed fields of the method. Throws InputError.
void read_method(const SceneOptions& options, MapMethod& method) {
  for (const MethodField& field : method_fields()) {
    if (const auto text = chosen_value(options, field))
      field.read(*text, method, "--" + std::string(field.option));
  }
}

/// Sets the others but the map to those of the fastest method of the map.
void choose_fastest(const SceneOptions& options, const MapMethod& fastest, MapMethod& method) {
  for (const MethodField& field : method_fields()) {
    if (field.has_auto && !chosen_value(options, field)) field.copy(fastest, method);
  }
}

/// The largest allowed tile size up to `preferred`, or the typed one. Throws InputError with the allowed
/// ones.
template <typename Config>
void set_tile_size(const SceneOptions& options, std::uint32_t preferred, Config& config) {
  config.tile_size = nearest_tile_size(config.fractal, config.level, preferred);
  if (!options.tile_size) return;
  const auto allowed = allowed_tile_sizes(config.fractal, config.level);
  const auto is_typed = [&](std::uint32_t candidate) {
    return std::to_string(candidate) == *options.tile_size;
  };
  const auto found = std::ranges::find_if(allowed, is_typed);
  if (found == allowed.end()) {
    throw bad_value("--block", *options.tile_size,
                    fmt::format("{} (for {} at level {})", fmt::join(allowed, ", "), config.fractal.name(),
                                config.level));
  }
  config.tile_size = *found;
}

}  // namespace

FractalFile SceneOptions::selected_fractal() const {
  if (fractal && fractal_file)
    throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
  if (fractal && find_solid(*fractal) != nullptr) {
    throw InputError(fmt::format(
        "{} is three-dimensional; allowed: with life and verify; here a two-dimensional fractal", *fractal));
  }
  if (fractal_file) return read_fractal_file(*fractal_file);
  if (fractal) return {find_fractal(*fractal)};
  return {default_life_settings().config.fractal};
}

Settings SceneOptions::settings() const {
  return settings(nullptr);
}

Settings SceneOptions::settings_over(const LifeSettings& opened) const {
  const std::array<std::pair<const char*, bool>, 5> fixed = {
      {{"--fractal", fractal.has_value()},
       {"--fractal-file", fractal_file.has_value()},
       {"--level", level.has_value()},
       {"--seed", typed_value(life, "seed").has_value()},
       {"--density", typed_value(life, "density").has_value()}}};
  for (const auto& [option, typed] : fixed) {
    if (typed)
      throw InputError(fmt::format(
          "{} and --open exclude each other because the file contains the cells; allowed: one of them",
          option));
  }
  return settings(&opened);
}

Settings SceneOptions::settings(const LifeSettings* opened) const {
  Settings result{opened != nullptr ? *opened : default_life_settings()};
  FractalConfig& config = result.config;
  if (opened == nullptr) {
    FractalFile chosen = selected_fractal();
    config.fractal = chosen.fractal;
    if (chosen.rule) result.rule = *chosen.rule;
    if (fractal_file) result.from_file = std::move(chosen);
  }
  std::optional<ExerciseCase> exercise_case;
  if (exercise) {
    exercise_case = find_exercise(*exercise).cases.front();
    result.map_code = std::make_shared<const MapCode>(MapCode{{}, *exercise});
    result.show_code = true;
    if (opened == nullptr && !fractal && !fractal_file) config.fractal = exercise_case->fractal;
  }
  read_method(*this, config.method);
  read_fields(life, life_fields(), static_cast<LifeSettings&>(result));
  if (backend) result.backend = parse_backend(*backend);
  if (device) result.device = read_device(device, result.backend);
  if (devices) {
    (devices_of_picture ? result.picture_devices : result.devices) =
        read_named_devices(result, *devices, device.has_value());
  }

  const std::uint32_t preferred_tile_size = config.tile_size;
  config.tile_size = 1;
  if (opened == nullptr) {
    std::string place;
    if (result.from_file && result.from_file->levels_line > 0)
      place = fmt::format("{}:{}: ", *fractal_file, result.from_file->levels_line);
    config.level = level           ? read_level(result, *level, place)
                   : exercise_case ? std::min(exercise_case->level, config.fractal.max_level())
                                   : start_level(config.fractal, config.level);
  }
  set_tile_size(*this, preferred_tile_size, config);
  const BackendSelection runs_on =
      select_backend(result.backend, result.device);  // throws if it is not available
  // An opened scene keeps its method, unless an option changes the map.
  if (opened == nullptr || config.method.map != opened->config.method.map)
    choose_fastest(*this, fastest_method(config.method.map), config.method);
  require_method_effect(method, config.method);
  validate(config);
  check_work(config, result.work());
  if (typed_value(method, "counting") && !result.rule.is_larger()) {
    throw InputError(fmt::format(
        "--counting has no effect with rule {}; allowed: with a rule of Larger than Life, as in --rule Bugs",
        to_string(result.rule)));
  }
  if (const std::string why = no_distribution_reason(result); !why.empty()) {
    if (devices) throw InputError(why);
    result.devices = 1;  // the opened scene was distributed, and typed values make that impossible
  }
  if (thread) {
    result.show_thread = true;
    if (const auto point = read_thread(*thread, config)) result.pinned = Coord64{(*point)[0], (*point)[1]};
  }
  if (colour_by) read_colouring(result, *colour_by);
  if (panes) {
    const PanePreset preset = parse_pane_preset(*panes);
    if (preset == PanePreset::kCountings && !result.rule.is_larger())
      throw bad_value("--panes", *panes, "others, or a rule of Larger than Life, as in --rule Bugs");
    set_panes(result, preset, runs_on.device);
  }
  return result;
}

// Three-dimensional fractals.

namespace {

constexpr std::uint32_t kPreferredTileSize = 16;

int read_solid_level(const SolidFractal& fractal, const std::string& text) {
  const int highest = fractal.max_level();
  try {
    return read_whole_number<int>("--level", text, 0, highest);
  } catch (const InputError&) {
    throw bad_value("--level", text,
                    fmt::format("a whole number from 0 to {}, where the sides of {} fit in 32 bits and its "
                                "cells in 64",
                                highest, fractal.name()));
  }
}

/// The work and the random start, as in two dimensions but for the rule.
void read_life(const SceneOptions& options, SolidSettings& settings) {
  LifeSettings life = default_life_settings();
  TypedFields typed = options.life;
  typed.erase("rule");
  read_fields(typed, life_fields(), life);
  require_effect(options.life, life_fields(), life);
  if (life.reduction == ReductionMethod::kTensor)
    throw InputError("--reduction tensor: three-dimensional fractals are summed by warps; allowed: warp");
  settings.work.workload = life.workload;
  if (const auto& rule = typed_value(options.life, "rule")) settings.work.rule = parse_solid_rule(*rule);
  settings.start = life.start;
}

}  // namespace

std::optional<SolidFile> selected_solid(const SceneOptions& options) {
  if (options.fractal && options.fractal_file) return std::nullopt;  // selected_fractal() reports it
  if (options.fractal_file) return read_solid_file(*options.fractal_file);
  if (!options.fractal) return std::nullopt;
  if (const SolidFractal* const solid = find_solid(*options.fractal)) return SolidFile{*solid};
  std::vector<std::string> names;
  for (const NbbFractal& fractal : built_in_fractals()) {
    if (fractal.name() == *options.fractal) return std::nullopt;
    names.push_back(fractal.name());
  }
  for (const SolidFractal& fractal : solid_catalog()) names.push_back(fractal.name());
  throw InputError(
      fmt::format("unknown fractal '{}'; allowed: {}", *options.fractal, fmt::join(names, ", ")));
}

SceneOptions without_solid(const SceneOptions& options) {
  SceneOptions rest = options;
  rest.fractal.reset();
  rest.fractal_file.reset();
  rest.level.reset();
  rest.tile_size.reset();
  rest.method.clear();
  rest.life.clear();
  rest.panes.reset();
  rest.thread.reset();
  return rest;
}

BackendSelection solid_backend(const SceneOptions& options) {
  const BackendChoice choice = options.backend ? parse_backend(*options.backend) : BackendChoice::kAuto;
  return select_backend(choice, read_device(options.device, choice));
}

SolidSettings solid_settings(const SceneOptions& options, const SolidFile& solid) {
  SolidSettings settings{.config = {.fractal = solid.fractal}};
  SolidConfig& config = settings.config;
  if (options.fractal_file) settings.from_file = solid;
  read_method(options, config.method);
  choose_fastest(options, fastest_solid_method(config.method.map), config.method);
  require_method_effect(options.method, config.method);
  if (typed_value(options.method, "counting")) {
    throw InputError(
        "--counting has no effect with a three-dimensional fractal; allowed: with a two-dimensional one and "
        "a "
        "rule of Larger than Life");
  }
  if (solid.rule) settings.work.rule = *solid.rule;
  read_life(options, settings);
  constexpr int kHighestStart = 9;
  config.level = options.level ? read_solid_level(config.fractal, *options.level)
                               : start_level(config.fractal, kHighestStart);
  set_tile_size(options, kPreferredTileSize, config);
  validate(config);
  if (options.panes) {
    const PanePreset panes = parse_pane_preset(*options.panes);
    if (panes != PanePreset::kSingle && panes != PanePreset::kMaps)
      throw bad_value("--panes", *options.panes, "one or maps with a three-dimensional fractal");
    settings.compare = panes == PanePreset::kMaps;
  }
  if (options.thread) {
    settings.show_thread = true;
    const auto narrow = [](std::uint64_t side) { return static_cast<std::uint32_t>(side); };
    if (const auto point = read_thread(*options.thread, config))
      settings.pinned = Coord3{narrow((*point)[0]), narrow((*point)[1]), narrow((*point)[2])};
  }
  return settings;
}

void add_scene_options(CLI::App& command, SceneOptions& options, SceneOptionGroup groups) {
  using enum SceneOptionGroup;
  options.command = &command;
  const auto text = [&](SceneOptionGroup group, const char* name, auto& target, const char* type,
                        const char* help) {
    if (contains(groups, group)) add_text(command, name, target, type, help);
  };
  text(kFractal, "--fractal", options.fractal, "NAME",
       "Built-in fractal (sierpinski-gasket by default); an unknown name prints the list");
  text(kFractal, "--fractal-file", options.fractal_file, "FILE",
       "Custom fractal: TOML with name, s_x, s_y and offsets, or levels; see "
       "docs/reference/file-formats.md");
  text(kOpen, "--open", options.open, "FILE",
       contains(groups, kPalette)
           ? "A saved scene (.loom), an image that contains one (.png), or a position (.kfr, .xpf); "
             "other options override it"
           : "A saved scene (.loom) or an image that contains one (.png); other options override it");
  text(kLevel, "--level", options.level, "R",
       "Level r: s_x^r x s_y^r points, k^r cells (default: the highest up to 9 with at most "
       "2^20 points)");
  if (contains(groups, kMethod)) {
    add_field_options(command, method_fields(), options.method, "", default_life_settings().config.method);
    add_text(command, "--block", options.tile_size, "N",
             "Tile width in cells, a power of s_x (default: the largest up to 16); the height follows");
  }
  if (contains(groups, kWorkload)) {
    add_field_options(command, life_fields(), options.life, "", default_life_settings(), is_workload);
  }
  if (contains(groups, kLife)) {
    add_field_options(command, life_fields(), options.life, "", default_life_settings(), is_life);
  }
  text(kBackend, "--backend", options.backend, "BACKEND", "Where to compute: auto (default), cuda or cpu");
  text(kBackend, "--device", options.device, "N", "Number of the CUDA device (0 by default)");
  text(kDevices, "--devices", options.devices, "N,N,...",
       "Distribute the cells over these CUDA devices (requires --map compact), or the rows of "
       "the image with --workspace mandelbrot: a comma list of numbers, or all; with --backend "
       "cpu, over that number of CPU partitions");
  text(kPalette, "--palette", options.palette, "NAME|FILE",
       "Palette (cividis by default, blue-gold for Mandelbrot; an unknown name prints the "
       "list), or a .gpl, .map or .cpt file");
  text(kThreads, "--colour-by", options.colour_by, "WHAT",
       "What colours mean: state (default), block, thread, warp, tile, address, device, or "
       "replica:LEVEL");
  text(kThreads, "--thread", options.thread, "X,Y|cursor",
       "Explain the thread of point X,Y, or of the point under the cursor, in the side panel");
  text(kPanes, "--panes", options.panes, "PANES",
       "Panes: one (default), maps, arithmetics, countings, backends, spaces, unfold, "
       "timeline, devices, lens or metrics");
  text(kPanes, "--exercise", options.exercise, "NAME|FILE",
       "Write the thread map of this exercise: name of a bundled exercise, or a file");
  if (contains(groups, kJson)) {
    command.add_flag("--json", options.json, "Print one JSON object and nothing else on standard output");
  }
}

}  // namespace loom::app
