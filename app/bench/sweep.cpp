#include "app/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ranges>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include "app/bench/cell_config.h"
#include "app/bench/results.h"
#include "compute/core/error.h"
#include "compute/distributed/partitioning.h"
#include "compute/geometry/tiled_fractal.h"
#include "compute/mandelbrot/mandelbrot_fields.h"

namespace loom::app::bench {
namespace {

template <typename Config>
std::string text_of(const CellCase<Config>& one) {
  return fmt::format("level {}, {}, tile size {}{}", one.config.level, name_of(one.config.method.map),
                     one.config.tile_size, one.devices > 1 ? fmt::format(", {} devices", one.devices) : "");
}

std::string text_of(const MandelbrotCase& one) {
  return fmt::format("{}n {}, {}", one.volume ? fmt::format("{}, ", name_of(one.volume->set)) : "",
                     one.view.width, method_text(one.config));
}

}  // namespace

std::string short_text(const Case& one) {
  return std::visit([](const auto& of_kind) { return text_of(of_kind); }, one);
}

std::string method_problem_of(const Case& one) {
  return std::visit(
      [](const auto& of_kind) {
        if constexpr (std::is_same_v<std::decay_t<decltype(of_kind)>, MandelbrotCase>) {
          return std::string();
        } else {
          return method_problem(of_kind.config.method, tiled(of_kind.config));
        }
      },
      one);
}

std::vector<Case> expand(const Axes& axes) {
  std::vector<Case> cases;
  const auto add = [&](const auto& once) {
    for (auto one : once) cases.emplace_back(std::move(one));
  };
  std::visit([&](const auto& of_kind) { add(expand(of_kind)); }, axes.of);
  if (const auto* const maps = std::get_if<MapAxes>(&axes.of)) add(expand_solids(*maps));
  const std::size_t once = cases.size();
  cases.reserve(once * static_cast<std::size_t>(axes.repeats));
  for (int repeat = 1; repeat < axes.repeats; ++repeat) {
    for (std::size_t i = 0; i < once; ++i) {
      Case one = cases[i];
      std::visit([&](auto& of_kind) { of_kind.repeat = repeat; }, one);
      cases.push_back(std::move(one));
    }
  }
  return cases;
}

std::uint64_t count_cases(const Axes& axes) {
  std::uint64_t cases = std::visit([](const auto& of_kind) { return count_cases(of_kind); }, axes.of);
  if (const auto* const maps = std::get_if<MapAxes>(&axes.of)) cases += expand_solids(*maps).size();
  return cases * static_cast<std::uint64_t>(axes.repeats);
}

bool is_distributed(const Axes& axes) {
  const auto* const maps = std::get_if<MapAxes>(&axes.of);
  return maps != nullptr && (maps->processes || std::any_of(maps->devices.begin(), maps->devices.end(),
                                                            [](int n) { return n > 1; }));
}

void check_sweep_size(std::uint64_t cases, bool confirmed, std::uint64_t limit) {
  if (cases > kMaxCases) {
    throw InputError(fmt::format("the sweep has {} configurations; allowed: at most {}", cases, kMaxCases));
  }
  if (confirmed || cases <= limit) return;
  throw InputError(
      fmt::format("the sweep has {} configurations; allowed without --yes: at most {}", cases, limit));
}

namespace {

/// Calls `use` with `settings` with every combination of the values of fields. `values` returns the texts of
/// a field beside the settings so far; none: the field keeps its value. kAutoWord is the value of
/// `automatic`.
template <typename Settings, typename Values, typename Use>
void for_each_combination(std::span<const Field<Settings>> fields, Settings settings,
                          const Settings& automatic, const Values& values, const Use& use) {
  while (!fields.empty()) {
    const Field<Settings>& field = fields.front();
    fields = fields.subspan(1);
    const std::vector<std::string> texts = values(field, settings);
    if (texts.empty()) continue;
    for (const std::string& text : texts) {
      field.has_auto&& text == kAutoWord ? field.copy(automatic, settings) : field.read(text, settings);
      for_each_combination(fields, settings, automatic, values, use);
    }
    return;
  }
  use(settings);
}

/// The tile sizes of the axis that this fractal and level allow.
template <typename Fractal>
std::vector<std::uint32_t> tile_sizes_at(const MapAxes& axes, const Fractal& fractal, int level) {
  std::vector<std::uint32_t> allowed = allowed_tile_sizes(fractal, level);
  if (!axes.tile_sizes) return allowed;
  std::erase_if(allowed, [&](std::uint32_t tile_size) {
    return std::ranges::find(*axes.tile_sizes, tile_size) == axes.tile_sizes->end();
  });
  return allowed;
}

/// The distinct valid methods of a map in the axes; if none is valid, the first invalid one. Fields that the
/// map does not have keep their defaults. `Tiled` is TiledFractal or TiledSolid.
template <typename Tiled>
std::vector<MapMethod> methods_of(const MapAxes& axes, MapKind map, const Tiled& fractal) {
  std::vector<MapMethod> valid;
  std::vector<MapMethod> seen;  // with automatic tile counts resolved, to find duplicates
  std::optional<MapMethod> invalid;
  const auto values = [&](const MethodField& field, const MapMethod& method) {
    std::vector<std::string> texts;
    if (field.option == "map" || !field.varies(method)) return texts;
    const auto named = axes.method.find(field.option);
    if (named == axes.method.end()) return std::vector<std::string>{std::string(kAutoWord)};
    for (const std::string& word : named->second) {
      const auto all = word == kAllWord ? all_values(field, method, fractal) : std::vector{word};
      texts.insert(texts.end(), all.begin(), all.end());
    }
    return texts;
  };
  const auto add = [&](const MapMethod& method) {
    if (!method_problem(method, fractal).empty()) {
      if (!invalid) invalid = method;
      return;
    }
    MapMethod used = method;
    used.tiles = tiles_of(method, fractal);
    if (std::ranges::find(seen, used) != seen.end()) return;
    seen.push_back(used);
    valid.push_back(method);
  };
  for_each_combination(method_fields(), MapMethod{.map = map}, fastest_of(map, fractal), values, add);
  if (valid.empty() && invalid) valid.push_back(*invalid);
  return valid;
}

bool allows_devices(const MapAxes& axes, const FractalConfig& config, BackendKind backend, int devices) {
  try {
    check_can_distribute(config, backend, devices, axes.processes);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// The numbers of devices that a configuration can be distributed over; if there is none, the first of the
/// axis.
std::vector<int> devices_at(const MapAxes& axes, const FractalConfig& config,
                            const BackendSelection& backend) {
  std::vector<int> counts;
  for (const int devices : axes.devices) {
    if (allows_devices(axes, config, backend.device.kind, devices)) counts.push_back(devices);
  }
  if (counts.empty()) counts.push_back(axes.devices.front());
  return counts;
}

std::vector<int> first_devices(const std::vector<int>& list, int count) {
  return {list.begin(), list.begin() + std::min<std::ptrdiff_t>(count, std::ssize(list))};
}

/// Cells in three dimensions are on one device.
std::vector<int> devices_at(const MapAxes&, const SolidConfig&, const BackendSelection&) {
  return {1};
}

/// Calls `use` with every combination of these fractals with the other axes. `Config` is FractalConfig or
/// SolidConfig.
template <typename Config, typename Fractal, typename Use>
void for_each_case(const MapAxes& axes, const std::vector<Fractal>& fractals, const Use& use) {
  const std::vector<ReductionMethod> by_warps = {ReductionMethod::kWarp};
  const auto use_config = [&](const Config& config, const BackendSelection& backend) {
    for (const Workload workload : axes.workloads) {
      const bool has_choice = workload == Workload::kReduction && std::is_same_v<Config, FractalConfig>;
      for (const ReductionMethod reduction : has_choice ? axes.reductions : by_warps) {
        for (const int devices : devices_at(axes, config, backend)) {
          use(CellCase<Config>{.config = config,
                               .workload = workload,
                               .backend = backend,
                               .reduction = reduction,
                               .devices = devices,
                               .device_list = first_devices(axes.device_list, devices)});
        }
      }
    }
  };
  for (const Fractal& fractal : fractals) {
    for (const int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      for (const MapKind map : axes.maps) {
        for (const std::uint32_t tile_size : tile_sizes_at(axes, fractal, level)) {
          Config config{.fractal = fractal, .level = level, .tile_size = tile_size};
          const std::vector<MapMethod> methods = methods_of(axes, map, tiled(config));
          for (const BackendSelection& backend : axes.backends) {
            for (const MapMethod& method : methods) {
              config.method = method;
              use_config(config, backend);
            }
          }
        }
      }
    }
  }
}

/// Throws the error of the first case, which names what is allowed, if no case can run.
template <typename Config>
void check_some_run(const std::vector<CellCase<Config>>& cases) {
  const auto runs = [](const CellCase<Config>& one) {
    return method_problem(one.config.method, tiled(one.config)).empty();
  };
  if (!cases.empty() && std::ranges::none_of(cases, runs)) validate(cases.front().config);
}

/// Calls `use` with every fractal of either dimension.
template <typename Use>
void for_each_fractal(const MapAxes& axes, Use&& use) {
  std::ranges::for_each(axes.fractals, use);
  std::ranges::for_each(axes.solids, use);
}

void check_levels(const MapAxes& axes) {
  int highest = 0;
  for_each_fractal(axes, [&](const auto& fractal) { highest = std::max(highest, fractal.max_level()); });
  for (int level : axes.levels) {
    if (level > highest) {
      throw InputError(
          fmt::format("no fractal of this sweep has level {}; allowed: 0 to {}", level, highest));
    }
  }
}

/// Throws if no fractal allows a tile size at the highest level of the sweep. Lower levels may lack it.
void check_tile_sizes(const MapAxes& axes) {
  if (!axes.tile_sizes) return;
  std::set<std::uint32_t> allowed;
  const int highest = std::ranges::max(axes.levels);
  for_each_fractal(axes, [&](const auto& fractal) {
    const auto tile_sizes = allowed_tile_sizes(fractal, std::min(highest, fractal.max_level()));
    allowed.insert(tile_sizes.begin(), tile_sizes.end());
  });
  for (std::uint32_t tile_size : *axes.tile_sizes) {
    if (!allowed.contains(tile_size)) {
      throw InputError(fmt::format("tile size {} is not allowed at any level of this sweep; allowed: {}, all",
                                   tile_size, fmt::join(allowed, ", ")));
    }
  }
}

/// Throws if no configuration can be distributed over a number of devices.
void check_numbers_of_devices(const MapAxes& axes, const std::vector<MapCase>& cases) {
  for (const int devices : axes.devices) {
    const MapCase* refused = nullptr;
    bool goes = false;
    for (const MapCase& one : cases) {
      goes = allows_devices(axes, one.config, one.backend.device.kind, devices);
      if (goes) break;
      // Prefer the error of a compact map: only compact maps can be distributed, so it names the actual
      // limit.
      const bool compact = one.config.method.map == MapKind::kCompact;
      if (refused == nullptr || compact) refused = &one;
    }
    if (!goes && refused != nullptr)
      check_can_distribute(refused->config, refused->backend.device.kind, devices, axes.processes);
  }
}

void check(const MapAxes& axes) {
  check_not_empty(axes.fractals.empty() && axes.solids.empty(), "fractal");
  check_not_empty(axes.levels.empty(), "level");
  check_not_empty(axes.maps.empty(), "map");
  check_not_empty(axes.workloads.empty(), "workload");
  check_not_empty(axes.reductions.empty(), "reduction");
  check_not_empty(axes.backends.empty(), "backend");
  check_not_empty(axes.devices.empty(), "number of devices");
  check_levels(axes);
  check_tile_sizes(axes);
}

}  // namespace

void check_can_distribute(const FractalConfig& config, BackendKind backend, int devices, bool processes) {
  if (devices == 1) return;
  if (backend == BackendKind::kCpu && !processes)
    throw InputError("the CPU backend is one device; allowed: --devices 1, or processes of mpirun");
  check_partitionable(config, static_cast<std::uint32_t>(devices));
}

std::vector<MapCase> expand(const MapAxes& axes) {
  check(axes);
  std::vector<MapCase> cases;
  for_each_case<FractalConfig>(axes, axes.fractals, [&](MapCase one) { cases.push_back(std::move(one)); });
  check_some_run(cases);
  check_numbers_of_devices(axes, cases);
  return cases;
}

std::vector<SolidCase> expand_solids(const MapAxes& axes) {
  if (axes.solids.empty()) return {};
  if (axes.processes || std::ranges::any_of(axes.devices, [](int devices) { return devices > 1; })) {
    throw InputError(fmt::format("the cells of {} are on one device; allowed: --devices 1 and one process",
                                 axes.solids.front().name()));
  }
  std::vector<SolidCase> cases;
  for_each_case<SolidConfig>(axes, axes.solids, [&](SolidCase one) { cases.push_back(std::move(one)); });
  if (axes.fractals.empty()) check_some_run(cases);
  return cases;
}

std::uint64_t count_cases(const MapAxes& axes) {
  check(axes);
  std::uint64_t cases = 0;
  for_each_case<FractalConfig>(axes, axes.fractals, [&](const MapCase&) { ++cases; });
  return cases;
}

namespace {

using ConfigField = Field<MandelbrotConfig>;

/// Fields whose values are valid independently of the others, so that their combinations need not be built to
/// be counted.
bool is_independent(const FieldInfo& field) {
  return field.key == "dwell_limit" || field.key == "precision";
}

bool is_of_cut(const FieldInfo& field) {
  return field.key == "g" || field.key == "r" || field.key == "b";
}

/// The values of a field; throws InputError if there are none.
std::vector<std::string> values_of(const MandelbrotAxes& axes, const ConfigField& field) {
  const auto found = axes.fields.find(field.option);
  check_not_empty(found == axes.fields.end() || found->second.empty(), field.label);
  return found->second.front() == kAllWord && !field.names().empty() ? field.names() : found->second;
}

/// The distinct configurations of an image of n x n pixels or a cube of n x n x n samples, with the
/// independent fields of `base`.
std::vector<MandelbrotConfig> configs_of(const MandelbrotAxes& axes, std::uint32_t n, const Device& device,
                                         const MandelbrotConfig& base, bool in_space) {
  std::uint64_t smallest_cut = 1;
  for (const ConfigField& field : mandelbrot_config_fields()) {
    if (!is_of_cut(field)) continue;
    const auto as_number = [](const std::string& text) { return std::stoull(text); };
    smallest_cut *= std::ranges::min(std::views::transform(values_of(axes, field), as_number));
  }
  // Where no cut fits the image, the first one is kept.
  const bool fits = smallest_cut <= n;
  const auto values = [&](const ConfigField& field, const MandelbrotConfig& config) {
    if (!field.in_sweep || is_independent(field) || !field.varies(config)) return std::vector<std::string>{};
    std::vector<std::string> texts = values_of(axes, field);
    // On the CPU both schemes are the same.
    if ((field.key == "scheme" && device.on_host) || (!fits && is_of_cut(field))) texts.resize(1);
    return texts;
  };
  std::set<MandelbrotConfig> seen;  // there may be 100,000, too many for a linear search
  std::vector<MandelbrotConfig> configs;
  const auto add = [&](MandelbrotConfig config) {
    if (config.method == MandelbrotMethod::kExhaustive) {
      // The only optimizations that it has.
      const MandelbrotOptimisations all = config.optimisations;
      config.optimisations = kNoOptimisations;
      config.optimisations.narrow = all.narrow && !device.on_host;
      config.optimisations.interior = all.interior;
    } else if (fits && std::uint64_t{config.g} * config.r * config.b > n) {
      return;
    }
    if (in_space) {
      config.optimisations = kNoOptimisations;
      if (config.method != MandelbrotMethod::kAsk || device.on_host) config.scheme = RegionScheme::kSbr;
    }
    if (seen.insert(config).second) configs.push_back(config);
  };
  for_each_combination(mandelbrot_config_fields(), base, MandelbrotConfig{}, values, add);
  return configs;
}

/// The view of a width with n x n pixels. The published one is a window, except for perturbed precisions.
MandelbrotView view_of(const MandelbrotAxes& axes, const std::string& width, std::uint32_t n,
                       Precision precision) {
  const DecimalView view{axes.center.re, axes.center.im, width};
  const bool is_published = view == DecimalView{"-0.5", "0", "2"};
  if (is_published && !is_perturbed(precision)) return {{}, n, n};
  return make_decimal_view(view, n, n);
}

const ConfigField& field_of(std::string_view option) {
  return *find_field(mandelbrot_config_fields(), option);
}

/// The distinct precisions at a width. kAuto is resolved for the view with the most pixels.
std::vector<Precision> precisions_at(const MandelbrotAxes& axes, const std::string& width) {
  std::vector<Precision> precisions;
  for (const std::string& value : values_of(axes, field_of("precision"))) {
    MandelbrotConfig config;
    field_of("precision").read(value, config);
    const Precision precision = resolve_precision(
        config.precision, view_of(axes, width, std::ranges::max(axes.sizes), config.precision));
    if (std::ranges::find(precisions, precision) == precisions.end()) precisions.push_back(precision);
  }
  return precisions;
}

/// Every combination of the values of the independent fields; sets in space have one precision.
std::vector<MandelbrotConfig> independent_configs(const MandelbrotAxes& axes, const std::string& width,
                                                  bool in_space) {
  std::vector<MandelbrotConfig> configs;
  const auto precisions = in_space ? std::vector{Precision::kDouble} : precisions_at(axes, width);
  for (const std::string& dwell : values_of(axes, field_of("dwell"))) {
    for (const Precision precision : precisions) {
      MandelbrotConfig& config = configs.emplace_back();
      field_of("dwell").read(dwell, config);
      config.precision = precision;
    }
  }
  return configs;
}

/// Throws the problem of the first view if no precision can show any.
void check_views(const MandelbrotAxes& axes) {
  std::string first;
  for (const std::string& width : axes.widths) {
    for (const Precision precision : precisions_at(axes, width)) {
      for (const std::uint32_t n : axes.sizes) {
        const std::string problem = precision_problem(precision, view_of(axes, width, n, precision));
        if (problem.empty()) return;
        if (first.empty()) first = problem;
      }
    }
  }
  throw InputError(first);
}

bool has_plane(const MandelbrotAxes& axes) {
  return std::ranges::find(axes.spaces, std::optional<VolumeSet>()) != axes.spaces.end();
}

void check(const MandelbrotAxes& axes) {
  check_not_empty(axes.sizes.empty(), "size");
  check_not_empty(axes.widths.empty(), "width");
  check_not_empty(axes.backends.empty(), "backend");
  check_not_empty(axes.spaces.empty(), "space");
  check_not_empty(axes.orders.empty(), "order");
  for (const ConfigField& field : mandelbrot_config_fields()) {
    if (field.in_sweep) values_of(axes, field);
  }
  if (has_plane(axes)) check_views(axes);
}

/// Adds the cases of the plane, or of a set in space, on a backend.
void add_cases(const MandelbrotAxes& axes, const BackendSelection& backend,
               const std::optional<VolumeSet>& set, std::vector<MandelbrotCase>& cases) {
  const bool in_space = set.has_value();
  for (const std::string& width : in_space ? std::vector<std::string>(1) : axes.widths) {
    for (const MandelbrotConfig& base : independent_configs(axes, width, in_space)) {
      for (const std::uint32_t n : axes.sizes) {
        const auto view = in_space ? MandelbrotView{{}, n, n} : view_of(axes, width, n, base.precision);
        for (const MandelbrotConfig& config : configs_of(axes, n, backend.device, base, in_space)) {
          const bool has_orders = in_space && config.method == MandelbrotMethod::kAsk;
          for (const RegionOrder order : has_orders ? axes.orders : std::vector{RegionOrder::kCanonical}) {
            MandelbrotCase one{config, view, backend};
            if (in_space) one.volume = volume_of(config, *set, n, order);
            in_space ? validate(*one.volume) : validate(config);
            cases.push_back(std::move(one));
          }
        }
      }
    }
  }
}

}  // namespace

std::string precision_problem(Precision precision, const MandelbrotView& view) {
  if (!is_perturbed(precision) && !distinguishes_pixels(precision, view)) {
    return fmt::format(
        "precision {} does not distinguish the pixels of a view of width {}; allowed: a larger width, or "
        "another precision",
        name_of(precision), width_text(view));
  }
  try {
    validate(view, precision);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<MandelbrotCase> expand(const MandelbrotAxes& axes) {
  check(axes);
  std::vector<MandelbrotCase> cases;
  for (const bool in_space : {false, true}) {
    for (const BackendSelection& backend : axes.backends) {
      for (const std::optional<VolumeSet>& set : axes.spaces) {
        if (set.has_value() == in_space) add_cases(axes, backend, set, cases);
      }
    }
  }
  return cases;
}

std::uint64_t count_cases(const MandelbrotAxes& axes) {
  check(axes);
  std::size_t bases = 0;  // of all widths
  if (has_plane(axes)) {
    for (const std::string& width : axes.widths) bases += independent_configs(axes, width, false).size();
  }
  std::uint64_t cases = 0;
  std::vector<MandelbrotCase> in_space;
  for (const BackendSelection& backend : axes.backends) {
    for (const std::optional<VolumeSet>& set : axes.spaces) {
      if (set) add_cases(axes, backend, set, in_space);
    }
    for (const std::uint32_t n : axes.sizes) {
      if (bases == 0) break;
      const std::vector<MandelbrotConfig> configs = configs_of(axes, n, backend.device, {}, false);
      for (const MandelbrotConfig& config : configs) validate(config);
      cases += configs.size() * bases;
    }
  }
  return cases + in_space.size();
}

}  // namespace loom::app::bench
