#include "app/workspaces/life/scene/map_times.h"

#include <algorithm>
#include <new>
#include <utility>

#include "app/bench/sampler.h"
#include "app/workspaces/life/scene/life_settings.h"
#include "compute/core/error.h"
#include "compute/core/stopwatch.h"

namespace loom::app {
namespace {

constexpr std::size_t kConditionsKept = 256;

}  // namespace

TimingConditions conditions_of(const FractalConfig& config, const Work& work, const std::string& backend,
                               std::uint32_t generations) {
  TimingConditions conditions{.fractal = config.fractal, .backend = backend};
  set_conditions(conditions, config, work, backend, generations);
  return conditions;
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

void MapMeasurement::start(const TimingConditions& conditions, const FractalConfig& config,
                           const StepConditions& with) {
  if (busy()) return;
  conditions_ = conditions;
  task_.start([with, configs = methods_to_compare(config)](
                  ProgressMonitor& monitor) { return measure_steps(configs, with, monitor); },
              "out of memory while benchmarking the maps");
}

Message MapMeasurement::take(bool waits) {
  auto outcome = waits ? task_.wait() : task_.poll();
  if (!outcome) return {};
  if (outcome->cancelled) return Message::warning("The benchmark was cancelled; earlier times are kept");
  if (!outcome->result) return Message::error(outcome->problem);
  times_.record_benchmark(*conditions_, std::move(*outcome->result));
  return Message::success("Benchmarked back to back with rendering paused");
}

Progress MapMeasurement::progress() const {
  if (!busy()) return {};
  return {"benchmarking the maps", task_.share()};
}

namespace {

constexpr std::uint32_t kMaxSamples = 40;
constexpr double kMaxSeconds = 0.25;

MapTime measure_step(const FractalConfig& config, const StepConditions& conditions, ProgressMonitor& watch) {
  const auto engine = make_fractal_engine(config, conditions.backend, &watch);
  engine->set_monitor(&watch);
  engine->wait_for_compilation();
  engine->reset(conditions.start);
  bench::Sampler sampler(
      {.max_samples = kMaxSamples, .max_seconds = kMaxSeconds, .rounds_per_call = conditions.generations});
  while (!sampler.finished()) {
    const Stopwatch stopwatch;
    const StepReport report = engine->run(conditions.generations, conditions.work);
    if (watch.cancelled()) throw OperationCancelled();
    sampler.add(report.milliseconds, conditions.generations, stopwatch.milliseconds());
  }
  return {config.method, sampler.summary().median, engine->allocated_bytes()};
}

}  // namespace

std::vector<MapTime> measure_steps(const std::vector<FractalConfig>& configs,
                                   const StepConditions& conditions, ProgressMonitor& watch) {
  std::vector<MapTime> times;
  for (const FractalConfig& config : configs) {
    times.push_back(measure_step(config, conditions, watch));
  }
  return times;
}

namespace {

constexpr int kFirstLevel = 4;

diagram::RaceResult run_map(const FractalConfig& config, const StepConditions& conditions, double limit_ms,
                            ProgressMonitor& watch) {
  try {
    check_fits(config, conditions.backend);
    const MapTime time = measure_steps({config}, conditions, watch).front();
    diagram::RaceResult result{.ms = time.milliseconds, .bytes = time.allocated_bytes};
    if (time.milliseconds > limit_ms) result.out = "over limit";
    return result;
  } catch (const CapacityError&) {
    return {.out = "out of memory"};
  } catch (const std::bad_alloc&) {
    return {.out = "out of memory"};
  }
}

}  // namespace

std::vector<diagram::RaceLevel> race_maps(const FractalConfig& config, const StepConditions& conditions,
                                          double limit_ms, ProgressMonitor& watch,
                                          const RaceProgress& report) {
  std::vector<diagram::RaceLevel> levels;
  std::array<bool, kMapKinds.size()> out{};
  for (int level = config.level; level <= config.fractal.max_level() && !out[0]; ++level) {
    levels.push_back({level, std::vector<std::optional<diagram::RaceResult>>(kMapKinds.size())});
    for (std::size_t i = 0; i < kMapKinds.size(); ++i) {
      if (watch.cancelled()) throw OperationCancelled();
      auto& result = levels.back().maps[i];
      FractalConfig one = config;
      set_map(one, kMapKinds[i]);
      set_level(one, level);
      // A map whose coordinates end before the fractal's levels do is out as well.
      result = out[i]               ? diagram::RaceResult{.out = "out"}
               : one.level != level ? diagram::RaceResult{.out = "highest level"}
                                    : run_map(one, conditions, limit_ms, watch);
      if (!result->out.empty()) out[i] = true;
      report(levels);
    }
  }
  return levels;
}

void MapRace::start(const FractalConfig& config, const StepConditions& conditions) {
  shared_ = std::make_shared<Shared>();
  levels_.clear();
  problem_.clear();
  FractalConfig first = config;
  set_level(first, std::min(kFirstLevel, config.fractal.max_level()));
  task_.start(
      [first, conditions, shared = shared_](ProgressMonitor& watch) {
        return race_maps(first, conditions, kLimitMs, watch,
                         [&](const std::vector<diagram::RaceLevel>& levels) {
                           const std::lock_guard lock(shared->mutex);
                           shared->levels = levels;
                           shared->changed = true;
                         });
      },
      "out of memory during the race");
}

bool MapRace::poll() {
  bool changed = false;
  if (task_.running()) {
    const std::lock_guard lock(shared_->mutex);
    if (std::exchange(shared_->changed, false)) {
      levels_ = shared_->levels;
      changed = true;
    }
  }
  const auto outcome = task_.poll();
  if (!outcome) return changed;
  if (outcome->result) levels_ = *outcome->result;
  problem_ = outcome->cancelled ? "Cancelled; the levels so far are kept" : outcome->problem;
  return true;
}

}  // namespace loom::app
