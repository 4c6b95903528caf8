#include "app/map_times.h"

#include <algorithm>

#include "app/input/setting_steps.h"

namespace loom::app {
namespace {

/// Whether both name one method; what a map does not have is not looked at.
bool is_same_method(const FractalConfig& a, const FractalConfig& b) {
  if (a.map != b.map || a.tiles != b.tiles) return false;
  if (a.map == MapKind::kBoundingBox) return true;
  if (a.map == MapKind::kCompact && a.halo != b.halo) return false;
  return a.arithmetic == b.arithmetic && a.intra_block == b.intra_block;
}

}  // namespace

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
    return entry.is_comparable(config, work, backend) && is_same_method(entry.time.config, config);
  });
  entries_.push_back({{milliseconds, config}, work.workload, work.reduction, backend});
}

std::optional<MapTime> MapTimes::find(const FractalConfig& config, const Work& work,
                                      const std::string& backend, MapKind map) const {
  const auto found = std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
    return entry.time.config.map == map && entry.is_comparable(config, work, backend);
  });
  if (found == entries_.rend()) return std::nullopt;
  return found->time;
}

std::optional<MapTime> MapTimes::find_method(const FractalConfig& config, const Work& work,
                                             const std::string& backend) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return is_same_method(entry.time.config, config) && entry.is_comparable(config, work, backend);
  });
  if (found == entries_.end()) return std::nullopt;
  return found->time;
}

FractalConfig with_loop(const FractalConfig& config) {
  FractalConfig loop = config;
  loop.arithmetic = MapArithmetic::kLoop;
  keep_method_valid(loop);
  return loop;
}

}  // namespace loom::app
