#include "app/workspaces/life/scene/map_race.h"

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "app/text/format.h"
#include "app/workspaces/life/scene/life_setting_changes.h"
#include "compute/core/error.h"

namespace loom::app {
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
