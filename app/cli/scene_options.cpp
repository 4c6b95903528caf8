#include "app/cli/scene_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/cli/read_number.h"
#include "app/life/scene/setting_steps.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/geometry/fractal_file.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/tiling.h"

namespace loom::app {
namespace {

/// A level whose coordinates pass 64 bits is answered like any other that no memory holds: with what would
/// fit.
[[noreturn]] void refuse_level(const Settings& settings, std::string_view level) {
  const BackendSelection backend = select_backend(settings.backend, settings.device);
  const std::uint64_t free_bytes = bytes_free(backend);
  FractalConfig config = settings.config;
  config.level = config.fractal.max_level();
  constexpr auto kEndless = std::numeric_limits<std::uint64_t>::max();
  throw CapacityError(fmt::format("level {} of {} on the {} map needs over {} bytes, free are {} bytes; the "
                                  "largest level that fits is {}",
                                  level, config.fractal.name(), name_of(config.method.map), kEndless,
                                  free_bytes, largest_level(config, free_bytes)),
                      kEndless, free_bytes);
}

int read_level(const Settings& settings, std::string_view text) {
  const int largest = settings.config.fractal.max_level();
  const bool is_whole = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_whole) throw bad_value("--level", text, fmt::format("a whole number from 0 to {}", largest));
  int level = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (error != std::errc{} || level > largest) refuse_level(settings, text);
  return level;
}

bool read_switch(std::string_view option, std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  throw bad_value(option, text, "on, off, auto");
}

/// The word that stands for what an option is where it is not given.
constexpr std::string_view kAuto = "auto";

/// What was typed for an option, if it was anything but "auto".
std::optional<std::string> chosen(const std::optional<std::string>& typed) {
  return typed == kAuto ? std::nullopt : typed;
}

std::uint32_t read_tiles(const std::optional<std::string>& text) {
  if (!text || *text == kAuto) return 0;
  const bool is_whole = text->find_first_not_of("0123456789") == std::string_view::npos;
  if (!is_whole) throw bad_value("--tiles", *text, fmt::format("auto, or a number from 1 to {}", kMaxTiles));
  return static_cast<std::uint32_t>(read_whole_number("--tiles", *text, 1, kMaxTiles));
}

/// The bounding box is the identity: what was asked of it beyond that is answered with the map that has it.
void refuse_method_of_bounding_box(const FractalConfig& config, bool arithmetic_typed,
                                   bool intra_block_typed) {
  if (config.method.map != MapKind::kBoundingBox) return;
  if (arithmetic_typed) {
    const auto of_lambda = arithmetics_of(MapKind::kLambda);
    const bool has =
        std::find(of_lambda.begin(), of_lambda.end(), config.method.arithmetic) != of_lambda.end();
    throw InputError(
        fmt::format("--arithmetic {0}: the bounding-box map is the identity and computes nothing; allowed "
                    "with --map lambda, compact; the nearest that runs: --map {1} --arithmetic {0}",
                    name_of(config.method.arithmetic), name_of(has ? MapKind::kLambda : MapKind::kCompact)));
  }
  if (intra_block_typed && config.method.intra_block != IntraBlock::kSubBox) {
    throw InputError(
        fmt::format("--intra-block {0}: the bounding-box map gives every point of the square a thread; "
                    "allowed: sub-box, or --map lambda, compact; the nearest that runs: --map lambda "
                    "--intra-block {0}",
                    name_of(config.method.intra_block)));
  }
}

/// A reduction method without a reduction is answered with the workload that has it.
void refuse_reduction_of(const Settings& settings) {
  if (settings.workload == Workload::kReduction) return;
  throw InputError(
      fmt::format("--reduction {0}: the workload {1} sums nothing; allowed with --workload reduction; the "
                  "nearest that runs: --workload reduction --reduction {0}",
                  name_of(settings.reduction), name_of(settings.workload)));
}

template <typename Choice, std::size_t kCount>
std::vector<std::string_view> names_of(const std::array<Choice, kCount>& choices) {
  std::vector<std::string_view> names;
  for (const Choice choice : choices) names.push_back(name_of(choice));
  return names;
}

/// An unknown name, with "auto" among the allowed ones.
template <typename Parse>
auto parse_or_auto(const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}, {}", error.what(), kAuto));
  }
}

}  // namespace

NbbFractal SceneOptions::chosen_fractal() const {
  if (fractal && fractal_file)
    throw InputError("--fractal and --fractal-file exclude each other; allowed: one of them");
  if (fractal_file) return read_fractal_file(*fractal_file);
  if (fractal) return find_fractal(*fractal);
  return default_life_settings().config.fractal;
}

