#include "app/bench/solid_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "app/bench/axis_text.h"
#include "compute/backend/fastest_method.h"
#include "compute/core/error.h"
#include "compute/map/method_fields.h"

namespace loom::app::bench {
namespace {

/// The distinct valid methods of a map in the axes; if none is valid, the first invalid one.
class SolidMethods {
 public:
  SolidMethods(const MapAxes& axes, MapKind map, const TiledSolid& tiled) : axes_(axes), tiled_(tiled) {
    add(method_fields(), fastest_solid_method(map));
    if (valid_.empty() && invalid_) valid_.push_back(*invalid_);
  }
  const std::vector<MapMethod>& methods() const { return valid_; }

 private:
  /// Adds `method`, which is the fastest one, with every combination of the values of `fields`.
  void add(std::span<const MethodField> fields, const MapMethod& method) {
    if (fields.empty()) return add_one(method);
    const MethodField& field = fields.front();
    const auto others = fields.subspan(1);
    const auto named = axes_.method.find(field.option);
    if (field.option == "map" || !field.varies(method) || named == axes_.method.end())
      return add(others, method);
    for (const std::string& word : named->second) {
      if (word == kAutoWord) {
        add(others, method);
        continue;
      }
      for (const std::string& text : word == kAllWord ? all_of(field) : std::vector<std::string>{word}) {
        MapMethod changed = method;
        field.read(text, changed, "--" + std::string(field.option));
        add(others, changed);
      }
    }
  }
  std::vector<std::string> all_of(const MethodField& field) const {
    if (field.option != "tiles") return field.names();
    std::vector<std::string> texts;
    for (const std::uint32_t tiles :
         allowed_solid_tiles(valid_.empty() ? MapMethod{} : valid_.back(), tiled_))
      texts.push_back(std::to_string(tiles));
    return texts;
  }
  void add_one(const MapMethod& method) {
    if (!solid_method_problem(method, tiled_).empty()) {
      if (!invalid_) invalid_ = method;
      return;
    }
    MapMethod used = method;
    used.tiles = solid_launch(method, tiled_).tiling.tiles;
    if (std::ranges::find(used_, used) != used_.end()) return;
    used_.push_back(used);
    valid_.push_back(method);
  }

  const MapAxes& axes_;
  const TiledSolid& tiled_;
  std::vector<MapMethod> valid_;
  std::vector<MapMethod> used_;  ///< `valid_` with automatic tile counts resolved, to find duplicates
  std::optional<MapMethod> invalid_;
};

}  // namespace

std::vector<SolidCase> expand_solids(const MapAxes& axes) {
  if (axes.solids.empty()) return {};
  if (axes.processes || std::ranges::any_of(axes.devices, [](int devices) { return devices > 1; })) {
    throw InputError(fmt::format("the cells of {} are on one device; allowed: --devices 1 and one process",
                                 axes.solids.front().name()));
  }
  std::vector<SolidCase> cases;
  for (const SolidFractal& fractal : axes.solids) {
    for (const int level : axes.levels) {
      if (level > fractal.max_level()) continue;
      for (const MapKind map : axes.maps) {
        for (const std::uint32_t tile_size : allowed_tile_sizes(fractal, level)) {
          if (axes.tile_sizes && std::ranges::find(*axes.tile_sizes, tile_size) == axes.tile_sizes->end())
            continue;
          const TiledSolid tiled = make_tiled_solid(fractal, level, tile_size);
          const SolidMethods at(axes, map, tiled);
          for (const BackendSelection& backend : axes.backends) {
            for (const MapMethod& method : at.methods()) {
              for (const Workload workload : axes.workloads)
                cases.push_back({.config = {fractal, level, tile_size, method},
                                 .workload = workload,
                                 .backend = backend});
            }
          }
        }
      }
    }
  }
  const auto runs = [](const SolidCase& one) {
    const SolidConfig& config = one.config;
    const TiledSolid tiled = make_tiled_solid(config.fractal, config.level, config.tile_size);
    return solid_method_problem(config.method, tiled).empty();
  };
  // If nothing can run, the first case's error names what is allowed.
  if (!cases.empty() && axes.fractals.empty() && std::ranges::none_of(cases, runs))
    validate(cases.front().config);
  return cases;
}

}  // namespace loom::app::bench
