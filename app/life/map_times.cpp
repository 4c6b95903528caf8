#include "app/life/map_times.h"

#include <algorithm>

#include "app/life/setting_steps.h"

namespace loom::app {

bool MapTimes::Entry::is_comparable(const FractalConfig& config, const Work& work,
                                    const std::string& name) const {
  const bool same_work =
      workload == work.workload && (workload != Workload::kReduction || reduction == work.reduction);
  return same_work && time.config.level == config.level && time.config.block == config.block &&
         backend == name && time.config.fractal == config.fractal;
}

void MapTimes::record(const FractalConfig& config, const Work& work, const std::string& backend,
                      double milliseconds) {
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.is_comparable(config, work, backend) && runs_the_same(entry.time.config.method, config.method);
  });
  entries_.push_back({{milliseconds, config}, work.workload, work.reduction, backend});
}

std::optional<MapTime> MapTimes::find(const FractalConfig& config, const Work& work,
                                      const std::string& backend, MapKind map) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
    return entry.time.config.method.map == map && entry.is_comparable(config, work, backend);
  });
  if (found == entries_.rend()) return std::nullopt;
  return found->time;
}

std::optional<MapTime> MapTimes::find_method(const FractalConfig& config, const Work& work,
                                             const std::string& backend) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return runs_the_same(entry.time.config.method, config.method) && entry.is_comparable(config, work, backend);
  });
  if (found == entries_.end()) return std::nullopt;
  return found->time;
}

FractalConfig with_loop(const FractalConfig& config) {
  FractalConfig loop = config;
  loop.method.arithmetic = MapArithmetic::kLoop;
  keep_method_valid(loop);
  return loop;
}

}  // namespace loom::app
