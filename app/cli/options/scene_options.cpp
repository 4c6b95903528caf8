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

#include "app/exercises/exercise.h"
#include "app/files/fractal_file.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/device/device.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/geometry/solid_fractal.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::string_view kUnderCursor = "cursor";

/// The highest level whose coordinates fit, whatever its memory.
int highest_level(const FractalConfig& config) {
  return largest_level(config, std::numeric_limits<std::uint64_t>::max());
}

/// Throws for a level beyond the fractal's coordinates. If its cells would need more than 2^64 - 1 bytes, the
/// error is the one for too little memory. `place`: "FILE:LINE: " of the generators that limit the level;
/// otherwise empty.
[[noreturn]] void refuse_level(const Settings& settings, std::string_view text, double level,
                               std::string_view place) {
  const NbbFractal& fractal = settings.config.fractal;
  const MapMethod& method = settings.config.method;
  const int highest = highest_level(settings.config);
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
  const int highest = highest_level(settings.config);
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

/// Shows the thread panel, for the pinned point in `text` or for the point under the cursor.
void explain_thread(Settings& settings, const std::string& text) {
  settings.show_thread = true;
  if (text == kUnderCursor) return;
  const FractalConfig& config = settings.config;
  const std::uint64_t width = config.fractal.width(config.level);
  const std::uint64_t height = config.fractal.height(config.level);
  const std::size_t comma = text.find(',');
  try {
    if (comma == std::string::npos) throw InputError("one number");
    settings.pinned = Coord64{read_whole_number("--thread", text.substr(0, comma), 0, width - 1),
                              read_whole_number("--thread", text.substr(comma + 1), 0, height - 1)};
  } catch (const InputError&) {
    throw bad_value("--thread", text,
                    fmt::format("X,Y with X from 0 to {} and Y from 0 to {}, or {}", width - 1, height - 1,
                                kUnderCursor));
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

}  // namespace

std::optional<std::string> chosen_value(const SceneOptions& options, const MethodField& field) {
  const std::optional<std::string>& typed = typed_value(options.method, field.option);
  return field.has_auto && typed == kAutoWord ? std::nullopt : typed;
}

std::uint32_t read_tile_size(const std::string& text, std::span<const std::uint32_t> allowed,
                             const std::string& fractal, int level) {
  const auto is_typed = [&](std::uint32_t candidate) { return std::to_string(candidate) == text; };
  const auto found = std::ranges::find_if(allowed, is_typed);
  if (found != allowed.end()) return *found;
  throw bad_value("--block", text,
                  fmt::format("{} (for {} at level {})", fmt::join(allowed, ", "), fractal, level));
}

void require_method_effect(TypedFields typed, const MapMethod& method) {
  // The bounding box has one thread per point of a tile by nature.
  const bool has_sub_box = method.map == MapKind::kBoundingBox && method.storage == CellStorage::kBytes;
  if (has_sub_box && typed_value(typed, "intra-block") == "sub-box") typed.erase("intra-block");
  require_effect(typed, method_fields(), method);
}

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
  for (const MethodField& field : method_fields()) {
    if (const auto text = chosen_value(*this, field))
      field.read(*text, config.method, "--" + std::string(field.option));
  }
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
  config.tile_size = nearest_tile_size(config.fractal, config.level, preferred_tile_size);
  if (tile_size) {
    const auto allowed = allowed_tile_sizes(config.fractal, config.level);
    config.tile_size = read_tile_size(*tile_size, allowed, config.fractal.name(), config.level);
  }
  const BackendSelection runs_on =
      select_backend(result.backend, result.device);  // throws if it is not available
  // An opened scene keeps its method, unless an option changes the map.
  if (opened == nullptr || config.method.map != opened->config.method.map) {
    const MapMethod fastest = fastest_method(config.method.map);
    for (const MethodField& field : method_fields()) {
      if (field.has_auto && !chosen_value(*this, field)) field.copy(fastest, config.method);
    }
  }
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
  if (thread) explain_thread(result, *thread);
  if (colour_by) read_colouring(result, *colour_by);
  if (panes) set_panes(result, parse_pane_preset(*panes), runs_on.device);
  return result;
}

void add_scene_options(CLI::App& command, SceneOptions& options, SceneOptionGroup groups) {
  options.command = &command;
  if (contains(groups, SceneOptionGroup::kFractal)) {
    command
        .add_option("--fractal", options.fractal,
                    "Built-in fractal (sierpinski-gasket by default); an unknown name prints the list")
        ->type_name("NAME");
    command
        .add_option("--fractal-file", options.fractal_file,
                    "Custom fractal: TOML with name, s_x, s_y and offsets, or levels; see "
                    "docs/reference/file-formats.md")
        ->type_name("FILE");
  }
  if (contains(groups, SceneOptionGroup::kOpen)) {
    command
        .add_option("--open", options.open,
                    "A saved scene (.loom), an image that contains one (.png), or a position (.kfr, .xpf); "
                    "other options override it")
        ->type_name("FILE");
  }
  if (contains(groups, SceneOptionGroup::kLevel)) {
    command
        .add_option("--level", options.level,
                    "Level r: s_x^r x s_y^r points, k^r cells (default: the highest up to 9 with at most "
                    "2^20 points)")
        ->type_name("R");
  }
  if (contains(groups, SceneOptionGroup::kMethod)) {
    add_field_options(command, method_fields(), options.method, "", default_life_settings().config.method);
    command
        .add_option("--block", options.tile_size,
                    "Tile width in cells, a power of s_x (default: the largest up to 16); the height follows")
        ->type_name("N");
  }
  if (contains(groups, SceneOptionGroup::kWorkload)) {
    add_field_options(command, life_fields(), options.life, "", default_life_settings(), is_workload);
  }
  if (contains(groups, SceneOptionGroup::kLife)) {
    add_field_options(command, life_fields(), options.life, "", default_life_settings(), is_life);
  }
  if (contains(groups, SceneOptionGroup::kBackend)) {
    command.add_option("--backend", options.backend, "Where to compute: auto (default), cuda or cpu")
        ->type_name("BACKEND");
    command.add_option("--device", options.device, "Number of the CUDA device (0 by default)")
        ->type_name("N");
  }
  if (contains(groups, SceneOptionGroup::kDevices)) {
    command
        .add_option("--devices", options.devices,
                    "Distribute the cells over these CUDA devices (requires --map compact), or the rows of "
                    "the image with --workspace mandelbrot: a comma list of numbers, or all; with --backend "
                    "cpu, over that number of CPU partitions")
        ->type_name("N,N,...");
  }
  if (contains(groups, SceneOptionGroup::kPalette)) {
    command
        .add_option("--palette", options.palette,
                    "Palette (cividis by default, blue-gold for Mandelbrot; an unknown name prints the "
                    "list), or a .gpl, .map or .cpt file")
        ->type_name("NAME|FILE");
  }
  if (contains(groups, SceneOptionGroup::kThreads)) {
    command
        .add_option("--colour-by", options.colour_by,
                    "What colours mean: state (default), block, thread, warp, tile, address, device, or "
                    "replica:LEVEL")
        ->type_name("WHAT");
    command
        .add_option("--thread", options.thread,
                    "Explain the thread of point X,Y, or of the point under the cursor, in the side panel")
        ->type_name("X,Y|cursor");
  }
  if (contains(groups, SceneOptionGroup::kPanes)) {
    command
        .add_option("--panes", options.panes,
                    "Panes: one (default), maps, arithmetics, backends, spaces, unfold, "
                    "timeline, devices or lens")
        ->type_name("PANES");
    command
        .add_option("--exercise", options.exercise,
                    "Write the thread map of this exercise: name of a bundled exercise, or a file")
        ->type_name("NAME|FILE");
  }
  if (contains(groups, SceneOptionGroup::kJson)) {
    command.add_flag("--json", options.json, "Print one JSON object and nothing else on standard output");
  }
}

}  // namespace loom::app
