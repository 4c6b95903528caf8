#include "app/workspaces/life/scene/map_times.h"

#include <algorithm>

namespace loom::app {
namespace {

constexpr std::size_t kConditionsKept = 256;

}  // namespace

TimingConditions conditions_of(const FractalConfig& config, const Work& work, const std::string& backend,
                               std::uint32_t generations) {
  return {.fractal = config.fractal,
          .level = config.level,
          .tile_size = config.tile_size,
          .storage = config.method.storage,
          .workload = work.workload,
          .reduction = work.workload == Workload::kReduction ? work.reduction : ReductionMethod::kWarp,
          .backend = backend,
          .generations = generations};
}

void set_conditions(TimingConditions& conditions, const FractalConfig& config, const Work& work,
                    const std::string& backend, std::uint32_t generations) {
  if (conditions.fractal != config.fractal) conditions.fractal = config.fractal;
  conditions.level = config.level;
  conditions.tile_size = config.tile_size;
  conditions.storage = config.method.storage;
  conditions.workload = work.workload;
  conditions.reduction = work.workload == Workload::kReduction ? work.reduction : ReductionMethod::kWarp;
  conditions.backend = backend;
  conditions.generations = generations;
}

bool operator==(const TimingConditions& a, const TimingConditions& b) {
  return a.level == b.level && a.tile_size == b.tile_size && a.storage == b.storage &&
         a.workload == b.workload && a.reduction == b.reduction && a.generations == b.generations &&
         a.backend == b.backend && a.fractal == b.fractal;
}

MapTimes::Entry& MapTimes::entry_of(std::vector<Entry>& entries, const TimingConditions& conditions) {
  for (Entry& entry : entries) {
    if (entry.conditions == conditions) return entry;
  }
  if (entries.size() == kConditionsKept) entries.erase(entries.begin());
  return entries.emplace_back(Entry{conditions, {}});
}

const MapTimes::Entry* MapTimes::find(const std::vector<Entry>& entries, const TimingConditions& conditions) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.conditions == conditions; });
  return found == entries.end() ? nullptr : &*found;
}

void MapTimes::record(const TimingConditions& conditions, const MapTime& time) {
  Entry& entry = entry_of(live_, conditions);
  std::erase_if(entry.times,
                [&](const MapTime& other) { return is_same_execution(other.method, time.method); });
  entry.times.push_back(time);
}

void MapTimes::record_benchmark(const TimingConditions& conditions, std::vector<MapTime> times) {
  entry_of(benchmarked_, conditions).times = std::move(times);
}

MapComparison MapTimes::compare(const TimingConditions& conditions, const FractalConfig& config) const {
  const Entry* const measured = find(benchmarked_, conditions);
  const Entry* const entry = measured != nullptr ? measured : find(live_, conditions);
  MapComparison comparison;
  comparison.benchmarked = measured != nullptr;
  if (entry == nullptr) return comparison;
  MapMethod loop = config.method;
  loop.arithmetic = MapArithmetic::kLoop;
  loop = nearest_valid(loop, make_tiled_fractal(config.fractal, config.level, config.tile_size));
  for (const MapTime& time : entry->times) {
    const bool mine = is_same_execution(time.method, config.method);
    if (mine) comparison.selected_ms = time.milliseconds;
    if (is_same_execution(time.method, loop)) comparison.loop_ms = time.milliseconds;
    // A map's row shows the selected method, otherwise the last one. In a benchmark, loop arithmetic does not
    // replace another method.
    auto& row = comparison.maps[static_cast<std::size_t>(time.method.map)];
    if (row && is_same_execution(row->method, config.method)) continue;
    if (row && comparison.benchmarked && time.method.arithmetic == MapArithmetic::kLoop) continue;
    row = time;
  }
  return comparison;
}

FractalConfig with_loop_arithmetic(const FractalConfig& config) {
  FractalConfig loop = config;
  loop.method.arithmetic = MapArithmetic::kLoop;
  keep_method_valid(loop);
  return loop;
}

std::vector<FractalConfig> methods_to_compare(const FractalConfig& config) {
  std::vector<FractalConfig> configs;
  const auto add = [&](const FractalConfig& one) {
    const bool there = std::any_of(configs.begin(), configs.end(), [&](const FractalConfig& other) {
      return is_same_execution(other.method, one.method);
    });
    if (!there) configs.push_back(one);
  };
  for (const MapKind map : kMapKinds) {
    FractalConfig one = config;
    one.method.map = map;
    keep_method_valid(one);
    if (one.method.storage == config.method.storage) add(one);  // lambda has no bit-packed storage
  }
  if (config.method.map != MapKind::kBoundingBox) add(with_loop_arithmetic(config));
  return configs;
}

}  // namespace loom::app