Settings SceneOptions::settings() const {
  Settings result{default_life_settings()};
  FractalConfig& config = result.config;
  config.fractal = chosen_fractal();
  if (map) config.method.map = parse_map(*map);
  if (const auto text = chosen(halo)) config.method.halo = read_switch("--halo", *text);
  if (const auto text = chosen(arithmetic)) config.method.arithmetic = parse_or_auto(*text, parse_arithmetic);
  if (const auto text = chosen(intra_block))
    config.method.intra_block = parse_or_auto(*text, parse_intra_block);
  refuse_method_of_bounding_box(config, chosen(arithmetic).has_value(), chosen(intra_block).has_value());
  config.method.tiles = read_tiles(tiles);
  if (workload) result.workload = parse_workload(*workload);
  if (reduction) {
    result.reduction = parse_reduction(*reduction);
    refuse_reduction_of(result);
  }
  if (rule) result.rule = parse_rule(*rule);
  if (seed) {
    result.start.seed = read_whole_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
  if (density) result.start.density = read_real_number("--density", *density, 0, 1);
  if (backend) result.backend = parse_backend(*backend);
  if (device) {
    result.device =
        static_cast<int>(read_whole_number("--device", *device, 0, std::numeric_limits<int>::max()));
  }

  const std::uint32_t preferred_block = config.block;
  config.block = 1;
  config.level = level ? read_level(result, *level) : start_level(config.fractal, config.level);
  config.block = nearest_block(config.fractal, config.level, preferred_block);
  if (block) {
    const auto allowed = allowed_blocks(config.fractal, config.level);
    const auto names =
        fmt::format("{} (for {} at level {})", fmt::join(allowed, ", "), config.fractal.name(), config.level);
    const auto is_typed = [&](std::uint32_t candidate) { return std::to_string(candidate) == *block; };
    const auto found = std::find_if(allowed.begin(), allowed.end(), is_typed);
    if (found == allowed.end()) throw bad_value("--block", *block, names);
    config.block = *found;
  }
  select_backend(result.backend, result.device);  // throws where it is not there
  const MapMethod fastest = fastest_method(config.method.map);
  if (!chosen(arithmetic)) config.method.arithmetic = fastest.arithmetic;
  if (!chosen(intra_block)) config.method.intra_block = fastest.intra_block;
  if (!chosen(halo)) config.method.halo = fastest.halo;
  validate(config);
  return result;
}

void add_scene_options(CLI::App& command, SceneOptions& options, SceneGroup groups) {
  if (contains(groups, SceneGroup::kFractal)) {
    command
        .add_option("--fractal", options.fractal,
                    "A fractal of the catalogue (sierpinski-gasket by default); a wrong name lists them")
        ->type_name("NAME");
    command
        .add_option("--fractal-file", options.fractal_file,
                    "A fractal of your own: TOML with name, s_x, s_y, offsets")
        ->type_name("FILE");
  }
  if (contains(groups, SceneGroup::kLevel)) {
    command
        .add_option(
            "--level", options.level,
            "Level r: s_x^r x s_y^r points, k^r cells (the highest to 9 of at most 2^20 points by default)")
        ->type_name("R");
  }
  if (contains(groups, SceneGroup::kMethod)) {
    command.add_option("--map", options.map, "Thread map: bounding-box, lambda (default) or compact")
        ->type_name("MAP");
    command
        .add_option("--block", options.block,
                    "Block width in cells, a power of s_x (the largest to 16 by default); the height follows")
        ->type_name("N");
    command
        .add_option("--halo", options.halo,
                    "Compact map: stage a block and its rim in shared memory (the faster by default)")
        ->type_name("on|off|auto");
    command
        .add_option(
            "--arithmetic", options.arithmetic,
            fmt::format("How lambda and nu are computed: auto (default, the fastest on the backend), {}",
                        fmt::join(names_of(kMapArithmetics), ", ")))
        ->type_name("ARITHMETIC");
    command
        .add_option("--intra-block", options.intra_block,
                    fmt::format("How a block's threads find their cells: auto (default, the fastest), {}",
                                fmt::join(names_of(kIntraBlocks), ", ")))
        ->type_name("MAPPING");
    command
        .add_option("--tiles", options.tiles,
                    "Blocks that share a thread block of the GPU: auto (default) or a number")
        ->type_name("auto|N");
  }
  if (contains(groups, SceneGroup::kWorkload)) {
    command
        .add_option("--workload", options.workload,
                    "What every thread does with its cell: single-write, reduction or life (default)")
        ->type_name("WORKLOAD");
    command.add_option("--reduction", options.reduction, "How a reduction sums: warp (default) or tensor")
        ->type_name("METHOD");
  }
  if (contains(groups, SceneGroup::kLife)) {
    command.add_option("--rule", options.rule, "Rule of life (B2/S23 by default; Conway's is B3/S23)")
        ->type_name("B.../S...");
    command.add_option("--seed", options.seed, "Seed of the random start (1 by default)")->type_name("N");
    command
        .add_option("--density", options.density,
                    "Share of cells alive at the start, 0 to 1 (0.5 by default)")
        ->type_name("P");
  }
  if (contains(groups, SceneGroup::kBackend)) {
    command.add_option("--backend", options.backend, "Where to compute: auto (default), cuda or cpu")
        ->type_name("BACKEND");
    command.add_option("--device", options.device, "Number of the CUDA device (0 by default)")
        ->type_name("N");
  }
  if (contains(groups, SceneGroup::kPalette)) {
    command
        .add_option("--palette", options.palette,
                    "Colours of the picture (cividis by default); a wrong name lists them")
        ->type_name("NAME");
  }
  if (contains(groups, SceneGroup::kJson)) {
    command.add_flag("--json", options.json, "Print one JSON object and nothing else on standard output");
  }
}

}  // namespace loom::app
