#include "app/workspaces/life/scene/life_stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/bench/sampler.h"
#include "app/explain/diagram/diagram.h"
#include "app/explain/memory.h"
#include "app/widgets/picture.h"
#include "compute/core/error.h"
#include "compute/core/stopwatch.h"
#include "compute/map/dispatch.h"

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

void ThreadExplanation::look_at(const FractalConfig& config, const std::optional<Coord64>& point) {
  if (!explain::has_tiles(config)) {
    space_.reset();
    thread_.reset();
    point_ = point;
    problem_ = point ? std::string(explain::kByteStorageOnly) : std::string();
    return;
  }
  const bool other_config = point && (!space_ || space_->config() != config);
  if (!other_config && point == point_) return;
  if (other_config) space_ = std::make_unique<explain::ThreadSpace>(config);
  point_ = point;
  thread_.reset();
  problem_.clear();
  if (point_) compute_explanation();
}

void ThreadExplanation::compute_explanation() {
  const NbbFractal& fractal = space_->config().fractal;
  const int level = space_->config().level;
  if (point_->x >= fractal.width(level) || point_->y >= fractal.height(level)) {
    problem_ = "outside the square";
    return;
  }
  const auto ref = space_->thread_at(*point_);
  if (!ref) {
    problem_ =
        fmt::format("The map {} launches no thread at this hole.", label_of(space_->config().method.map));
    return;
  }
  Thread thread{.place = space_->location_of(*ref),
                .sentence = space_->sentence(*ref),
                .warp = space_->warp_of(*ref),
                .lanes = {},
                .tile = space_->locations_in_tile(ref->tile),
                .lambda = {},
                .traffic = {}};
  if (space_->config().method.map != MapKind::kBoundingBox) {
    thread.lambda = explain::lambda_steps(*space_, ref->tile);
  }
  thread.lanes = space_->locations_of(thread.warp);
  try {
    thread.traffic = explain::warp_memory_access(*space_, *ref).traffic();
  } catch (const InputError&) {
    // Byte addresses exceed 64 bits: no memory accesses are shown.
  }
  thread_ = std::move(thread);
}

std::optional<Coord64> selected_point(LifeEdit& edit, const FractalConfig& config, Coord64 tile,
                                      const std::optional<Coord64>& under_cursor, bool clicked) {
  LifeSettings& settings = edit.settings;
  std::optional<Coord64>& pinned = settings.pinned;
  const std::uint64_t width = config.fractal.width(config.level);
  const std::uint64_t height = config.fractal.height(config.level);
  const bool selects = clicked && !settings.edit_cells && under_cursor;
  if (selects) settings.show_thread = true;
  if (!settings.show_thread) pinned.reset();
  if (pinned && (pinned->x >= width || pinned->y >= height)) pinned.reset();
  // A lesson's point stays pinned; Escape then closes other things.
  if (pinned && pinned != settings.lesson_point && std::exchange(edit.shell.commands.dismiss, false))
    pinned = settings.lesson_point;
  if (pinned) {
    ViewCommands& view = edit.shell.view;
    *pinned = moved_within(*pinned, std::exchange(view.pan, {}), {1, 1}, {width, height});
    *pinned = moved_within(*pinned, std::exchange(view.large_pan, {}), tile, {width, height});
  }
  if (!settings.show_thread) return std::nullopt;
  if (selects) pinned = under_cursor;
  return pinned ? pinned : under_cursor;
}

TileGrid::TileGrid(const FractalConfig& config)
    : tiled_(make_tiled_fractal(config.fractal, config.level, config.tile_size)),
      map_(config.method.map),
      intra_block_(config.method.intra_block),
      fractal_(config.fractal),
      transform_(tiled_.shape, tiled_.levels, tiled_.level),
      grid_transform_(tiled_.shape, tiled_.levels, tiled_.coarse_level) {}

LaunchShape TileGrid::launch_shape(MapKind map) const {
  return loom::launch_shape({.map = map, .intra_block = intra_block_}, tiled_);
}

LaunchCount TileGrid::launch_count(MapKind map) const {
  const LaunchShape shape = launch_shape(map);
  return {.tiles = shape.tiles(),
          .occupied_tiles = tiled_.orthotope_tiles(),
          .threads = shape.threads(),
          .launched = shape.threads(),
          .cells = tiled_.cells};
}

std::optional<PointInfo> TileGrid::place_at(std::int64_t x, std::int64_t y) const {
  const Coord64 cell{static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)};
  if (x < 0 || y < 0 || cell.x >= tiled_.width || cell.y >= tiled_.height) return std::nullopt;
  PointInfo place{.cell = cell,
                  .tile = {cell.x / tiled_.rho_x, cell.y / tiled_.rho_y},
                  .is_cell = is_member(transform_, tiled_.level, cell),
                  .omega = std::nullopt,
                  .thread = std::nullopt};
  const auto compact = nu_map(grid_transform_, tiled_.coarse_level, place.tile);
  if (compact.present) place.omega = compact.omega;
  place.thread = thread_for(place);
  return place;
}

std::optional<Coord32> TileGrid::thread_for(const PointInfo& place) const {
  Coord32 position{static_cast<std::uint32_t>(place.cell.x % tiled_.rho_x),
                   static_cast<std::uint32_t>(place.cell.y % tiled_.rho_y)};
  if (map_ == MapKind::kBoundingBox) return position;
  if (!place.omega) return std::nullopt;
  if (tiled_.is_turned()) {
    const auto symmetry = symmetry_at(grid_transform_, tiled_.coarse_level, place.tile);
    position = apply(inverse(symmetry), position, tiled_.rho_x);
  }
  if (intra_block_ == IntraBlock::kSubBox) return position;
  if (!place.is_cell) return std::nullopt;
  if (intra_block_ == IntraBlock::kUnrolled) {
    return UnrolledThreads(tiled_).thread_at(position);
  }
  const auto table = tile_cell_table(tiled_);
  return LookupThreads(tiled_, table.data()).thread_at(position);
}

}  // namespace loom::app
