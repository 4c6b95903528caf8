#include "app/cli/options/solid_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "app/cli/options/options.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "app/workspaces/life/scene/pane_presets.h"
#include "compute/backend/engine_factory.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/geometry/nbb_catalog.h"
#include "compute/map/map_method.h"
#include "compute/workload/rule_text.h"

namespace loom::app {
namespace {

constexpr std::uint32_t kPreferredTileSize = 16;

int read_solid_level(const SolidFractal& fractal, const std::string& text) {
  const int highest = fractal.max_level();
  try {
    return static_cast<int>(read_whole_number("--level", text, 0, static_cast<std::uint64_t>(highest)));
  } catch (const InputError&) {
    throw bad_value("--level", text,
                    fmt::format("a whole number from 0 to {}, where the sides of {} fit in 32 bits and its "
                                "cells in 64",
                                highest, fractal.name()));
  }
}

MapMethod read_method(const SceneOptions& options) {
  MapMethod typed;
  for (const MethodField& field : method_fields()) {
    if (const auto text = chosen_value(options, field))
      field.read(*text, typed, "--" + std::string(field.option));
  }
  MapMethod method = fastest_solid_method(typed.map);
  for (const MethodField& field : method_fields()) {
    if (chosen_value(options, field)) field.copy(typed, method);
  }
  require_method_effect(options.method, method);
  if (typed_value(options.method, "counting")) {
    throw InputError(
        "--counting has no effect with a three-dimensional fractal; allowed: with a two-dimensional one and "
        "a "
        "rule of Larger than Life");
  }
  return method;
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

/// "X,Y,Z".
Coord3 read_cell(const std::string& text, const SolidConfig& config) {
  const Coord3 size = config.fractal.size(config.level);
  const std::size_t first = text.find(',');
  const std::size_t second = text.find(',', first == std::string::npos ? first : first + 1);
  const auto number = [&](std::size_t from, std::size_t to, std::uint32_t side) {
    return static_cast<std::uint32_t>(
        read_whole_number("--thread", text.substr(from, to - from), 0, side - 1));
  };
  try {
    if (second == std::string::npos) throw InputError("two commas");
    return {number(0, first, size.x), number(first + 1, second, size.y),
            number(second + 1, text.size(), size.z)};
  } catch (const InputError&) {
    throw bad_value("--thread", text,
                    fmt::format("X,Y,Z with whole numbers below {}, {} and {}", size.x, size.y, size.z));
  }
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
  config.method = read_method(options);
  if (solid.rule) settings.work.rule = *solid.rule;
  read_life(options, settings);
  config.level =
      options.level ? read_solid_level(config.fractal, *options.level) : solid_start_level(config.fractal);
  config.tile_size = nearest_tile_size(config.fractal, config.level, kPreferredTileSize);
  if (options.tile_size) {
    const auto allowed = allowed_tile_sizes(config.fractal, config.level);
    config.tile_size = read_tile_size(*options.tile_size, allowed, config.fractal.name(), config.level);
  }
  validate(config);
  if (options.panes) {
    const PanePreset panes = parse_pane_preset(*options.panes);
    if (panes != PanePreset::kSingle && panes != PanePreset::kMaps)
      throw bad_value("--panes", *options.panes, "one or maps with a three-dimensional fractal");
    settings.compare = panes == PanePreset::kMaps;
  }
  if (options.thread) {
    settings.show_thread = true;
    if (!options.thread->empty()) settings.pinned = read_cell(*options.thread, config);
  }
  return settings;
}

}  // namespace loom::app
